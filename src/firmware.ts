import type { Faults } from "door/enter";
import { HttpServer } from "http-server/server";
import type { Counters } from "http-server/service";
import type { BodySource } from "http-server/types";
import { JsonWriter } from "json/writer";
import type { LinkStatistics } from "jk-bms/types";
import { openConsole, restart, storeState } from "application";
import Analog from "embedded:io/analog";
import Digital from "embedded:io/digital";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import Ethernet from "embedded:network/interface/ethernet";
import { clientOf } from "./auth/client-address";
import { Api } from "./api/api";
import type { Board } from "./board";
import { BmsMonitor } from "./bms/monitor";
import { BmsPort } from "./bms/port";
import type { BmsObserver } from "./bms/types";
import { countedPower } from "./catalogue/computed";
import { MAX_HISTORY_ANSWERS, MAX_SCRAPES } from "./endpoints/limits";
import { Turns } from "./endpoints/turns";
import { PackEnergy } from "./energy/energy";
import { ConditionWatcher } from "./events/condition-watcher";
import { EventRing } from "./events/event-ring";
import { StoredEvents } from "./events/stored-events";
import { EventRecorder } from "./events/record";
import { DrivenPins } from "./health/driven-pins";
import { eraseFlash } from "./health/erase";
import { LASTING, MEMBERS, VITAL } from "./health/faults";
import { failedStart } from "./health/failed-start";
import { isInUse } from "./health/in-use";
import { patternOf } from "./health/pattern";
import { Button } from "./health/button";
import { StartRecord } from "./health/start";
import { type Pattern, StatusLed } from "./health/status-led";
import { Supervisor } from "./health/supervisor";
import { Parts, type PartsOwner, type Startable } from "./health/parts";
import type { Cause } from "./health/types";
import { answer, hasRoom, onFault, onListening, taken, type Served } from "./front";
import { History } from "./history/history";
import { HistoryReader } from "./history/history-reader";
import { discardHistory, FlashHistory } from "./history/flash-history";
import type { RecordStore } from "./history/record-store";
import type { Modbus } from "./modbus/modbus";
import { openModbus } from "./modbus/open-modbus";
import { Mqtt } from "./mqtt/mqtt";
import { CaptiveDns } from "./network/portal/name-server";
import { WallClock } from "./network/sntp/clock";
import { Mdns } from "./network/mdns/mdns";
import { BoardNetwork } from "./network/network";
import { Radio } from "./network/wifi/radio";
import { Sntp } from "./network/sntp/sntp";
import type { Closable } from "./network/socket";
import type { NetworkObserver } from "./network/types";
import type { Notify } from "./notify/notify";
import { discardMessages, openNotify } from "./notify/open-notify";
import { Wired } from "./network/ethernet/wired";
import { RelayFollower } from "./relay/follower";
import { BoardRelay } from "./relay/relay";
import { BoardSensors } from "./sensors/sensors";
import { BankSum } from "./packs/bank-sum";
import { KnownPacks } from "./packs/known-packs";
import { References } from "./packs/references";
import type { BusPack } from "./packs/types";
import { laterOrNow } from "./runtime/timers";
import { LocalTime } from "./settings/local-time";
import { StoredSettings } from "./settings/settings";
import type { GroupName, SettingsObserver } from "./settings/types";
import { Snmp } from "./snmp/snmp";
import { Syslog } from "./syslog/syslog";
import { Platform } from "./platform";
import { forgetReplaced, noteReplaced, Trial } from "./update/trial";
import { Updater } from "./update/updater";
import { Web } from "./web/web";

/**
 * The composition root: opens the hardware, builds the components, connects and starts them. Each part declares what it needs of the device,
 * and this object satisfies it: a list of members for each would take a slot a member.
 */
