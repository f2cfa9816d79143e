import { TELEMETRY as TELEMETRY_BLOCK } from "jk-bms/types";
import Time from "time";
import { alarmBits } from "../catalogue/alarms";
import { COMMANDS_TABLE, readSwitch } from "../catalogue/commands";
import { modelOf } from "./discovery";
import { CELLS, CONFIG, DISCOVERY, RELAY, TELEMETRY } from "./outbox";
import type { PackShown, Sources } from "./types";

const SECOND = 1_000;

/** Switches reported in the telemetry. */
const LIVE_SWITCHES = Object.freeze(
  COMMANDS_TABLE.filter(({ writable }) => writable.field.block === TELEMETRY_BLOCK),
  true,
);

/**
 * Decides at each poll which messages may have changed. Most polls change only measured values: those are checked once per publishing
 * interval; alarms, switches, parameters and device information at every poll.
 */
export class Changes {
  private readonly sources: Sources;
  private readonly pack: PackShown;
  /** Ticks at which measured values were last checked; undefined: never. */
  private checked: number | undefined;
  private alarms: number | undefined;
  private switches = 0;
  private setupRevision: number | undefined;
  private model: string;
  private relayState = 0;

  /** @param pack the first or a further one */
  constructor(sources: Sources, pack: PackShown = sources.monitor) {
    this.sources = sources;
    this.pack = pack;
    this.model = modelOf(pack);
  }

  /** Outbox bits of what this poll may have changed. */
  polled(): number {
    const { settings } = this.sources;
    const { pack } = this;
    let messages = 0;
    const now = Time.ticks;
    const alarms = alarmBits(pack);
    const { checked } = this;
    if (checked === undefined || ((now - checked) | 0) >= settings.mqtt.interval * SECOND || alarms !== this.alarms) {
      this.checked = now;
      this.alarms = alarms;
      messages = TELEMETRY | CELLS;
    }
    let switches = 0;
    for (const row of LIVE_SWITCHES) switches = 4 * switches + Number(readSwitch(row, pack) ?? 2);
    const { setupRevision } = pack;
    if (setupRevision === undefined || setupRevision !== this.setupRevision || switches !== this.switches) {
      this.setupRevision = setupRevision;
      this.switches = switches;
      messages |= TELEMETRY | CONFIG;
      const model = modelOf(pack);
      if (model && model !== this.model) {
        this.model = model;
        messages |= DISCOVERY;
      }
    }
    return messages;
  }

  /** Outbox bits of the relay, checked apart from the polls: it also switches without the BMS. */
  relay(): number {
    const { relay } = this.sources;
    const state = 4 * relay.mode + relay.value;
    if (state === this.relayState) return 0;
    this.relayState = state;
    return RELAY;
  }
}
