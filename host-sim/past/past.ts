/** A past in the partition "history", as the firmware would have recorded it: the same rings, bytes and events (docs/history.md). */
import { KeptEvents } from "../../src/events/kept-events";
import type { EventText } from "../../src/events/types";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { midnightOf, periodOf, type Zone } from "../../src/history/calendar";
import * as layout from "../../src/history/layout";
import { toByte, toSigned, toWord, UNKNOWN_BYTE, UNKNOWN_LONG } from "../../src/history/layout";
import { FINE_SECONDS, FULL_CHARGE } from "../../src/history/limits";
import { RecordStore } from "../../src/history/record-store";
import type { Ring } from "flash-log/ring";
import type { FlashArea } from "flash-log/types";
import { random, type Random } from "../bms/random";
import { PastBank, STEP, type PastPack } from "./bank";

/** Days that can be asked for: what the ring of days keeps. */
export const MAX_PAST_DAYS = 1_500;

export interface PastOptions extends Zone {
  /** Complete days before today, 1 to MAX_PAST_DAYS. */
  readonly days: number;
  /** Seconds since 1970: the past ends with the last complete ten minutes before. */
  readonly now: number;
  readonly seed: number;
  /** Addresses of the packs. */
  readonly packs: readonly number[];
  readonly cells: number;
  /** Of a pack, Ah. */
  readonly capacity: number;
}

const HOUR = 3_600;
const DAY = 86_400;
const RESTING_AMPERES = 3;
/** Below it a cell raises the alarm; above it, it is over. */
const CELL_LOW = 2_900;
const CELL_FINE = 3_050;
const ALARM = "cell_undervoltage";

/** Chances in ten minutes. */
const POWER_CUT = 1 / (144 * 50);
const UPDATE = 1 / (144 * 70);
const CRASH = 1 / (144 * 250);
const SILENCE = 1 / (144 * 30);
const WRITE = 1 / (144 * 25);
const CHANGE = 1 / (144 * 60);
/** One silence is in what the ring of ten minutes keeps, so many seconds before the end. */
const LAST_SILENCE = 5 * DAY;
/** Hour after which no power cut comes: the rest of the day is still a record. */
const LATEST_CUT = 18;
/** Steps that a silence of the BMS takes at most. */
const LONGEST_SILENCE = 20;

/** Wh. */
interface Energy {
  readonly charged: number;
  readonly discharged: number;
}

/** Erases the rings and fills them. @returns the energy of all days that are over, and of the one that is not, counted since 1970 */
export function fillPast(
  flash: FlashArea,
  options: PastOptions,
): Energy & { readonly day: number; readonly today: Energy } {
  const store = new RecordStore(flash);
  store.discard();
  while (store.work());
  return new Past(store, options).run();
}

class Past {
  private readonly options: PastOptions;
  private readonly store: RecordStore;
  private readonly bank: PastBank;
  private readonly random: Random;
  private readonly fine = recordOf(layout.FINE);
  private readonly hours: readonly Uint8Array[];
  private readonly day = recordOf(layout.DAYS);
  /** By pack: the cells of that time at rest, and full. */
  private readonly rest: (readonly number[] | undefined)[] = [];
  private readonly full: (readonly number[] | undefined)[] = [];
  private events: KeptEvents;
  private time = 0;
  private end = 0;
  private bootedAt = 0;
  private restarts = 0;
  private alarm = false;
  private dayNumber = -1;
  private hour = -1;
  /** First day of the week or month of the cells. */
  private period = -1;
  /** Of the hour, by pack: sum of the current, and steps. */
  private currents: number[] = [];
  private steps = 0;
  private charged = 0;
  private discharged = 0;
  private readonly total = { charged: 0, discharged: 0 };

  constructor(store: RecordStore, options: PastOptions) {
    const { seed, packs, cells, capacity } = options;
    this.store = store;
    this.options = options;
    this.random = random(seed ^ 0x9e37);
    this.bank = new PastBank({ packs: packs.length, cells, capacity, random: random(seed), seed });
    this.hours = packs.map(() => recordOf(layout.HOURS));
    this.events = this.boot();
  }