export class Firmware
  extends Platform
  implements BmsObserver, Faults, NetworkObserver, PartsOwner, Served, SettingsObserver
{
  /** Why the device started. */
  readonly start: StartRecord;
  /** Those that can be missing, each started on its own. */
  readonly parts: Parts;
  readonly settings: StoredSettings;
  readonly relay: BoardRelay;
  private readonly driven: DrivenPins;
  readonly network: BoardNetwork;
  readonly sensors: BoardSensors;
  readonly monitor: BmsMonitor;
  private readonly knownPacks: KnownPacks;
  readonly references: References;
  private readonly bank = new BankSum(this);
  readonly history: History;
  readonly events: EventRing;
  readonly conditions: ConditionWatcher;
  readonly clock = new WallClock();
  private readonly localTime: LocalTime;
  /** Shared: a document is written from beginning to end within one callback. */
  readonly json = new JsonWriter();
  readonly updater: Updater;
  /** Of the history's answers, of all interfaces, and of the metrics: a scrape does not wait for the history. */
  readonly turns = new Turns(MAX_HISTORY_ANSWERS);
  readonly scrapes = new Turns(MAX_SCRAPES);
  readonly server: HttpServer;
  readonly api: Api;
  readonly web: Web;
  // Undefined if it could not be started.
  energy: PackEnergy | undefined;
  /** The history in flash; `history` has the last hours in memory. */
  flashHistory: FlashHistory | undefined;
  storedEvents: StoredEvents | undefined;
  /** Set until a new image has proved itself; undefined if none is on trial. */
  trial: Trial | undefined;
  // Undefined in safe mode too.
  mqtt: Mqtt | undefined;
  snmp: Snmp | undefined;
  modbus: Modbus | undefined;
  syslog: Syslog | undefined;
  notify: Notify | undefined;
  /** Who is in a TLS handshake. */
  handshakeOwner: object | undefined;
  mdns: Mdns | undefined;
  sntp: Sntp | undefined;
  private supervisor: Supervisor | undefined;
  // Undefined on a board without one too.
  button: Button | undefined;
  private led: StatusLed | undefined;
  /** The constructor has come to its end: until then, and in a start that failed, only relay, button, LED and parts may be used. */
  isConstructed = false;
  /** DNS server of the portal, while the access point is open. */
  private names: CaptiveDns | undefined;

  constructor(readonly build: Board) {
    super();
    openConsole();
    this.clock.resume();
    const { pins } = build;
    const { storage } = this;
    try {
      this.start = new StartRecord(storage);
      const { safe, restless } = this.start;
      this.parts = new Parts(this, safe);
      globalThis.faults = this;
      const settings = new StoredSettings({
        storage,
        storeState: storeState(),
        maxPacks: build.maxPacks,
        httpPort: build.httpPort,
        lacks: { relay: pins.relay === undefined, monitoring: pins.temperature === undefined },
        ...(build.settings && { configured: build.settings }),
      });
      this.settings = settings;
      // First: the relay's pin must be driven whatever fails below, even in a restart loop; then what a user at the device has.
      this.relay = new BoardRelay({
        settings,
        output: { io: Digital, pin: pins.relay },
        storage,
        restrained: restless,
        locked: safe,
      });
      this.driven = new DrivenPins(Digital, pins.driven);
      this.parts.start("relay", "network");
      this.start.forgetCrash();

      // Builds for Wi-Fi boards have no Ethernet driver to import. BoardNetwork or Radio starts the TCP/IP stack, which the server needs.
      const wired = build.network === "Ethernet" ? new Wired(Ethernet) : undefined;
      const radio = wired ? undefined : Radio.open(this.parts);
      settings.identify({ random: this.random, mac: (wired ?? radio)?.mac });
      for (const problem of settings.problems) trace(`settings: ${problem}\n`);
      this.network = new BoardNetwork({
        settings,
        wired,
        radio,
        parts: this.parts,
        device: this,
        accessPointPassword: build.accessPointPassword,
      });

      this.sensors = new BoardSensors({
        settings,
        analog: { io: Analog },
        digital: { io: Digital },
        pins: pins.temperature === undefined ? undefined : pins,
      });

      this.knownPacks = new KnownPacks(this);
      const packs = this.knownPacks.identities;
      this.monitor = new BmsMonitor({ settings: settings.bms, packs, opener: new BmsPort(this) });
      settings.observe(this);

      this.localTime = new LocalTime(settings);
      this.history = new History(this);
      this.events = new EventRing(this);
      // Before anything is logged, which goes there, too.
      this.parts.begin("history");
      new EventRecorder(this.events, this);
      this.conditions = new ConditionWatcher(this.events, this);
      this.parts.log = this.events;
      this.references = new References(this);
      this.monitor.observe(this.references);
      this.monitor.observe(new RelayFollower(this));
      this.monitor.observe(this);

      this.updater = new Updater(this);
      this.web = new Web(this);
      this.api = new Api(this);
      this.parts.begin("network");
      this.server = new HttpServer({
        listener: { io: Listener, port: build.httpPort },
        socket: { io: TCP },
        handler: answer,
        target: this,
        clientOf,
        hasRoom,
        onFault,
        onListening,
        taken,
      });
      this.network.observe(this);
      this.isConstructed = true;
    } catch (error) {
      failedStart(error, this);
      throw error;
    }
    this.parts.start("network");
  }

  /** Called by `parts`; those that are missing in safe mode come last. */
  startPart(part: Startable): void {
    const { pins } = this.build;
    switch (part) {
      case "relay":
        return this.relay.start();
      case "pins":
        return this.driven.start();
      case "button":
        if (pins.button !== undefined) this.button ??= new Button({ io: Digital, pin: pins.button, device: this });
        return;
      case "led":
        if (pins.led !== undefined) this.led ??= new StatusLed({ io: Digital, pin: pins.led, device: this });
        return;
      case "network":
        return this.network.start();
      case "portal":
        this.names = CaptiveDns.follow(this.names, this);
        return this.web.networkChanged();
      case "server":
        return this.server.start();
      case "token":
        return this.settings.completeToken(this.random);
      case "energy":
        this.energy = new PackEnergy(this);
        return;
      case "trial":
        this.trial = Trial.begin(this);
        return this.updater.report(this.trial?.problem ?? "");
      case "supervisor":
        this.supervisor = new Supervisor(this);
        return;
      case "history":
        this.flashHistory ??= new FlashHistory(this);
        return this.keepEvents();
      case "bms":
        return this.monitor.start();
      case "monitoring":
        return this.sensors.start();
      case "mqtt":
        this.mqtt = new Mqtt(this);
        return;
      case "snmp":
        this.snmp = new Snmp(this);
        return;
      case "modbus":
        this.modbus = openModbus(this);
        return;
      case "syslog":
        this.syslog = new Syslog(this);
        return;
      case "notify":
        this.notify = openNotify(this);
        return;
      // Auxiliary network services, with the same lifetime as the interfaces.
      case "mdns":
        this.mdns = new Mdns(this);
        return;
      case "time":
        this.sntp = new Sntp(this);
        return;
    }
  }

  /**
   * A callback of the platform has thrown. The relay takes its fail-safe state and goes on. What the device cannot be without goes on, too, the bus
   * with nothing open, up to the third time. Any other part is closed until the next start, or until it is started anew, as by new settings.
   */
  threw(part = "server", error: unknown): void {
    const { parts } = this;
    if (part === "relay") this.relay.failSafe();
    parts.faults++;
    parts.failed(part, error);
    if (part === "bms" || part === "bus") this.monitor.cancel();
    const isVital = VITAL.includes(part);
    if (isVital ? !parts.isThird() : LASTING.includes(part)) return;
    // Not within a callback of what is closed.
    laterOrNow(() => {
      if (!isVital) return this.closePart(part);
      this.stop();
      throw error;
    }, 0);
  }

  private closePart(part: string): void {
    const closable = this as unknown as Record<string, Closable | undefined>;
    try {
      closable[MEMBERS[part] ?? part]?.close();
    } catch (error) {
      trace(`${part}: ${String(error)}\n`);
    }
    if (part === "history") this.flashHistory = undefined;
  }

  private keepEvents(): void {
    if (this.storedEvents) return;
    this.storedEvents = new StoredEvents(this);
    this.events.observe(this.storedEvents);
  }

  // Event wiring.

  packUpdated(pack: BusPack): void {
    const { bank } = this;
    const power = pack.isContested ? undefined : countedPower(pack);
    if (power === undefined) return;
    const gap = this.energy?.update(pack, power);
    if (gap) this.monitor.gaps.note(pack, gap);
    bank.update(pack, power);
    this.history.update(pack, bank);
    this.flashHistory?.update(pack, bank);
  }

  packOnlineChanged({ index, online }: BusPack): void {
    if (online) return;
    this.energy?.interrupt(index);
    this.bank.interrupt(index);
    this.flashHistory?.recorder.interrupt(index);
  }

  packIdentified({ identity, identifier }: BusPack): void {
    this.knownPacks.keep(identity.address, identifier);
    this.configurePacks();
  }

  acceptPack({ identity, isSwapped, online, identifier }: BusPack): boolean {
    if (!isSwapped || !online || !identifier) return false;
    this.knownPacks.keep(identity.address, identifier);
    this.configurePacks();
    return true;
  }

  private configurePacks(): void {
    this.monitor.reconfigure(this.settings.bms, this.knownPacks.identities);
  }

  networkChanged(): void {
    this.parts.begin("portal");
  }

  settingsChanged(group: GroupName): void {
    if (group === "bms" || group === "packs") {
      this.knownPacks.forget();
      this.energy?.forget();
      this.configurePacks();
    }
    // Their pins are claimed once they are fitted.
    else if (group === "relay" || group === "monitoring") this.parts.begin(group);
  }

  // The user at the device: button and LED.

  /** Called by the button. */
  renewAccessPoint(): void {
    if (!this.isConstructed) return this.restartFor("ordered");
    this.events.add("button");
    this.network.renewAccessPoint();
  }

  resetByButton(): void {
    trace("button: factory reset\n");
    if (!this.factoryReset()) this.restartFor("factory-reset");
  }

  /** Called by the button. */
  buttonDown(): void {
    // The button is started before the page.
    if (this.isConstructed) this.web.pressed();
  }

  get hasButton(): boolean {
    return this.button !== undefined;
  }

  /** Whether the button was pressed recently: a sign-in then is not delayed by wrong guesses before. */
  buttonPressed(): boolean {
    return this.button?.pressed ?? false;
  }

  get ledPattern(): Pattern {
    return patternOf(this);
  }

  // Asked by parts and interfaces.

  /** Called by the network. */
  get isInUse(): boolean {
    return isInUse(this);
  }

  /** Whole seconds since the firmware started. */
  uptime(): number {
    return this.monitor.uptime;
  }

  /** Hundredths of a second since the firmware started. */
  centiseconds(): number {
    return this.monitor.centiseconds;
  }

  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time(): number | undefined {
    return this.clock.now();
  }

  /**
   * Sets the clock, unless a time server does.
   * @param time seconds since 1970
   * @param who for the log
   */
  setTime(time: number, who: string): boolean {
    if (this.sntp?.inStep) return false;
    this.sntp?.forget();
    this.clock.adjust(1_000 * time);
    this.events.add(`clock-set\t${who}`);
    return true;
  }

  /** Seconds from UTC to the owner's time at `utc`, seconds since 1970. */
  offsetAt(utc: number): number {
    return this.localTime.offsetAt(utc);
  }

  /** The records in flash, while there are any. */
  get records(): RecordStore | undefined {
    return this.flashHistory?.store;
  }

  statistics(): LinkStatistics | undefined {
    return this.monitor.bus?.statistics;
  }

  http(): Counters {
    return this.server.counters;
  }

  get networkControl(): BoardNetwork {
    return this.network;
  }

  readHistory(): BodySource {
    return new HistoryReader(this.history);
  }

  // The end of a run.

  /** Called by the supervisor, like `restartFor`: the device has run long enough to count as stable. */
  settled(): void {
    this.start.settle();
    if (this.start.safe) this.parts.report();
    else this.relay.release();
  }

  /** To be followed by a restart. @returns undefined, or a human-readable error */
  factoryReset(): string | undefined {
    // First: if the power fails in between, the settings are still there, and the owner sees that there was no reset.
    discardHistory(this, this.records);
    this.flashHistory?.close();
    this.flashHistory = undefined;
    const problem = this.settings.erase();
    if (!problem) {
      this.notify?.close();
      discardMessages();
    }
    // It goes on, with an empty history.
    else if (this.isConstructed) this.parts.begin("history");
    return problem;
  }

  restartFor(cause: Cause): void {
    this.start.note(cause);
    this.stop();
    if (cause === "factory-reset") eraseFlash(this.storage);
    restart();
  }

  /** Called before the slot of the running image is left. Throws if this cannot be stored. */
  noteUpdate(): void {
    noteReplaced(this);
    // If it still runs, after a roll-back, it would forget this note with its own.
    this.trial?.close();
  }

  forgetUpdate(): void {
    forgetReplaced(this.storage);
  }

  confirmUpdate(): void {
    this.slots.confirm();
    this.trial = undefined;
  }

  rejectUpdate(): void {
    this.start.note("update-rejected");
    this.stop();
    this.slots.reject();
  }

  close(): void {
    this.stop();
    this.parts.close();
    if (!this.isConstructed) return;
    this.trial?.close();
    this.supervisor?.close();
    this.button?.close();
    this.led?.close();
    // Closed first: it withdraws the announced service while server and network are still open.
    this.mdns?.close();
    this.sntp?.close();
    this.flashHistory?.close();
    this.names?.close();
    this.mqtt?.close();
    this.monitor.close();
    this.snmp?.close();
    this.modbus?.close();
    this.syslog?.close();
    this.notify?.close();
    this.server.close();
    this.web.close();
    this.network.close();
  }

  /** Saves what is not stored yet. */
  private stop(): void {
    if (!this.isConstructed) return;
    this.events.add("stopped");
    this.flashHistory?.save();
    this.energy?.store();
    this.relay.flush();
  }
}
