import { TELEMETRY as TELEMETRY_BLOCK } from "jk-bms/types";
import Time from "time";
import { alarmBits } from "../catalogue/alarms";
import { COMMANDS_TABLE, readSwitch } from "../catalogue/commands";
import { modelOf } from "./discovery";
import { CELLS, CONFIG, DISCOVERY, RELAY, TELEMETRY } from "./outbox";
import type { Sources } from "./types";

const SECOND = 1_000;

/** Switches that the telemetry tells of. */
const LIVE_SWITCHES = Object.freeze(
  COMMANDS_TABLE.filter(({ writable }) => writable.field.block === TELEMETRY_BLOCK),
  true,
);

/**
 * Which messages may say something new: it is asked at each poll, and most polls bring nothing but numbers. Those are looked at every
 * publishing interval; alarms, switches, setup and device information at once.
 */
export class Changes {
  private readonly sources: Sources;
  /** When the numbers were looked at last, ticks; undefined: never. */
  private looked: number | undefined;
  private alarms: number | undefined;
  private switches = 0;
  private setup: number | undefined;
  private model: string;
  private relayState = 0;

  constructor(sources: Sources) {
    this.sources = sources;
    this.model = modelOf(sources);
  }

  /** Bits of the outbox: what a poll may have changed. */
  polled(): number {
    const { monitor, settings } = this.sources;
    let messages = 0;
    const now = Time.ticks;
    const alarms = alarmBits(monitor);
    const { looked } = this;
    if (looked === undefined || ((now - looked) | 0) >= settings.mqtt.interval * SECOND || alarms !== this.alarms) {
      this.looked = now;
      this.alarms = alarms;
      messages = TELEMETRY | CELLS;
    }
    let switches = 0;
    for (const row of LIVE_SWITCHES) switches = 4 * switches + Number(readSwitch(row, monitor) ?? 2);
    const setup = monitor.setupRevision;
    if (setup === undefined || setup !== this.setup || switches !== this.switches) {
      this.setup = setup;
      this.switches = switches;
      messages |= TELEMETRY | CONFIG;
      const model = modelOf(this.sources);
      if (model && model !== this.model) {
        this.model = model;
        messages |= DISCOVERY;
      }
    }
    return messages;
  }

  /** The same for the relay, which other things than the BMS switch. */
  relay(): number {
    const { relay } = this.sources;
    const state = 4 * relay.mode + relay.value;
    if (state === this.relayState) return 0;
    this.relayState = state;
    return RELAY;
  }
}