  run(): ReturnType<typeof fillPast> {
    const { options } = this;
    const { days, now } = options;
    const today = Math.floor((now + options.offsetAt(now)) / DAY);
    const begin = midnightOf(today - days, options);
    const end = (this.end = Math.floor(now / FINE_SECONDS) * FINE_SECONDS);
    this.time = this.bootedAt = Math.ceil(begin / FINE_SECONDS) * FINE_SECONDS;
    this.tell("started\t0.1.0\tsimulator");
    this.tell("bms-online");
    let silence = 0;
    for (; this.time < end; this.time += STEP) {
      this.turn();
      this.bank.step(this.time, this.time + options.offsetAt(this.time), this.time - begin);
      if (silence) {
        if (!--silence) this.tell("bms-online");
        continue;
      }
      if (this.random() < SILENCE || end - this.time === LAST_SILENCE) {
        silence = 1 + Math.floor(this.random() * LONGEST_SILENCE);
        this.tell("bms-offline");
        continue;
      }
      this.step();
      this.befall();
    }
    this.turn();
    const { charged, discharged } = this;
    return {
      ...{ ...this.total, day: today },
      today: { charged: Math.round(charged), discharged: Math.round(discharged) },
    };
  }

  /** What may happen at any time. */
  private befall(): void {
    const { random } = this;
    const hour = ((this.time + this.options.offsetAt(this.time)) % DAY) / HOUR;
    if (random() < WRITE) this.tell(`write\tcell_rcv_voltage\t${random() < 0.5 ? "3.45" : "3.5"}\tconfirmed\t\tV`, 400);
    if (random() < CHANGE) this.tell("settings-changed\tmqtt", 300);
    if (random() < POWER_CUT && hour < LATEST_CUT) {
      // Takes what was not complete.
      this.hour = -1;
      this.beginDay();
      this.rest.length = this.full.length = 0;
      this.time += STEP * Math.floor(random() * 6);
      this.restart(0);
    } else if (random() < UPDATE) {
      this.tell("stopped", 120);
      this.restart(this.restarts + 1);
    } else if (random() < CRASH) {
      this.restart(this.restarts + 1);
      this.tell("crashed\tassertion failed", 58);
    }
  }

  private restart(restarts: number): void {
    this.events.flush();
    this.restarts = restarts;
    this.bootedAt = this.time + STEP - 60;
    this.events = this.boot();
    this.tell("started\t0.1.0\tsimulator", 60);
    this.tell("bms-online", 58);
  }

  private boot(): KeptEvents {
    const { restarts } = this;
    const [address = 1] = this.options.packs;
    return new KeptEvents({
      time: () => this.time + this.within,
      uptime: () => Math.max(0, this.time + this.within - this.bootedAt),
      start: { restarts },
      settings: { bms: { address } },
      records: this.store,
    });
  }

  /** Seconds into the step. */
  private within = 0;
  /** `left`: seconds to the end of the step. */
  private tell(text: EventText, left = STEP - 5): void {
    this.within = STEP - left;
    this.events.eventAdded(text);
    this.within = 0;
  }

  /** Ends what is over, and begins what comes. */
  private turn(): void {
    const { time, options } = this;
    const hour = Math.floor(time / HOUR);
    if (hour !== this.hour) {
      this.endHour();
      this.hour = hour;
    }
    const day = Math.floor((time + options.offsetAt(time)) / DAY);
    if (day === this.dayNumber) return;
    if (this.dayNumber >= 0) this.endDay();
    this.dayNumber = day;
    this.beginDay();
    const period = periodOf(day, options.packs.length);
    if (period === this.period) return;
    if (this.period >= 0) this.endPeriod();
    this.period = period;
  }

