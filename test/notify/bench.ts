/** Notifications on a board's retained memory and timers; the sockets are the test's, the monitor's values too. */
import * as FIELDS from "jk-bms/field-table";
import { offsetOf } from "jk-bms/fields";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { NONE, plus, without, type Conditions } from "../../src/conditions/set";
import { OTHER_MASTER } from "../../src/conditions/rows";
import { bit, type Concern } from "../../src/conditions/table";
import type { Packs } from "../../src/packs/types";
import type { EventText } from "../../src/events/types";
import { EventRing } from "../../src/events/event-ring";
import { Notify } from "../../src/notify/notify";
import type { NotifyDevice } from "../../src/notify/types";
import type { NotifySettings } from "../../src/settings/types";
import { claimRetained } from "../../src/runtime/retained";
import type { SimulatedBoard } from "../../host-sim/board";
import { TestMonitor } from "../support/bms/bms-link";
import { StillMonitor } from "../support/bms/still-monitor";
import type { StoredSettings } from "../../src/settings/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";

/** What reached a service. */
export interface Got {
  /** Virtual seconds since power-on. */
  readonly at: number;
  readonly port: number;
  readonly text: string;
  readonly urgent: boolean;
  /** The webhook's members. */
  readonly body: Readonly<Record<string, unknown>>;
}

type Members = Record<string, unknown> & { message: string; priority: string };

export const OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/** One whose conditions the test chooses. */
class WatchedPack extends TestMonitor {
  otherMaster = false;
  /** In place of what its blocks say. */
  chosen: Conditions | undefined;

  override get concerns(): Conditions {
    const found = this.chosen ?? super.concerns;
    return this.otherMaster ? plus(found, OTHER_MASTER) : found;
  }
}

export class Monitor extends StillMonitor {
  declare readonly pack: WatchedPack;

  constructor() {
    super(new WatchedPack());
  }

  set otherMaster(present: boolean) {
    this.pack.otherMaster = present;
  }

  /** A bank of this pack and others, at these addresses. */
  makeBank(names: Readonly<Record<number, string>>): TestMonitor[] {
    const packs = Object.entries(names).map(([address, name], index) => {
      const pack = index ? new WatchedPack() : this.pack;
      pack.telemetry.valid = true;
      return Object.assign(pack, {
        ...{ index, label: Number(address), identity: { address: Number(address), name, serial: "" } },
      });
    });
    this.packs = packs as unknown as Packs;
    return packs;
  }

  /** The first pack is alone again. */
  endBank(): void {
    this.packs = [Object.assign(this.pack, { label: undefined })];
  }
}

export class Bench {
  readonly board: SimulatedBoard;
  readonly #storage: FaultyStorage;
  settings: StoredSettings;
  readonly network = { online: true, ip: "192.168.1.20", dns1: "192.0.2.53", dns2: "" };
  monitor = new Monitor();
  readonly got: Got[] = [];
  /** What the service at a port answers; "": it hangs; undefined: the connection is refused. */
  answers: Record<number, string | undefined> = { 1: OK, 2: OK };
  /** Connections that are open. */
  open = 0;
  time: number | undefined;
  tls: NotifyDevice["tls"];
  /** Who is in a TLS handshake. */
  handshakeOwner: object | undefined;
  /** What the last connection was to trust. */
  certificate: ArrayBuffer | undefined;
  events!: EventRing;
  notify!: Notify;
  trial: { readonly problem: string } | undefined;
  restarts = 0;
  httpPort = 80;
  /** What the watcher has, as bits by the pack's place. */
  readonly present: Conditions[] = [];
  #startedAt = 0;

