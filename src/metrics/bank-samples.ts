/** Of several packs on the bus: the bank's samples, and those of each pack with its address and name as labels. */
import { alarmBits } from "../catalogue/alarms";
import * as sets from "../conditions/set";
import { isWell } from "../conditions/table";
import { bankOf, CHARGE, concernsOfAny, HIGHEST, LOWEST, ONLINE, PACKS, SOC_DECIMALS } from "../packs/bank";
import type { BusPack } from "../packs/types";
import { COULOMBS, rowValues } from "./bms-families";
import { bitOf, isOne, type Value } from "./family";
import { METRICS_TABLE } from "./table";
import { headOf, nameOf, writeSample } from "./text";

const PREFIX = "bms_";

/** By their metric: their places in METRICS_TABLE. */
const placesOf = (metrics: string): Uint8Array =>
  Uint8Array.from(metrics.split(" "), (metric) =>
    METRICS_TABLE.texts.findIndex((text) => nameOf(text) === PREFIX + metric),
  );

/** Of the bank, as its values: the first is the state of charge, then come two in ampere-hours, three are extremes; whether all packs are online, and well. */
export const OF_BANK = placesOf(
  "state_of_charge_ratio capacity_coulombs remaining_capacity_coulombs voltage_volts current_amperes power_watts cell_voltage_min_volts cell_voltage_max_volts cell_voltage_delta_volts online well",
);
/** Of each pack; the last ones are no rows of the catalogue. */
export const OF_PACK = placesOf(
  "online state_of_charge_ratio capacity_coulombs remaining_capacity_coulombs cycles_total cycle_capacity_coulombs_total state_of_health_ratio cell_voltage_average_volts voltage_volts current_amperes power_watts cell_voltage_min_volts cell_min cell_voltage_max_volts cell_max cell_voltage_delta_volts mosfet_temperature_celsius battery1_temperature_celsius battery2_temperature_celsius battery3_temperature_celsius battery4_temperature_celsius battery5_temperature_celsius charge_mosfet_on discharge_mosfet_on balancing well telemetry_age_seconds polls_total polls_lost_total",
);

/** Of each pack, too, by its label: a sample of 1 for what holds, and none for what does not. The others' 49 of each pack would say nothing. */
export const OF_PACK_HOLDS = placesOf("alarm concern");

/** Name and help of family `place` for the bank (`bank_`) or for packs (`pack_`). */
export const textOf = (place: number, whose: string): string =>
  PREFIX + whose + (METRICS_TABLE.texts[place] as string).slice(PREFIX.length);

/** What a scrape holds of a bank: its values and those of each pack, read at once. */
export class BankSamples {
  /** Of the packs. */
  private readonly labels: readonly string[];
  /** Of OF_BANK, then of each of OF_PACK those of all packs; NaN: unknown. */
  private readonly values: Float64Array;
  /** Of each of OF_PACK_HOLDS those of all packs. */
  private readonly bits: readonly number[];
  /** The next value, then the next bit. */
  private at = 0;
  /** The family's head has been written. */
  private headed = false;

  constructor(packs: readonly BusPack[]) {
    const { length } = packs;
    const first = OF_BANK.length;
    const values = new Float64Array(first + OF_PACK.length * length);
    const bank = bankOf(packs);
    values[first - 2] = isOne(bank[PACKS] === bank[ONLINE]);
    values[first - 1] = isOne(isWell(concernsOfAny(packs)));
    for (let at = 0; at < first - 2; at++) {
      const source = CHARGE + at;
      const value = bank[source < LOWEST ? source : LOWEST + (source - LOWEST) * (HIGHEST - LOWEST)] as number;
      values[at] = value * (at === 1 || at === 2 ? COULOMBS : 1);
    }
    this.labels = packs.map((pack, index) => {
      const { identity, telemetryAge } = pack;
      const rows = rowValues(pack);
      const own: Value[] = [isOne(isWell(pack.concerns)), telemetryAge, pack.polls, pack.lostPolls];
      for (let family = 0; family < OF_PACK.length; family++) {
        const left = family + own.length - OF_PACK.length;
        const value = left < 0 ? rows[OF_PACK[family] as number] : own[left];
        values[first + family * length + index] = (value as Value) ?? NaN;
      }
      return `{pack="${identity.address}",name=${JSON.stringify(identity.name)}} `;
    });
    this.values = values;
    this.bits = [
      ...packs.map((pack) => alarmBits(pack) ?? 0),
      ...packs.map(({ concerns }) => concerns as unknown as number),
    ];
  }

  get done(): boolean {
    return this.at === this.values.length + this.bits.length * sets.MOST_ROWS;
  }

  /** Writes as many samples as fit, from byte `into[at]` on. Returns the next position. */
  write(into: Uint8Array, at: number): number {
    at = this.writeValues(into, at);
    return this.at < this.values.length ? at : this.writeBits(into, at);
  }

  private writeValues(into: Uint8Array, at: number): number {
    const { labels, values } = this;
    const first = OF_BANK.length;
    for (; this.at < values.length; this.at++) {
      const sample = this.at - first;
      const isBank = sample < 0;
      const pack = sample % labels.length;
      if (isBank || !pack) this.headed = false;
      const value = values[this.at] as number;
      if (value !== value) continue;
      const place = (isBank ? OF_BANK[this.at] : OF_PACK[Math.floor(sample / labels.length)]) as number;
      const text = textOf(place, isBank ? "bank_" : "pack_");
      const name = nameOf(text);
      const lead = name + (isBank ? " " : (labels[pack] as string));
      const decimals = METRICS_TABLE.decimals[place] as number;
      const next = writeSample(
        into,
        at,
        this.headed ? lead : headOf(name, text) + lead,
        value,
        this.at ? decimals : decimals + SOC_DECIMALS,
      );
      if (next === at) break;
      at = next;
      this.headed = true;
    }
    return at;
  }

  private writeBits(into: Uint8Array, at: number): number {
    const { bits, labels } = this;
    const count = labels.length;
    const { labels: labelled, names } = METRICS_TABLE;
    for (; !this.done; this.at++) {
      const bit = this.at - this.values.length;
      const entry = Math.floor(bit / sets.MOST_ROWS);
      if (!(bit % (count * sets.MOST_ROWS))) this.headed = false;
      if (!bitOf(bits[entry] as number, bit % sets.MOST_ROWS)) continue;
      const place = OF_PACK_HOLDS[Math.floor(entry / count)] as number;
      const label = METRICS_TABLE.labelled[place] as number;
      const text = textOf(place, "pack_");
      const name = nameOf(text);
      const own = (labels[entry % count] as string).slice(0, -2);
      const lead = `${name}${own},${labelled[label]}="${names[label]?.[bit % sets.MOST_ROWS]}"} `;
      const next = writeSample(into, at, this.headed ? lead : headOf(name, text) + lead, 1, 0);
      if (next === at) break;
      at = next;
      this.headed = true;
    }
    return at;
  }
}
