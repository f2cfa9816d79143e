import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { alarmBits } from "../catalogue/alarms";
import { milliwatts } from "../catalogue/computed";
import { hashBlock } from "../bms/block-hash";
import { Rounds } from "../packs/rounds";
import type { BusPack } from "../packs/types";
import type { GroupName } from "../settings/types";
import { ANALOG_SAMPLES, DEVICE_SAMPLES, HEARTBEAT_SAMPLES } from "./limits";
import type { WebDevice } from "./types";

type Sources = Pick<
  WebDevice,
  "monitor" | "relay" | "sensors" | "network" | "networkControl" | "updater" | "mqtt" | "notify" | "sntp"
>;

/** A counter for each document of the page, one for all settings, and one for the changes of the status that the page must show at once. */
type Counter = "status" | "config" | "queue" | "relay" | "device" | "settings" | "urgent";

const VOLTAGES = 3;

/**
 * Counters of possible changes, by document. `sample` polls the sources that send no notification. Exists only while
 * there are listeners.
 */
export class Changes {
  private readonly sources: Sources;
  private readonly counters: Record<Counter, number> & { current?: number | undefined; power?: number | undefined };
  /** Incremented with every counter and by the heartbeat: a listener with an older revision gets an event. */
  revision: number;
  /** Last seen state of each, as text; of the settings of each pack by its place. */
  private readonly seen: { [what in Counter | "analog" | number]?: string } = {};
  /** The BMS has sent something since the last sample. */
  private heard = true;
  /** Of each pack, the revision of its settings when they were last hashed. */
  private readonly setupRevisions: number[] = [];
  private samples = 0;
  private readonly rounds = new Rounds();

  /** @param first initial value of the counters: higher than any sent before, so everything counts as changed */
  constructor(sources: Sources, first: number) {
    this.sources = sources;
    this.counters = {
      status: first,
      config: first,
      queue: first,
      relay: first,
      device: first,
      settings: first,
      urgent: first,
      current: undefined,
      power: undefined,
    };
    this.revision = first;
    this.sample();
    this.samples = 0;
  }

  /** Greater than any counter. */
  get next(): number {
    return this.revision + 1;
  }

  /**
   * The counters, and current and power (mA, mW; left out while unknown) of the packs that are online, so that the page shows a load at once. By a
   * native call: a loop over the members takes XS five times the steps.
   */
  get json(): string {
    const { counters } = this;
    counters.power = counters.current = undefined;
    for (const pack of this.sources.monitor.packs) {
      const power = pack.online ? milliwatts(pack) : undefined;
      if (power === undefined) continue;
      counters.power = (counters.power ?? 0) + power;
      counters.current = (counters.current ?? 0) + readRaw(pack.telemetry, FIELDS.packCurrent);
    }
    return JSON.stringify(counters);
  }

  /** Once a round. */
  sawReply(pack: BusPack): void {
    if (this.rounds.beginsWith(pack)) this.sawStatus();
  }

  /** The BMS has sent data, or has been silent for too long. */
  sawStatus(): void {
    this.heard = true;
    this.rise("status");
  }

  /** A write to a pack has ended. */
  sawWrite(): void {
    this.heard = true;
    this.rise("queue");
  }

  sawSettings(group: GroupName): void {
    if (group === "relay" || group === "monitoring") this.rise("relay");
    this.rise("device");
    this.rise("settings");
  }

  sample(): void {
    this.sampleQueue();
    if (this.heard) {
      this.sampleSetup();
      this.sampleAlarms();
    }
    this.heard = false;
    this.sampleRelay();
    if (this.samples % DEVICE_SAMPLES === 0) this.sampleDevice();
    this.samples++;
    if (this.samples % HEARTBEAT_SAMPLES === 0) this.revision++;
  }

  private sampleQueue(): void {
    const { packs, writes } = this.sources.monitor;
    let facts = `${writes.pending}`;
    for (const { configurationLoaded } of packs) facts += ` ${configurationLoaded}`;
    if (!this.isNew("queue", facts)) return;
    this.heard = true;
    this.rise("queue");
  }

  private sampleSetup(): void {
    const { setupRevisions } = this;
    for (const pack of this.sources.monitor.packs) {
      const { index, setupRevision } = pack;
      // Hashing takes XS a third of the steps of a poll.
      if (setupRevision === setupRevisions[index]) continue;
      setupRevisions[index] = setupRevision;
      if (!this.isNew(index, `${hashBlock(pack.setup)} ${hashBlock(pack.deviceInfo)}`)) continue;
      this.rise("config");
      // The configured switches are among the settings and part of the status.
      this.rise("status");
      this.rise("urgent");
    }
  }

  private sampleAlarms(): void {
    let facts = "";
    for (const pack of this.sources.monitor.packs) facts += `${pack.online} ${alarmBits(pack)} `;
    if (this.isNew("urgent", facts)) this.rise("urgent");
  }

  private sampleRelay(): void {
    const { relay, sensors } = this.sources;
    const moved = this.isNew("relay", `${relay.value}${relay.mode}${sensors.input(0)}${sensors.input(1)}`);
    if ((this.samples % ANALOG_SAMPLES === 0 && this.isNew("analog", this.analog())) || moved) this.rise("relay");
  }

  private analog(): string {
    const { sensors } = this.sources;
    let analog = `${sensors.temperature}`;
    for (let channel = 0; channel < VOLTAGES; channel++) analog += ` ${sensors.voltage(channel)}`;
    return analog;
  }

  private sampleDevice(): void {
    const { network, networkControl, updater, mqtt, notify, sntp } = this.sources;
    let facts = `${network.mode} ${network.ip}`;
    if (networkControl) facts += ` ${networkControl.ssid} ${networkControl.reason}`;
    if (updater) facts += ` ${updater.state} ${updater.received}`;
    if (mqtt) facts += ` ${mqtt.state} ${mqtt.problem}`;
    for (const { problem, sent } of notify?.couriers ?? []) facts += ` ${notify?.waiting} ${problem} ${sent}`;
    if (sntp) facts += ` ${sntp.problem} ${sntp.age === undefined}`;
    if (this.isNew("device", facts)) this.rise("device");
  }

  private isNew(what: Counter | "analog" | number, facts: string): boolean {
    if (this.seen[what] === facts) return false;
    this.seen[what] = facts;
    return true;
  }

  private rise(counter: Counter): void {
    this.counters[counter]++;
    this.revision++;
  }
}
