/** A past in the partition "history", as the firmware would have recorded it: the same rings, bytes and events (docs/history.md). */
import { StoredEvents } from "../../src/events/stored-events";
import type { EventText } from "../../src/events/types";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { midnightOf, periodOf, type Zone } from "../../src/history/calendar";
import * as layout from "../../src/history/layout";
import { FINE_SECONDS, FULL_CHARGE, UNKNOWN_BYTE } from "../../src/history/limits";
import { RecordStore } from "../../src/history/record-store";
import { CELLS_FIELDS, DAY_FIELDS, FINE_FIELDS, HOUR_FIELDS } from "../../src/history/records";
import { type Field, offsetOf, ROW_LENGTH, store, storedAt, take, takeStored, write } from "flash-log/field";
import type { Ring } from "flash-log/ring";
import type { FlashArea } from "flash-log/types";
import { random, type Random } from "../bms/random";
import { PastBank, STEP, type PastPack } from "./bank";

/** Days that can be asked for: what the ring of days keeps. */
export const MAX_PAST_DAYS = 730;

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
  private events: StoredEvents;
  private time = 0;
  private end = 0;
  private bootedAt = 0;
  private restarts = 0;
  private alarm = false;
  /** Which pack has it. */
  private alarmed = 0;
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
    this.tellOnline(true);
    let silence = 0;
    for (; this.time < end; this.time += STEP) {
      this.turn();
      this.bank.step(this.time, this.time + options.offsetAt(this.time), this.time - begin);
      if (silence) {
        if (!--silence) this.tellOnline(true);
        continue;
      }
      if (this.random() < SILENCE || end - this.time === LAST_SILENCE) {
        silence = 1 + Math.floor(this.random() * LONGEST_SILENCE);
        this.tellOnline(false);
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
    if (random() < WRITE) {
      const value = random() < 0.5 ? "3.45" : "3.5";
      const pack = this.isBank ? (this.options.packs[Math.floor(random() * this.options.packs.length)] ?? "") : "";
      this.tell(`write\tcell_rcv_voltage\t${value}\tconfirmed\tV\t${pack}\tpage\t`, 400);
    }
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

  private get isBank(): boolean {
    return this.options.packs.length > 1;
  }

  /** As the recorder tells it (src/events/record.ts): of several packs, each. */
  private tellOnline(online: boolean, left?: number): void {
    const state = online ? "online" : "offline";
    if (!this.isBank) return this.tell(`bms-${state}`, left);
    for (const address of this.options.packs) this.tell(`pack-${state}\t${address}`, left);
  }

  private restart(restarts: number): void {
    this.events.flush();
    this.restarts = restarts;
    this.bootedAt = this.time + STEP - 60;
    this.events = this.boot();
    this.tell("started\t0.1.0\tsimulator", 60);
    this.tellOnline(true, 58);
  }

  private boot(): StoredEvents {
    const { restarts } = this;
    const [address = 1] = this.options.packs;
    return new StoredEvents({
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

  /** Closes finished slots and opens the next. */
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
    fine.fill(UNKNOWN_BYTE);
    const charge = Math.round(100 * mean(packs.map(({ charge }) => charge)));
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
    this.judge(low);
    const cool = Math.min(...packs.map(({ temperature }) => temperature));
    const warm = Math.max(...packs.map(({ temperature }) => temperature)) + 1.5;
    const spread = high.millivolts - low.millivolts;
    write(fine, 0, FINE_FIELDS.soc, charge);
    write(fine, 0, FINE_FIELDS.voltage, voltage);
    write(fine, 0, FINE_FIELDS.power, power);
    write(fine, 0, FINE_FIELDS.minPower, power - ripple);
    write(fine, 0, FINE_FIELDS.maxPower, power + ripple);
    write(fine, 0, FINE_FIELDS.minCellVoltage, low.millivolts);
    write(fine, 0, FINE_FIELDS.minCell, low.cell + 1);
    write(fine, 0, FINE_FIELDS.delta, spread);
    write(fine, 0, FINE_FIELDS.minTemperature, cool);
    write(fine, 0, FINE_FIELDS.maxTemperature, warm);
    fine[offsetOf(FINE_FIELDS.minutes)] = 0;
    write(fine, 0, FINE_FIELDS.minutes, STEP / 60);
    write(fine, 0, FINE_FIELDS.alarm, Number(this.alarm));
    write(fine, 0, FINE_FIELDS.relay, Number(power > 0));
    this.append(layout.FINE, fine, this.time);

    packs.forEach((pack, index) => this.addHour(pack, index));
    this.steps++;
    const energy = (power * STEP) / HOUR;
    this.charged += Math.max(0, energy);
    this.discharged += Math.max(0, -energy);
    take(day, 0, DAY_FIELDS.minSoc, charge);
    take(day, 0, DAY_FIELDS.maxSoc, charge);
    if (take(day, 0, DAY_FIELDS.minCellVoltage, low.millivolts)) {
      write(day, 0, DAY_FIELDS.minCell, low.cell + 1);
      store(day, 0, DAY_FIELDS.minCellPack, options.packs[low.pack] ?? 0);
    }
    if (take(day, 0, DAY_FIELDS.maxCellVoltage, high.millivolts)) {
      write(day, 0, DAY_FIELDS.maxCell, high.cell + 1);
      store(day, 0, DAY_FIELDS.maxCellPack, options.packs[high.pack] ?? 0);
    }
    const rests = packs.every(({ current }) => Math.abs(current) <= RESTING_AMPERES);
    take(day, 0, rests ? DAY_FIELDS.deltaAtRest : DAY_FIELDS.deltaUnderLoad, spread);
    take(day, 0, DAY_FIELDS.minTemperature, cool);
    take(day, 0, DAY_FIELDS.maxTemperature, warm);
    take(day, 0, DAY_FIELDS.cycles, this.cycles(packs[0]));
    takeStored(day, 0, DAY_FIELDS.alarms, this.alarm ? ALARM_BIT : 0);
    write(day, 0, DAY_FIELDS.tenMinutes, (storedAt(day, 0, DAY_FIELDS.tenMinutes) ?? 0) + 1);
    packs.forEach((pack, index) => {
      if (charge >= FULL_CHARGE && pack.current >= 0) this.full[index] = [...pack.cells];
      else if (rests) this.rest[index] = [...pack.cells];
    });
  }

  /** Raises the alarm, or clears it. */
  private judge({ millivolts, pack }: { readonly millivolts: number; readonly pack: number }): void {
    if (this.alarm ? millivolts < CELL_FINE : millivolts >= CELL_LOW) return;
    this.alarm = !this.alarm;
    if (this.alarm) this.alarmed = pack;
    const whose = this.isBank ? `\t${this.options.packs[this.alarmed]}` : "";
    this.tell(`${this.alarm ? "alarm-raised" : "alarm-cleared"}\t${ALARM}${whose}`);
  }

  private cycles(pack: PastPack | undefined): number {
    return Math.floor((pack?.discharged ?? 0) / this.options.capacity);
  }

  private addHour({ charge, current, cells, temperature }: PastPack, index: number): void {
    const record = this.hours[index] as Uint8Array;
    if (!this.steps) {
      record.fill(UNKNOWN_BYTE);
      record[offsetOf(HOUR_FIELDS.minutes)] = 0;
    }
    write(record, 0, HOUR_FIELDS.pack, this.options.packs[index] ?? 0);
    write(record, 0, HOUR_FIELDS.soc, 100 * charge);
    write(record, 0, HOUR_FIELDS.voltage, sum(cells));
    this.currents[index] = (this.steps ? (this.currents[index] ?? 0) : 0) + current;
    take(record, 0, HOUR_FIELDS.delta, Math.max(...cells) - Math.min(...cells));
    take(record, 0, HOUR_FIELDS.maxTemperature, temperature);
    take(record, 0, HOUR_FIELDS.alarm, Number(this.alarm));
    write(record, 0, HOUR_FIELDS.minutes, ((this.steps + 1) * STEP) / 60);
  }

  private endHour(): void {
    const { steps } = this;
    this.steps = 0;
    if (this.hour < 0 || !steps) return;
    this.hours.forEach((record, index) => {
      write(record, 0, HOUR_FIELDS.current, (1_000 * (this.currents[index] ?? 0)) / steps);
      this.append(layout.HOURS, record, this.hour * HOUR);
    });
  }

  private beginDay(): void {
    this.day.fill(UNKNOWN_BYTE);
    this.charged = this.discharged = 0;
  }

  private endDay(): void {
    const { day } = this;
    if (storedAt(day, 0, DAY_FIELDS.tenMinutes) === undefined) return;
    write(day, 0, DAY_FIELDS.charged, this.charged);
    write(day, 0, DAY_FIELDS.discharged, this.discharged);
    this.total.charged += Math.round(this.charged);
    this.total.discharged += Math.round(this.discharged);
    this.append(layout.DAYS, day, midnightOf(this.dayNumber, this.options));
  }

  private endPeriod(): void {
    const { packs } = this.options;
    const record = recordOf(layout.CELLS);
    const begun = midnightOf(this.period, this.options);
    packs.forEach((address, index) => {
      const pack = this.bank.packs[index] as PastPack;
      const rest = this.rest[index];
      const full = this.full[index];
      for (let first = 0; (rest ?? full) && first < pack.cells.length; first += ROW_LENGTH) {
        record.fill(UNKNOWN_BYTE);
        write(record, 0, CELLS_FIELDS.pack, address);
        write(record, 0, CELLS_FIELDS.firstCell, first + 1);
        writeCells(record, first, rest, CELLS_FIELDS.meanAtRest, CELLS_FIELDS.atRest);
        writeCells(record, first, full, CELLS_FIELDS.meanFull, CELLS_FIELDS.full);
        pack.cells.slice(first, first + ROW_LENGTH).forEach((_, cell) => {
          write(record, 0, CELLS_FIELDS.wires, 55 + ((first + cell) % 7) * 3, cell);
        });
        write(record, 0, CELLS_FIELDS.cycles, this.cycles(pack));
        write(record, 0, CELLS_FIELDS.capacityAh, 1_000 * this.bank.capacityOf(index));
        this.append(layout.CELLS, record, begun);
      }
    });
    this.rest.length = this.full.length = 0;
  }

  /** What the ring would push out anyway is not written. */
  private append(ring: number, record: Uint8Array, time: number): void {
    const { sectors, perSector } = this.store.rings[ring] as Ring;
    // Hours are each pack's, ten minutes the bank's.
    const step = ring === layout.FINE ? FINE_SECONDS : HOUR / this.options.packs.length;
    const kept = sectors * perSector * step;
    if (ring > layout.HOURS || this.end - time <= kept) this.store.append(ring, record, time, 0);
  }
}

const ALARM_BIT = 2 ** ALARMS_TABLE.findIndex(({ name }) => name === ALARM);

const recordOf = (ring: number): Uint8Array => new Uint8Array(layout.RINGS[ring]!.record).fill(UNKNOWN_BYTE);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

function writeCells(
  record: Uint8Array,
  first: number,
  cells: readonly number[] | undefined,
  meanField: Field,
  distances: Field,
): void {
  if (!cells) return;
  const middle = Math.round(mean(cells));
  write(record, 0, meanField, middle);
  cells.slice(first, first + ROW_LENGTH).forEach((millivolts, cell) => {
    write(record, 0, distances, millivolts - middle, cell);
  });
}