  constructor(settings: Partial<NotifySettings> = {}) {
    this.board = poweredBoard();
    claimRetained();
    this.#storage = new FaultyStorage(this.board);
    this.settings = startSettings(this.#storage);
    this.healthy();
    this.settings.update("notify", { kind1: "webhook", url1: "http://127.0.0.1:1/", ...settings });
  }

  healthy({ telemetry } = this.monitor.pack as TestMonitor): void {
    telemetry.setCells(Array<number>(16).fill(3_300));
    telemetry.set(FIELDS.soc, 60).set(FIELDS.temperatureSensors, 0b111).set(FIELDS.battery1Temperature, 200);
    telemetry.set(FIELDS.battery2Temperature, 210).set(FIELDS.mosfetTemperature, 250);
  }

  /** As at a start of the device. */
  start(reason = "power-on", { kept = false, safe = false } = {}): this {
    const { network, board } = this;
    this.#startedAt = board.clock.now;
    if (kept) this.settings = startSettings(this.#storage);
    const { settings } = this;
    const start = { reason, restarts: this.restarts, where: "", safe, intact: kept };
    this.events = new EventRing({ uptime: () => this.uptime, start });
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- for the class and the getters below
    const bench = this;
    this.notify = new Notify({
      ...{ settings, network, start, events: this.events },
      get monitor() {
        return bench.monitor;
      },
      conditions: {
        presentOf: (index) => this.present[index] ?? NONE,
        alarmsOf: (index) => {
          const { telemetry } = this.monitor.packs[index] as unknown as TestMonitor;
          return telemetry.view.getUint32(offsetOf(FIELDS.alarmCode), telemetry.littleEndian);
        },
        sinceOf: () => 0,
        todayOf: () => 1,
        measurementOf: () => undefined,
      },
      get trial() {
        return bench.trial;
      },
      build: { version: "1.2.3", httpPort: this.httpPort },
      get handshakeOwner() {
        return bench.handshakeOwner;
      },
      set handshakeOwner(who) {
        bench.handshakeOwner = who;
      },
      tls: this.tls,
      tcp: this.socket() as unknown as NotifyDevice["tcp"],
      udp: undefined as never,
      resolver: this.resolver() as never,
      uptime: () => this.uptime,
      time: () => this.time,
    });
    return this;
  }

  /** The firmware restarts the chip. */
  restart(reason = "ordered"): this {
    this.notify.close();
    this.restarts++;
    return this.start(reason, { kept: true });
  }

  /** Writes to the flash since power-on. */
  get writes(): number {
    return this.#storage.writes;
  }

  get uptime(): number {
    return Math.floor((this.board.clock.now - this.#startedAt) / 1000);
  }

  pass(seconds: number): void {
    const from = this.board.clock.now;
    this.board.clock.runFor(seconds * 1_000);
    if (this.time !== undefined) this.time += (this.board.clock.now - from) / 1_000;
  }

  alarm(name: (typeof ALARMS_TABLE)[number]["name"], raised = true, pack = this.monitor.pack as TestMonitor): void {
    const bit = 1 << ALARMS_TABLE.findIndex((row) => row.name === name);
    const { telemetry } = pack;
    const bits = telemetry.view.getUint32(offsetOf(FIELDS.alarmCode), telemetry.littleEndian);
    telemetry.set(FIELDS.alarmCode, raised ? bits | bit : bits & ~bit);
    this.events.add(
      `alarm-${raised ? "raised" : "cleared"}\t${name}${pack.label === undefined ? "" : `\t${pack.label}`}` as EventText,
    );
  }

  condition(name: Concern, present = true, pack: TestMonitor = this.monitor.pack): void {
    const { index } = pack as unknown as { readonly index: number };
    const bits = this.present[index] ?? NONE;
    (pack as WatchedPack).chosen = this.present[index] = present ? plus(bits, bit(name)) : without(bits, bit(name));
  }

  /** The sentences that came since the last time, with the seconds when. */
  said(port?: number): [number, string][] {
    const said = this.got.filter((got) => port === undefined || got.port === port);
    this.got.length = 0;
    return said.map(({ at, text }) => [at, text]);
  }

  texts(port?: number): string[] {
    return this.said(port).map(([, text]) => text);
  }

  /** A class for which every name has an address. */
  resolver(): object {
    const { clock } = this.board;
    return class {
      resolve({ host, onResolved }: { host: string; onResolved: (host: string, address: string) => void }): void {
        clock.after(1, () => onResolved(host, "192.0.2.1"));
      }
      close(): void {}
    };
  }

  /** A class of sockets. */
  socket(): object {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- for the class
    const bench = this;
    interface Options {
      readonly port: number;
      readonly secure?: { readonly certificate: ArrayBuffer };
      readonly target: unknown;
      readonly onReadable: (this: object, count: number) => void;
      readonly onWritable: (this: object, window: number) => void;
      readonly onError: (this: object) => void;
    }
    return class {
      readonly target: unknown;
      readonly #options: Options;
      #data = new Uint8Array(0);
      #open = true;

      constructor(options: Options) {
        this.target = options.target;
        this.#options = options;
        bench.certificate = options.secure?.certificate;
        bench.open++;
        bench.board.clock.after(1, () =>
          this.#call(bench.answers[options.port] === undefined ? "onError" : "onWritable", 5_000),
        );
      }

      write(bytes: Uint8Array): number {
        const [, body = ""] = Buffer.from(bytes).toString("latin1").split("\r\n\r\n");
        const members = JSON.parse(body) as Members;
        const { port } = this.#options;
        const answer = bench.answers[port] ?? "";
        bench.got.push({
          at: Math.floor(bench.board.clock.now / 1_000),
          port,
          text: members.message,
          urgent: members.priority === "high",
          body: members,
        });
        this.#data = Buffer.from(answer);
        if (answer) bench.board.clock.after(1, () => this.#call("onReadable", answer.length));
        return 5_000;
      }

      read(into: Uint8Array): number {
        into.set(this.#data.subarray(0, into.length));
        this.#data = this.#data.subarray(into.length);
        return into.length;
      }

      close(): void {
        if (this.#open) bench.open--;
        this.#open = false;
      }

      #call(name: "onReadable" | "onWritable" | "onError", count: number): void {
        if (this.#open) this.#options[name].call(this, count);
      }
    };
  }
}