  private step(): void {
    const { bank, fine, day, options } = this;
    const { packs, power } = bank;
    const view = viewOf(fine);
    fine.fill(UNKNOWN_BYTE);
    const charge = toByte(100 * mean(packs.map(({ charge }) => charge)));
    const voltage = mean(packs.map(({ cells }) => sum(cells)));
    const ripple = (0.05 + 0.1 * this.random()) * Math.abs(power) + 20 * this.random();
    let low = { millivolts: Infinity, cell: 0, pack: 0 };
    let high = { millivolts: 0, cell: 0, pack: 0 };
    packs.forEach(({ cells }, pack) =>
      cells.forEach((millivolts, cell) => {
        if (millivolts < low.millivolts) low = { millivolts, cell, pack };
        if (millivolts > high.millivolts) high = { millivolts, cell, pack };
      }),
    );
    this.judge(low.millivolts);
    const cool = toByte(Math.min(...packs.map(({ temperature }) => temperature)) + layout.ZERO_DEGREES);
    const warm = toByte(Math.max(...packs.map(({ temperature }) => temperature)) + 1.5 + layout.ZERO_DEGREES);
    fine[layout.FINE_CHARGE] = charge;
    view.setUint16(layout.FINE_VOLTAGE, toWord(voltage / layout.VOLTAGE_MILLIVOLTS));
    const watts = 1_000 / layout.POWER_MILLIWATTS;
    view.setUint16(layout.FINE_MEAN, toSigned(power * watts));
    view.setUint16(layout.FINE_LEAST, toSigned((power - ripple) * watts));
    view.setUint16(layout.FINE_MOST, toSigned((power + ripple) * watts));
    view.setUint16(layout.FINE_LOWEST, toWord(low.millivolts));
    const spread = high.millivolts - low.millivolts;
    fine[layout.FINE_SPREAD] = toByte(spread / layout.SPREAD_MILLIVOLTS);
    fine[layout.FINE_COOLEST] = cool;
    fine[layout.FINE_WARMEST] = warm;
    fine[layout.FINE_STATE] = STEP / 60 + (this.alarm ? layout.HAD_ALARM : 0) + (power > 0 ? layout.RELAY_ON : 0);
    fine[layout.FINE_CELL] = low.cell + 1;
    this.append(layout.FINE, fine, this.time);

    packs.forEach((pack, index) => this.addHour(pack, index));
    this.steps++;
    const energy = (power * STEP) / HOUR;
    this.charged += Math.max(0, energy);
    this.discharged += Math.max(0, -energy);
    const days = viewOf(day);
    least(day, layout.DAY_LEAST_CHARGE, charge);
    most(day, layout.DAY_MOST_CHARGE, charge);
    if (low.millivolts < days.getUint16(layout.DAY_LOWEST)) {
      days.setUint16(layout.DAY_LOWEST, low.millivolts);
      day[layout.DAY_LOWEST_CELL] = low.cell + 1;
      day[layout.DAY_PACKS] = ((options.packs[low.pack] ?? 0) << 4) | (day[layout.DAY_PACKS]! & 0x0f);
    }
    const highest = days.getUint16(layout.DAY_HIGHEST);
    if (highest === layout.UNKNOWN_WORD || high.millivolts > highest) {
      days.setUint16(layout.DAY_HIGHEST, high.millivolts);
      day[layout.DAY_HIGHEST_CELL] = high.cell + 1;
      day[layout.DAY_PACKS] = (day[layout.DAY_PACKS]! & 0xf0) | (options.packs[high.pack] ?? 0);
    }
    const rests = packs.every(({ current }) => Math.abs(current) <= RESTING_AMPERES);
    most(day, rests ? layout.DAY_REST_SPREAD : layout.DAY_LOAD_SPREAD, fine[layout.FINE_SPREAD]);
    least(day, layout.DAY_COOLEST, cool);
    most(day, layout.DAY_WARMEST, warm);
    days.setUint16(layout.DAY_CYCLES, this.cycles(packs[0]));
    if (days.getUint32(layout.DAY_ALARMS) === UNKNOWN_LONG) days.setUint32(layout.DAY_ALARMS, 0);
    if (this.alarm) days.setUint32(layout.DAY_ALARMS, ALARM_BIT | days.getUint32(layout.DAY_ALARMS));
    day[layout.DAY_COVERED]!++;
    packs.forEach((pack, index) => {
      if (charge >= FULL_CHARGE && pack.current >= 0) this.full[index] = [...pack.cells];
      else if (rests) this.rest[index] = [...pack.cells];
    });
  }

  /** Raises the alarm, or clears it. */
  private judge(lowest: number): void {
    if (this.alarm ? lowest < CELL_FINE : lowest >= CELL_LOW) return;
    this.alarm = !this.alarm;
    this.tell(`${this.alarm ? "alarm-raised" : "alarm-cleared"}\t${ALARM}`);
  }

  private cycles(pack: PastPack | undefined): number {
    return toWord(Math.floor((pack?.discharged ?? 0) / this.options.capacity));
  }

  private addHour({ charge, current, cells, temperature }: PastPack, index: number): void {
    const record = this.hours[index] as Uint8Array;
    const view = viewOf(record);
    if (!this.steps) record.fill(UNKNOWN_BYTE);
    record[layout.HOUR_PACK] = this.options.packs[index] ?? 0;
    record[layout.HOUR_CHARGE] = toByte(100 * charge);
    view.setUint16(layout.HOUR_VOLTAGE, toWord(sum(cells) / layout.VOLTAGE_MILLIVOLTS));
    this.currents[index] = (this.steps ? (this.currents[index] ?? 0) : 0) + current;
    const spread = Math.max(...cells) - Math.min(...cells);
    const known = this.steps ? view.getUint16(layout.HOUR_SPREAD) : 0;
    view.setUint16(layout.HOUR_SPREAD, Math.max(known, toWord(spread)));
    most(record, layout.HOUR_WARMEST, toByte(temperature + layout.ZERO_DEGREES));
    const alarm = this.alarm || (this.steps && (record[layout.HOUR_STATE]! & layout.HOUR_ALARM) !== 0);
    record[layout.HOUR_STATE] = ((this.steps + 1) * STEP) / 60 + (alarm ? layout.HOUR_ALARM : 0);
  }

