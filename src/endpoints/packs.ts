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

const COMMA = 0x2c;

type Packs = readonly PackRecord[];

export const packsOf = ({ packs = [] }: Monitor): Packs => packs;

export function getPacks(context: Context<"monitor">, exchange: Exchange): void {
  new PackRows(context, exchange).respond();
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

function sum(json: JsonWriter, packs: Packs, row: TelemetryRow, name: string): number {
  let all = 0;
  for (const pack of packs) all += known(row, pack);
  put(json, name, all, row.quantity.decimals);
  return all;
}

function writeBank(json: JsonWriter, packs: Packs): void {
  const online = packs.filter((pack) => pack.online);
  json.integer("packs", packs.length).integer("online", online.length);
  json.boolean("complete", online.length === packs.length);
  let charge = 0;
  let volts = 0;
  for (const pack of packs) charge += known(SOC, pack) * known(CAPACITY, pack);
  for (const pack of online) volts += known(VOLTAGE, pack);
  const capacity = sum(json, packs, CAPACITY, "capacityAh");
  put(json, "soc", Math.round((charge / capacity) * 10 ** SOC_DECIMALS), SOC_DECIMALS);
  sum(json, packs, REMAINING, "remainingCapacityAh");
  // In parallel they have one voltage.
  put(json, "voltage", Math.round(volts / online.length), VOLTAGE.quantity.decimals);
  sum(json, packs, CURRENT, "current");
  sum(json, packs, POWER, "power");
  writeExtreme(json, packs, "minCell", [MIN_VOLTAGE], "voltage", MIN_CELL, -1);
  writeExtreme(json, packs, "maxCell", [MAX_VOLTAGE], "voltage", MAX_CELL);
  writeExtreme(json, packs, "maxDelta", [DELTA], "delta");
  writeExtreme(json, packs, "maxTemperature", ROWS.slice(PROBES), "temperature");
}

/** The greatest value, or with `sign` -1 the least, of the packs of which it is known, and whose it is. */
function writeExtreme(
  json: JsonWriter,
  packs: Packs,
  name: string,
  rows: readonly TelemetryRow[],
  member: string,
  cell?: TelemetryRow,
  sign = 1,
): void {
  let found: PackRecord | undefined;
  let best = -Infinity;
  for (const row of rows)
    for (const pack of packs) {
      const value = sign * known(row, pack);
      if (!(value > best)) continue;
      best = value;
      found = pack;
    }
  if (!found) return void json.null(name);
  json.open(name).integer("pack", found.identity.address);
  if (cell) put(json, "cell", known(cell, found));
  put(json, member, sign * best, rows[0]?.quantity.decimals);
  json.close();
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
  json.boolean("online", pack.online);
  put(json, "ageSeconds", pack.telemetryAge);
  for (let at = 0; at < SHOWN; at++) {
    const { path, quantity } = ROWS[at] as TelemetryRow;
    put(json, path.slice(path.indexOf(".") + 1), read(ROWS[at] as TelemetryRow, pack), quantity.decimals);
  }
}
