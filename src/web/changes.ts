import type { JsonWriter } from "json/writer";
import { alarmBits } from "../catalogue/alarms";
import { hashBlock } from "../bms/block-hash";
import type { GroupName } from "../settings/types";
import { ANALOG_SAMPLES, HEARTBEAT_SAMPLES } from "./limits";
import type { WebOptions } from "./options";

type Sources = Pick<
  WebOptions,
  "monitor" | "relay" | "sensors" | "network" | "networkControl" | "updater" | "mqtt" | "sntp"
>;

/** Indexes of `counters`: the page's documents and the settings groups. */
const STATUS = 0;
const CONFIG = 1;
const QUEUE = 2;
const RELAY = 3;
const DEVICE = 4;
const SETTINGS = 5;
/** Changes of the status that the page must show at once. */
const URGENT = 6;
const NAMES = Object.freeze(["status", "config", "queue", "relay", "device", "settings", "urgent"] as const, true);
/** Settings are never compared, so their slot in `seen` holds the analogue inputs. */
const ANALOG = SETTINGS;

const VOLTAGES = 3;

/**
 * A counter per document of the page and one for all settings; each rises when its document may have changed. `sample` polls the sources
 * that send no notification. Exists only while there are listeners.
 */
export class Changes {
  private readonly sources: Sources;
  private readonly counters = [0, 0, 0, 0, 0, 0, 0];
  /** Last seen state of each, as text. */
  private readonly seen: string[] = ["", "", "", "", "", "", ""];
  /** The BMS has sent something since the last sample. */
  private heard = true;
  private samples = 0;

  /** @param first initial value of the counters: higher than any sent before, so everything counts as changed */
  constructor(sources: Sources, first: number) {
    this.sources = sources;
    this.sample();
    this.samples = 0;
    this.counters.fill(first);
  }

  /** Grows with every counter and with time: a listener whose revision differs gets an event. */
  get revision(): number {
    let sum = Math.floor(this.samples / HEARTBEAT_SAMPLES);
    for (const counter of this.counters) sum += counter;
    return sum;
  }

  /** Greater than any counter. */
  get next(): number {
    return 1 + Math.max(...this.counters);
  }

  /** The BMS has sent data, or has been silent for too long. */
  sawStatus(): void {
    this.heard = true;
    this.rise(STATUS);
  }

  sawSettings(group: GroupName): void {
    if (group === "relay" || group === "monitoring") this.rise(RELAY);
    this.rise(DEVICE);
    this.rise(SETTINGS);
  }

  write(json: JsonWriter): void {
    json.open();
    for (let index = 0; index < NAMES.length; index++) json.integer(NAMES[index], this.counters[index] as number);
    json.close();
  }

  sample(): void {
    this.sampleQueue();
    if (this.heard) {
      this.sampleSetup();
      this.sampleAlarms();
    }
    this.heard = false;
    this.sampleRelay();
    this.sampleDevice();
  }

  private sampleQueue(): void {
    const { writes, configurationLoaded } = this.sources.monitor;
    if (!this.isNew(QUEUE, `${writes.pending} ${configurationLoaded} ${writes.lastCommand}`)) return;
    this.heard = true;
    this.rise(QUEUE);
  }

  private sampleSetup(): void {
    const { monitor } = this.sources;
    if (!this.isNew(CONFIG, `${hashBlock(monitor.setup)} ${hashBlock(monitor.deviceInfo)}`)) return;
    this.rise(CONFIG);
    // The configured switches are in the setup and part of the status.
    this.rise(STATUS);
    this.rise(URGENT);
  }

  private sampleAlarms(): void {
    const { monitor } = this.sources;
    if (this.isNew(URGENT, `${monitor.online} ${alarmBits(monitor)}`)) this.rise(URGENT);
  }

  private sampleRelay(): void {
    const { relay, sensors } = this.sources;
    const moved = this.isNew(RELAY, `${relay.value}${relay.mode}${sensors.input(0)}${sensors.input(1)}`);
    if ((this.samples++ % ANALOG_SAMPLES === 0 && this.isNew(ANALOG, this.analog())) || moved) this.rise(RELAY);
  }

  private analog(): string {
    const { sensors } = this.sources;
    let analog = `${sensors.temperature}`;
    for (let channel = 0; channel < VOLTAGES; channel++) analog += ` ${sensors.voltage(channel)}`;
    return analog;
  }

  private sampleDevice(): void {
    const { network, networkControl, updater, mqtt, sntp } = this.sources;
    let facts = `${network.mode} ${network.ip}`;
    if (networkControl) facts += ` ${networkControl.ssid} ${networkControl.reason}`;
    if (updater) facts += ` ${updater.state} ${updater.received}`;
    if (mqtt) facts += ` ${mqtt.state} ${mqtt.problem}`;
    if (sntp) facts += ` ${sntp.problem} ${sntp.age === undefined}`;
    if (this.isNew(DEVICE, facts)) this.rise(DEVICE);
  }

  private isNew(what: number, facts: string): boolean {
    if (this.seen[what] === facts) return false;
    this.seen[what] = facts;
    return true;
  }

  private rise(document: number): void {
    this.counters[document] = (this.counters[document] as number) + 1;
  }
}
