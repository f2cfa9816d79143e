/**
 * Faults at random in the registers, on the wire and in the cables of eight packs, beside a receiver at every interface: each that lasts for longer
 * than its row's hold is told by each of them, once, with its end; one that is shorter by none, and nothing else is.
 */
import { strict as assert } from "node:assert";
import { serialNumberAt, type SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { ALARMS_TABLE, faultsIn } from "../../src/catalogue/alarms";
import { hasAny, NONE, plus, without, type Conditions } from "../../src/conditions/set";
import { ALARM, SWAPPED } from "../../src/conditions/rows";
import { bit, CONCERNS, EVENTS, holdOf, MESSAGES, type Concern } from "../../src/conditions/table";
import { SETUP_PERIOD, LINK_QUALITY_PERIOD, LINK_QUALITY_PERIODS } from "../../src/packs/limits";
import { Random } from "../fuzz/random";
import { Told, type There } from "../support/conditions/told";

const PACKS = 8;
const CELLS = 16;
const HOUR = 3_600;
const SECOND = 1_000;
/** ms between two polls of a pack: half of the usual ones. */
const INTERVAL = 2_000;
/** Virtual seconds between two looks; also the least time between two faults that begin. */
const LOOK = 30;
/** Records of a code that the store takes in an hour, less what comes with a fault. */
const MOST_AN_HOUR = 6;
/** Of the 40 messages of a day: each fault that is a message takes two, and may bring another one. */
const MOST_MESSAGES = 34;
const DAY = 24;

interface Fault {
  readonly begin: (pack: SimulatedBms) => void;
  readonly end: (pack: SimulatedBms) => void;
  /** What else is true then. */
  readonly also?: readonly Concern[];
  /** It is found so many seconds after it began, and as many after its end. */
  readonly lag?: number;
  /** A message of its own is sent, beside that of its row. */
  readonly sends?: boolean;
  /** For so many seconds after its end what else is true comes and goes. */
  readonly echo?: number;
}

const register = (name: string, bad: number, good: number): Fault => ({
  begin: ({ registers }) => registers.write(name, bad),
  end: ({ registers }) => registers.write(name, good),
});
const cells =
  (first: number, others = first) =>
  ({ registers }: SimulatedBms): void => {
    for (let cell = 0; cell < CELLS; cell++) registers.write("CellVol", cell ? others : first, cell);
    registers.write("BatVol", first + (CELLS - 1) * others);
  };
const charge =
  (percent: number) =>
  ({ registers }: SimulatedBms): void => {
    registers.write("SOC", percent);
    registers.write("SOCCapRemain", (Number(registers.read("SOCFullChargeCap")) * percent) / 100);
  };
const named =
  (prefix: string) =>
  ({ registers }: SimulatedBms): void => {
    const address = registers.read("DevAddr");
    registers.writeText("SerialNumber", `${prefix ? `${prefix}${address}` : serialNumberAt(address)}\x00000`);
  };
/** The link is judged by so many seconds. */
const QUALITY = (LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD) / SECOND + 60;
/** Loses one in so many requests, of which each is answered when it is repeated. */
const lossy = (one: number, also: readonly Concern[]): Fault => ({
  begin({ faults }) {
    let asked = 0;
    faults.add({ kind: "no-answer", matching: () => ++asked % one === 0 });
  },
  end: ({ faults }) => faults.clear(),
  lag: QUALITY,
  also,
});
/** Settings are read that often. */
const READ = SETUP_PERIOD / SECOND + 60;

/** Without those that take the whole bank, or a start, to come about: test/system/bank-concerns.test.ts has them. */
const FAULTS: Readonly<Partial<Record<Concern, Fault>>> = {
  offline: {
    begin: (pack) => pack.setOnline(false),
    end: (pack) => pack.setOnline(true),
    also: ["link-weak"],
    echo: QUALITY,
    sends: true,
  },
  alarm: register("Alarms", 1 << 11, 0),
  emergency: register("TimeEmergency", 600, 0),
  "sensors-ignored": { ...register("Switches", 1 << 1, 0), lag: READ },
  "cell-high": { begin: cells(3_640), end: cells(3_300), also: ["off-voltage"] },
  "cell-low": { begin: cells(2_610), end: cells(3_300), also: ["off-voltage"] },
  "temperature-high": { ...register("TempBat1", 780, 200), sends: true },
  "temperature-low": register("TempBat1", 20, 200),
  "discharging-off": { ...register("BatDisChargeEN", 0, 1), lag: READ },
  "discharging-blocked": register("DischargeMos", 0, 1),
  "charging-off": { ...register("BatChargeEN", 0, 1), lag: READ },
  "charging-blocked": register("ChargeMos", 0, 1),
  "low-charge": { begin: charge(3), end: charge(60), sends: true },
  spread: { begin: cells(3_000, 3_443), end: cells(3_300), also: ["off-voltage"] },
  wires: register("CellWireResSta", 1, 0),
  link: lossy(3, ["link-weak"]),
  "link-weak": lossy(6, []),
  contradiction: { ...register("BatVol", 40_000, CELLS * 3_300), also: ["off-voltage"] },
  "off-voltage": { begin: cells(3_330), end: cells(3_300) },
  "limits-differ": { ...register("VolCellOV", 3_600, 3_650), lag: READ, sends: true },
  "cells-differ": { ...register("CellCount", CELLS - 1, CELLS), lag: READ },
  swapped: { begin: named("OTHER"), end: named(""), lag: 120 },
};
const CODES = Object.keys(FAULTS) as Concern[];

const isIn = (bits: Conditions, code: Concern): boolean => hasAny(bits, bit(code));
const holdOfCode = (code: Concern): number => holdOf(CONCERNS.indexOf(code));

/** A fault of a pack, from its beginning to its end, virtual seconds. */
interface Had {
  readonly at: number;
  readonly code: Concern;
  readonly began: number;
  readonly until: number;
  /** Long enough to be told. */
  readonly counts: boolean;
}

/** As events, by code and pack: whichever their event is. */
interface Event {
  readonly time: number;
  readonly at: number;
  readonly code: string;
  readonly how: "raised" | "cleared";
}

export interface Reported {
  /** Faults that lasted, and those that were too short. */
  readonly faults: number;
  readonly short: number;
  /** Lines by interface. */
  readonly lines: Readonly<Record<string, number>>;
  /** How often all interfaces were asked what there is. */
  readonly looks: number;
  readonly byCode: Readonly<Record<string, number>>;
}

/** Alike, at rest, half full and well. */
function prepare(pack: SimulatedBms): void {
  cells(3_300)(pack);
  charge(60)(pack);
  for (const name of ["Alarms", "BatCurrent", "BatWatt"]) pack.registers.write(name, 0);
  for (const name of ["TempBat1", "TempBat2", "TempMos"]) pack.registers.write(name, 200);
}

/** Throws what was told wrongly. */
export async function reportFaults(hours: number, seed: number): Promise<Reported> {
  const random = new Random(seed);
  const bench = new Told();
  const problems: string[] = [];
  const had: Had[] = [];
  const events: Event[] = [];
  const lines: Record<string, number> = {};
  const told: Record<string, Map<string, number>> = {};
  let looks = 0;
  await bench.start(PACKS, prepare, INTERVAL);
  try {
    const { board, firmware } = bench.system;
    const now = (): number => board.clock.now / SECOND;
    /** What the log says that there is. */
    const there: There[] = Array.from({ length: PACKS }, () => ({ bits: NONE, word: 0 }));
    firmware.events.observe({
      eventAdded(text) {
        const [event = "", ...parameters] = text.split("\t");
        const found = eventOf(event, parameters);
        if (!found) return;
        const { at, code, how } = found;
        events.push({ time: now(), at, code, how });
        const { bits, word } = there[at]!;
        const alarm = ALARMS_TABLE.findIndex(({ name }) => name === code);
        const mask = alarm < 0 ? bit(code as Concern) : NONE;
        const next = alarm < 0 ? word : how === "raised" ? word | (1 << alarm) : word & ~(1 << alarm);
        const own = how === "raised" ? plus(bits, mask) : without(bits, mask);
        there[at] = { bits: faultsIn(next) ? plus(own, ALARM) : without(own, ALARM), word: next };
      },
    });
    await bench.pass(2 * LOOK);
    await bench.told();
    const active: Had[] = [];
    const begun: number[] = [];
    let changed = now();
    const end = now() + hours * HOUR;
    const settle = 25 * 60;
    while (now() < end + settle) {
      for (const one of [...active])
        if (now() >= one.until) {
          FAULTS[one.code]!.end(bench.packs[one.at]!);
          // Its end is no event.
          if (one.code === "swapped")
            there[one.at] = { bits: without(there[one.at]!.bits, SWAPPED), word: there[one.at]!.word };
          active.splice(active.indexOf(one), 1);
          changed = now();
        }
      const recent = begun.filter((time) => time > now() - HOUR).length;
      if (now() < end && recent < MOST_AN_HOUR && random.below(10) === 0) {
        const next = draw(random, bench, had, now());
        if (next) {
          FAULTS[next.code]!.begin(bench.packs[next.at]!);
          had.push(next);
          active.push(next);
          if (next.counts) begun.push(now());
          changed = now();
        }
      }
      await bench.pass(active.some(({ counts }) => !counts) ? 1 : LOOK);
      for (const [name, said] of Object.entries(await bench.told())) {
        lines[name] = (lines[name] ?? 0) + said.length;
        for (const line of said) (told[name] ??= new Map<string, number>()).set(line, (told[name].get(line) ?? 0) + 1);
      }
      // What there is, when nothing has changed for longer than any hold.
      const calm = now() - Math.max(changed, events.at(-1)?.time ?? 0);
      const isKnown = had.every(({ code, began, until }) => {
        const { lag = 0, echo = 0 } = FAULTS[code]!;
        const since = active.some((one) => one.until === until) ? began : until;
        return now() - since > Math.max(lag, echo) + holdOfCode(code) + 2 * LOOK;
      });
      if (calm < 4 * LOOK || calm >= 5 * LOOK || !isKnown) continue;
      looks++;
      const said = await bench.said();
      const right = bench.right(there);
      for (const [name, words] of Object.entries(right))
        if (said[name]!.join("\n") !== words.join("\n"))
          problems.push(`at ${now()}: ${name} says ${said[name]!.join(", ")}, not ${words.join(", ")}`);
    }
    problems.push(...compare(had, events), ...agree(events, told), ...trapsOf(bench, events));
    const byCode: Record<string, number> = {};
    for (const { code, counts } of had) if (counts) byCode[code] = (byCode[code] ?? 0) + 1;
    assert.deepEqual(problems, []);
    const faults = had.filter(({ counts }) => counts).length;
    return { faults, short: had.length - faults, lines, looks, byCode };
  } finally {
    bench.stop();
  }
}

/** The condition, or alarm, that began or ended. */
function eventOf(event: string, parameters: readonly string[]): Omit<Event, "time"> | undefined {
  const [name = "", pack] = parameters;
  if (/^(alarm|condition)-/.test(event))
    return { at: Number(pack) - 1, code: name, how: event.endsWith("raised") ? "raised" : "cleared" };
  if (event === "pack-swapped") return { at: Number(name) - 1, code: "swapped", how: "raised" };
  if (event === "pack-offline") return { at: Number(name) - 1, code: "offline", how: "raised" };
  if (event === "pack-online") return { at: Number(name) - 1, code: "offline", how: "cleared" };
  return undefined;
}

/** A fault of a pack that has had none for a while, and not this one for longer; undefined: not now. */
function draw(random: Random, bench: Told, had: readonly Had[], now: number): Had | undefined {
  const at = random.below(PACKS);
  const code = CODES[random.below(CODES.length)]!;
  const { lag = 0, also = [], sends = false } = FAULTS[code]!;
  const said = [code, ...also];
  const hold = holdOfCode(code);
  const own = had.filter((one) => one.at === at);
  const rest = (one: Had): number => Math.max(FAULTS[one.code]!.lag ?? 0, FAULTS[one.code]!.echo ?? 0) + 5 * 60;
  const isSaid = (one: Had): boolean =>
    [one.code, ...(FAULTS[one.code]!.also ?? [])].some((each) => said.includes(each));
  if (own.some((one) => now < one.until + rest(one))) return undefined;
  if (own.some((one) => isSaid(one) && now < one.until + HOUR)) return undefined;
  const isMessage = sends || said.some((one) => isIn(plus(MESSAGES, ALARM), one));
  if (isMessage && bench.sent > MOST_MESSAGES * Math.ceil((now + 1) / HOUR / DAY)) return undefined;
  const isShort = hold >= 10 && !lag && !also.length && random.below(3) === 0;
  const lasts = isShort ? hold / 2 : lag + hold + 60 + random.below(180);
  return { at, code, began: now, until: now + lasts, counts: !isShort };
}

/** What the log says of the faults that there were. */
function compare(had: readonly Had[], events: readonly Event[]): string[] {
  const problems: string[] = [];
  const explained = new Set<Event>();
  for (const { at, code, began, until, counts } of had) {
    const { also = [], lag = 0 } = FAULTS[code]!;
    const last = until + lag + 20 * 60;
    const own = events.filter((event) => event.at === at && event.time >= began && event.time <= last);
    const name = code === "alarm" ? "cell_undervoltage" : code;
    const seen = own.filter((event) => event.code === name && !explained.has(event)).slice(0, 2);
    const wanted = !counts || code === "swapped" ? ["raised"].slice(Number(!counts)) : ["raised", "cleared"];
    const hows = seen.map(({ how }) => how);
    if (hows.join() !== wanted.join())
      problems.push(`pack ${at + 1} had ${code} from ${began} to ${until}: ${hows.join()}`);
    for (const event of own) if (event.code === name || also.includes(event.code as Concern)) explained.add(event);
  }
  for (const event of events)
    if (!explained.has(event))
      problems.push(`pack ${event.at + 1} had no ${event.code}: ${event.how} at ${event.time}`);
  return problems;
}

/** The interfaces have told the same as the log, each line as often. */
function agree(events: readonly Event[], told: Readonly<Record<string, ReadonlyMap<string, number>>>): string[] {
  const problems: string[] = [];
  for (const [name, lines] of Object.entries(told)) {
    // A trap has all codes of a pack, and those that have not lasted yet: see below.
    if (name === "SNMP's traps") continue;
    const right = new Map<string, number>();
    for (const { at, code, how } of events) {
      const isAlarm = ALARMS_TABLE.some((row) => row.name === code);
      const isMessage = name === "messages";
      if (!isAlarm && !isIn(isMessage ? MESSAGES : EVENTS, code as Concern)) continue;
      const line = `${isAlarm ? "alarm" : "condition"}-${how} ${code} ${at + 1}`;
      right.set(line, (right.get(line) ?? 0) + 1);
    }
    const found = new Map<string, number>([...right.keys()].map((line) => [line, 0]));
    for (const [line, count] of lines) {
      // Reminders, and the end of a swap, which is no event.
      if (line.includes("-again ") || line.startsWith("condition-cleared swapped")) continue;
      const [, event = "", code = "", packs = ""] = /^(?:\d )?(\S+) (\S+) (\S+)$/.exec(line) ?? [];
      for (const pack of packs.split(",")) {
        const key = `${event} ${code} ${pack}`;
        found.set(key, (found.get(key) ?? 0) + count);
      }
    }
    for (const [line, count] of found)
      if (count !== (right.get(line) ?? 0)) problems.push(`${name}: ${line}: ${count} times, not ${right.get(line)}`);
  }
  return problems;
}

/** A trap for each change of a pack's conditions, and for each of an alarm. */
function trapsOf({ addresses, receivers: { traps } }: Told, events: readonly Event[]): string[] {
  return addresses.flatMap((address, at) => {
    const own = events.filter((event) => event.at === at);
    const isAlarm = ({ code }: Event): boolean => ALARMS_TABLE.some(({ name }) => name === code);
    const alarms = own.filter(isAlarm).length;
    const conditions = own.filter((event) => !isAlarm(event) && isIn(EVENTS, event.code as Concern));
    const changes = new Set(conditions.map(({ time }) => time)).size;
    const sent = traps.filter(({ pack = 1 }) => pack === address);
    const told = sent.filter(({ what }) => what === "conditions").length;
    return told === changes && sent.length - told === alarms
      ? []
      : [`SNMP's traps of pack ${address}: ${told} and ${sent.length - told}, not ${changes} and ${alarms}`];
  });
}
