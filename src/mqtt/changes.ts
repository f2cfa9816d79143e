import { TELEMETRY as TELEMETRY_BLOCK } from "jk-bms/types";
import { blockOf } from "jk-bms/fields";
import Time from "time";
import { alarmBits } from "../catalogue/alarms";
import { COMMANDS_TABLE, readSwitch } from "../catalogue/commands";
import type { Pack } from "../catalogue/pack";
import { cellsOf, excessOf, modelOf } from "./discovery";
import { ALARM, CELLS, CONFIG, DISCOVERY, RELAY, TELEMETRY } from "./outbox";
import type { Sources } from "./types";

const SECOND = 1_000;

/** Switches reported in the telemetry. */
const LIVE_SWITCHES = Object.freeze(
  COMMANDS_TABLE.filter(({ writable }) => blockOf(writable.field) === TELEMETRY_BLOCK),
  true,
);

// What is kept of each pack, 32 bits each: the ticks at which measured values were last checked, alarms, switches, revision, model and excess.
const CHECKED = 0;
const ALARMS = 1;
const SWITCHES = 2;
const REVISION = 3;
const MODEL = 4;
const EXCESS = 5;
const EACH = 6;
/** Neither alarms nor switches: nothing has been checked yet. */
const NEVER = -1;
/** Alarms of a pack that is not known. */
const UNKNOWN = -2;

/** A number that differs for other models, and for other cells. */
function codeOf(pack: Pack): number {
  const model = modelOf(pack);
  let code = cellsOf(pack) | 0;
  for (let at = 0; at < model.length; at++) code = (31 * code + model.charCodeAt(at)) | 0;
  return code;
}

/**
 * Decides at each poll which messages may have changed. Most polls change only measured values: those are checked once per publishing
 * interval; alarms, switches, parameters and device information at every poll. One object for all packs: it takes less memory.
 */
export class Changes {
  private readonly sources: Sources;
  private readonly kept: Int32Array;
  private relayState = 0;

  /** @param packs how many there are */
  constructor(sources: Sources, packs: number) {
    this.sources = sources;
    this.kept = new Int32Array(EACH * packs).fill(NEVER);
    for (let index = 0; index < packs; index++) {
      const pack = sources.monitor.packs[index];
      this.kept[EACH * index + MODEL] = pack ? codeOf(pack) : 0;
      this.kept[EACH * index + EXCESS] = pack?.setup.valid ? excessOf(pack) : 0;
    }
  }

  /** Outbox bits of what this poll of a pack may have changed. */
  polled(index: number): number {
    const { kept, sources } = this;
    const at = EACH * index;
    const pack = sources.monitor.packs[index];
    if (!pack || at >= kept.length) return 0;
    let messages = 0;
    const now = Time.ticks;
    const alarms = (alarmBits(pack) ?? UNKNOWN) | 0;
    if (
      alarms !== kept[at + ALARMS] ||
      ((now - (kept[at + CHECKED] as number)) | 0) >= sources.settings.mqtt.interval * SECOND
    ) {
      kept[at + CHECKED] = now;
      kept[at + ALARMS] = alarms;
      messages = TELEMETRY | CELLS | ALARM;
    }
    let switches = 0;
    for (const row of LIVE_SWITCHES) switches = 4 * switches + Number(readSwitch(row, pack) ?? 2);
    const { setupRevision } = pack;
    if (setupRevision !== kept[at + REVISION] || switches !== kept[at + SWITCHES]) {
      kept[at + REVISION] = setupRevision;
      kept[at + SWITCHES] = switches;
      messages |= TELEMETRY | CONFIG;
      const model = modelOf(pack);
      const code = codeOf(pack);
      if (model && code !== kept[at + MODEL]) {
        kept[at + MODEL] = code;
        messages |= DISCOVERY;
      }
      if (model && pack.setup.valid) {
        const excess = excessOf(pack);
        if (excess !== kept[at + EXCESS]) messages |= DISCOVERY;
        kept[at + EXCESS] = excess;
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
