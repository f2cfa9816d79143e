/** GET /api/packs: the bank, and each of its packs in short. */
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import type { JsonWriter } from "json/writer";
import type { Monitor } from "../bms/types";
import { alarmBits } from "../catalogue/alarms";
import { read } from "../catalogue/read";
import type { Value } from "../catalogue/row";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import type { PackRecord } from "../packs/pack-record";
import type { Context } from "./context";
import { fail, reply } from "./replies";
import { Stepped } from "./stepped";

/** What is shown of each pack, by the members of these paths; then what else the bank needs. */
export const ROWS: readonly TelemetryRow[] = Object.freeze(
  "model info.serialNumber soc pack.voltage pack.current pack.power alarmCode cellsSummary.minCell cellsSummary.minVoltage cellsSummary.maxCell cellsSummary.maxVoltage cellsSummary.delta capacityAh remainingCapacityAh temperatures.battery1 temperatures.battery2"
    .split(" ")
    .map(telemetryRow),
  true,
);
export const SHOWN = 12;
type R = TelemetryRow;
const [, , SOC, VOLTAGE, CURRENT, POWER, , MIN_CELL, MIN_VOLTAGE, MAX_CELL, MAX_VOLTAGE, DELTA, CAPACITY, REMAINING] =
  ROWS as unknown as readonly [R, R, R, R, R, R, R, R, R, R, R, R, R, R];
const PROBES = 14;
const SOC_DECIMALS = 1;
/** Decimals of a temperature. */
const TENTHS = 1;

const COMMA = 0x2c;

type Packs = readonly PackRecord[];

export const packsOf = ({ packs = [] }: Monitor): Packs => packs;

export function getPacks(context: Context<"monitor">, exchange: Exchange): void {
  new PackRows(context, exchange).respond();
}

const NOT_SWAPPED = "No other pack than expected answers at this address.";

/** POST /api/packs/{address}/accept: the pack that answers there belongs there from now on. */
export function postAccept(context: Context<"acceptPack">, exchange: Exchange): void {
  const { device, pack } = context;
  if (pack && device.acceptPack?.(pack)) reply(context, exchange, 200, (json) => json.boolean("success", true));
  else fail(context, exchange, 409, NOT_SWAPPED);
}

/** The bank's values, its alarms and each pack are a piece each. */
class PackRows extends Stepped {
  private readonly packs: Packs;
  private readonly json: JsonWriter;
  private piece = -2;

  constructor(context: Context<"monitor">, exchange: Exchange) {
    super(context, exchange, { answers: 0 });
    const { device } = context;
    this.packs = packsOf(device.monitor);
    this.json = device.json;
  }

  protected look(): boolean {
    return false;
  }

  protected write(into: Uint8Array): number {
    const { packs, json } = this;
    const at = this.piece++;
    if (at === -2) {
      const start = writeText(into, 0, '{"success":true,"data":{"bank":');
      writeBank(json.begin(into.subarray(start)).open(), packs);
      // Its end is left out: the alarms follow.
      return start + json.end();
    }
    if (at === -1) return writeAlarms(into, packs);
    if (at > packs.length) return 0;
    if (at === packs.length) return writeText(into, 0, "]}}");
    if (at) into[0] = COMMA;
    const start = at ? 1 : 0;
    writePack(json.begin(into.subarray(start)).open(), packs[at] as PackRecord);
    return start + json.close().end();
  }
}

/** Null: unknown, which a sum of something unknown is too. */
function put(json: JsonWriter, name: string, value: Value | undefined, decimals = 0): void {
  if (typeof value === "string") json.string(name, value);
  else if (typeof value === "number" && value === value) json.decimal(name, value, decimals);
  else json.null(name);
}

const known = (row: TelemetryRow, pack: PackRecord): number => (read(row, pack) as number | undefined) ?? NaN;