  private endHour(): void {
    const { steps } = this;
    this.steps = 0;
    if (this.hour < 0 || !steps) return;
    this.hours.forEach((record, index) => {
      const current = (1_000 * (this.currents[index] ?? 0)) / steps / layout.CURRENT_MILLIAMPERES;
      viewOf(record).setUint16(layout.HOUR_CURRENT, toSigned(current));
      this.append(layout.HOURS, record, this.hour * HOUR);
    });
  }

  private beginDay(): void {
    this.day.fill(UNKNOWN_BYTE);
    this.day[layout.DAY_COVERED] = 0;
    this.charged = this.discharged = 0;
  }

  private endDay(): void {
    const { day } = this;
    if (!day[layout.DAY_COVERED]) return;
    setLong24(day, layout.DAY_CHARGED, this.charged);
    setLong24(day, layout.DAY_DISCHARGED, this.discharged);
    this.total.charged += Math.round(this.charged);
    this.total.discharged += Math.round(this.discharged);
    this.append(layout.DAYS, day, midnightOf(this.dayNumber, this.options));
  }

  private endPeriod(): void {
    const { packs } = this.options;
    const record = recordOf(layout.CELLS);
    const view = viewOf(record);
    const begun = midnightOf(this.period, this.options);
    packs.forEach((address, index) => {
      const pack = this.bank.packs[index] as PastPack;
      const rest = this.rest[index];
      const full = this.full[index];
      for (let first = 0; (rest ?? full) && first < pack.cells.length; first += layout.CELLS_EACH) {
        record.fill(UNKNOWN_BYTE);
        record[layout.CELLS_PACK] = address;
        record[layout.CELLS_FIRST] = first;
        setCells(record, first, rest, layout.CELLS_REST, layout.CELLS_REST_EACH);
        setCells(record, first, full, layout.CELLS_FULL, layout.CELLS_FULL_EACH);
        pack.cells.slice(first, first + layout.CELLS_EACH).forEach((_, cell) => {
          record[layout.CELLS_WIRE_EACH + cell] = toByte(55 + ((first + cell) % 7) * 3);
        });
        view.setUint16(layout.CELLS_CYCLES, this.cycles(pack));
        const learned = 1_000 * this.bank.capacityOf(index);
        view.setUint16(layout.CELLS_CAPACITY, toWord(learned / layout.CAPACITY_MILLIAMPERE_HOURS));
        this.append(layout.CELLS, record, begun);
      }
    });
    this.rest.length = this.full.length = 0;
  }

  /** What the ring would push out anyway is not written. */
  private append(ring: number, record: Uint8Array, time: number): void {
    const { sectors, perSector } = this.store.rings[ring] as Ring;
    const kept = (sectors * perSector * (ring === layout.FINE ? FINE_SECONDS : HOUR)) / this.options.packs.length;
    if (ring > layout.HOURS || this.end - time <= kept) this.store.append(ring, record, time, 0);
  }
}

const ALARM_BIT = 2 ** ALARMS_TABLE.findIndex(({ name }) => name === ALARM);

const recordOf = (ring: number): Uint8Array => new Uint8Array(layout.RINGS[ring]!.record).fill(UNKNOWN_BYTE);
const viewOf = ({ buffer }: Uint8Array): DataView => new DataView(buffer);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

function least(record: Uint8Array, at: number, value: number): void {
  if (value < record[at]!) record[at] = value;
}
function most(record: Uint8Array, at: number, value: number): void {
  if (record[at] === UNKNOWN_BYTE || value > record[at]!) record[at] = value;
}
function setLong24(record: Uint8Array, at: number, value: number): void {
  const whole = Math.round(value);
  record[at] = whole >> 16;
  record[at + 1] = whole >> 8;
  record[at + 2] = whole;
}
function setCells(
  record: Uint8Array,
  first: number,
  cells: readonly number[] | undefined,
  meanAt: number,
  eachAt: number,
): void {
  if (!cells) return;
  const middle = Math.round(mean(cells));
  viewOf(record).setUint16(meanAt, toWord(middle));
  cells.slice(first, first + layout.CELLS_EACH).forEach((millivolts, cell) => {
    record[eachAt + cell] = toByte(millivolts - middle + layout.ZERO_DISTANCE);
  });
}