/** The greatest of a value, or with `sign` -1 the least, of the packs of which it is known, and whose it is. */
class Extreme {
  private value: number | undefined;
  private pack = 0;
  private cell: number | undefined;

  take(pack: PackRecord, row: TelemetryRow, cell?: TelemetryRow, sign = 1): void {
    const value = known(row, pack);
    if (!(sign * value > (this.value === undefined ? -Infinity : sign * this.value))) return;
    this.value = value;
    this.pack = pack.identity.address;
    if (cell) this.cell = known(cell, pack);
  }

  write(json: JsonWriter, name: string, member: string, decimals: number): void {
    const { cell, value } = this;
    if (value === undefined) return void json.null(name);
    json.open(name).integer("pack", this.pack);
    if (cell !== undefined) json.integer("cell", cell);
    json.decimal(member, value, decimals).close();
  }
}

/** One pack after the other: the blocks of all but the first are unpacked into the same buffers. */
function writeBank(json: JsonWriter, packs: Packs): void {
  let online = 0;
  let volts = 0;
  let charge = 0;
  let capacity = 0;
  let remaining = 0;
  let current = 0;
  let power = 0;
  const [lowest, highest, widest, hottest] = [new Extreme(), new Extreme(), new Extreme(), new Extreme()];
  for (const pack of packs) {
    const ampereHours = known(CAPACITY, pack);
    capacity += ampereHours;
    charge += known(SOC, pack) * ampereHours;
    remaining += known(REMAINING, pack);
    current += known(CURRENT, pack);
    power += known(POWER, pack);
    if (!pack.online) continue;
    online++;
    volts += known(VOLTAGE, pack);
    lowest.take(pack, MIN_VOLTAGE, MIN_CELL, -1);
    highest.take(pack, MAX_VOLTAGE, MAX_CELL);
    widest.take(pack, DELTA);
    for (let at = PROBES; at < ROWS.length; at++) hottest.take(pack, ROWS[at] as TelemetryRow);
  }
  json
    .integer("packs", packs.length)
    .integer("online", online)
    .boolean("complete", online === packs.length);
  put(json, "soc", Math.round((charge / capacity) * 10 ** SOC_DECIMALS), SOC_DECIMALS);
  put(json, "capacityAh", capacity, CAPACITY.quantity.decimals);
  put(json, "remainingCapacityAh", remaining, REMAINING.quantity.decimals);
  // In parallel they have one voltage.
  put(json, "voltage", Math.round(volts / online), VOLTAGE.quantity.decimals);
  put(json, "current", current, CURRENT.quantity.decimals);
  put(json, "power", power, POWER.quantity.decimals);
  lowest.write(json, "minCell", "voltage", VOLTAGE.quantity.decimals);
  highest.write(json, "maxCell", "voltage", VOLTAGE.quantity.decimals);
  widest.write(json, "maxDelta", "delta", VOLTAGE.quantity.decimals);
  hottest.write(json, "maxTemperature", "temperature", TENTHS);
}

/** Also ends the bank and begins the packs. */
function writeAlarms(into: Uint8Array, packs: Packs): number {
  let text = "";
  for (const pack of packs) {
    const alarmCode = alarmBits(pack);
    if (alarmCode) text += `${text && ","}{"pack":${pack.identity.address},"alarmCode":${alarmCode}}`;
  }
  return writeText(into, 0, `,"alarms":[${text}]},"packs":[`);
}

function writePack(json: JsonWriter, pack: PackRecord): void {
  const { address, name } = pack.identity;
  json.integer("address", address).string("name", name);
  json.boolean("online", pack.online).boolean("swapped", pack.isSwapped);
  put(json, "ageSeconds", pack.telemetryAge);
  for (let at = 0; at < SHOWN; at++) {
    const { path, quantity } = ROWS[at] as TelemetryRow;
    put(json, path.slice(path.indexOf(".") + 1), read(ROWS[at] as TelemetryRow, pack), quantity.decimals);
  }
}
