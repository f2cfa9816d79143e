/** GET /api/packs: the bank, and each of its packs in short. */
import type { Exchange } from "http-server/types";
import { serialNumber } from "jk-bms/field-table";
import { writeText } from "json/bytes";
import type { JsonWriter } from "json/writer";
import type { Monitor } from "../bms/types";
import { alarmBits } from "../catalogue/alarms";
import { writeConcerns } from "../conditions/table";
import { read, readLast } from "../catalogue/read";
import type { Value } from "../catalogue/row";
import { telemetryRow, type TelemetryRow } from "../catalogue/telemetry";
import {
  AMPERE_HOURS,
  bankOf,
  CHARGE,
  concernsOfAny,
  HIGHEST,
  HOTTEST,
  LOWEST,
  POWER,
  ROWS,
  SOC_DECIMALS,
  WIDEST,
} from "../packs/bank";
import type { BusPack } from "../packs/types";
import { writeConditions, type Told } from "./conditions";
import type { Context } from "./context";
import { fail, put, reply, SUCCESS } from "./replies";
import { Stepped } from "./stepped";

/** Decimals of a temperature, of power, and of what else is measured. */
const TENTHS = 1;
const CENTI = 2;
const MILLI = 3;

/** The members from AMPERE_HOURS on. */
const SUMS: readonly string[] = Object.freeze("capacityAh remainingCapacityAh voltage current power".split(" "), true);

/** What is last known of a pack that is offline. */
export const LAST: readonly TelemetryRow[] = Object.freeze(
  "soc pack.voltage capacityAh".split(" ").map(telemetryRow),
  true,
);

type Packs = readonly BusPack[];

/** The pack that a path ("2") or a query ("pack=2", behind its prefix) names; undefined: there is none. */
export const packAt = ({ packs }: Pick<Monitor, "packs">, name: string | undefined, prefix = ""): BusPack | undefined =>
  packs.find(({ identity }) => name === `${prefix}${identity.address}`);

/** Addresses of the packs that another master is answered by, and that the settings do not have. */
export function heardBeside({ packs, heard }: Monitor): readonly number[] {
  const addresses: number[] = [];
  for (let address = 0; heard >> address; address++)
    if ((heard >> address) & 1 && !packs.some(({ identity }) => identity.address === address)) addresses.push(address);
  return addresses;
}

export function getPacks(context: Context<Told | "monitor">, exchange: Exchange): void {
  new PackRows(context, exchange).respond();
}

const NOT_SWAPPED = "No other pack than expected answers at this address.";

/** POST /api/packs/{address}/accept: the pack that answers there belongs there from now on. */
export function postAccept(context: Context<"acceptPack">, exchange: Exchange): void {
  const { device, pack } = context;
  if (device.acceptPack?.(pack)) reply(context, exchange, 200, (json) => json.members(SUCCESS));
  else fail(context, exchange, 409, NOT_SWAPPED);
}

/** The verdict on the bank, its values, its alarms, the verdict on each pack, and its values with its conditions are a piece each, of many conditions several. */
class PackRows extends Stepped {
  declare protected readonly context: Context<Told | "monitor">;
  private readonly packs: Packs;
  private readonly heard: readonly number[];
  private readonly json: JsonWriter;
  private piece = -3;
  /** Which condition of the pack is next; undefined: the verdict is. */
  private condition: number | undefined;

  constructor(context: Context<Told | "monitor">, exchange: Exchange) {
    super(context, exchange);
    const { device } = context;
    this.packs = device.monitor.packs;
    this.heard = heardBeside(device.monitor);
    this.json = device.json;
  }

  protected write(into: Uint8Array): number {
    const { packs, json } = this;
    if (this.condition !== undefined) return this.writeRest(into, packs[this.piece] as BusPack, this.condition);
    const at = this.piece++;
    if (at < -1) {
      // Its end is left out: the alarms follow.
      if (at === -2) writeValues(json.begin(into, true), packs);
      else writeVerdict(json.begin(into).open().members(SUCCESS).open("data").open("bank"), packs);
      return json.end();
    }
    if (at === -1) return writeAlarms(into, packs);
    if (at > packs.length) return 0;
    if (at === packs.length) return writeText(into, 0, `],"heard":[${this.heard.join()}]}}`);
    this.piece = at;
    this.condition = 0;
    const pack = packs[at] as BusPack;
    const { address, name } = pack.identity;
    json
      .begin(into, at > 0)
      .open()
      .integer("address", address)
      .string("name", name);
    json.boolean("online", pack.online).boolean("swapped", pack.isSwapped).boolean("shared", pack.isContested);
    put(json, "ageSeconds", pack.telemetryAge);
    writeConcerns(json, pack.concerns);
    // Its end is left out: the rest follows.
    return json.end();
  }

  /** Also ends the pack. */
  private writeRest(into: Uint8Array, pack: BusPack, at: number): number {
    const { context, json } = this;
    json.begin(into, true);
    if (!at) {
      for (const row of ROWS) {
        const value = context.byLink && row.source === serialNumber ? undefined : read(row, pack);
        putRow(json, row, value);
      }
      if (pack.online || !pack.telemetry.valid) json.null("last");
      else {
        json.open("last");
        for (const row of LAST) putRow(json, row, readLast(row, pack));
        json.close();
      }
      json.openArray("conditions");
    }
    const next = writeConditions(json, context.device, pack, at);
    this.condition = next || undefined;
    if (next) return json.end();
    this.piece++;
    return json.closeArray().close().end();
  }
}

const putRow = (json: JsonWriter, { path, quantity }: TelemetryRow, value: Value | undefined): void =>
  put(json, path.slice(path.indexOf(".") + 1), value, quantity.decimals);

/** The greatest or least of a value, and whose it is. */
function putExtreme(json: JsonWriter, values: readonly number[], at: number, name: string, member: string): void {
  const value = values[at] as number;
  if (value !== value) return void json.null(name);
  json.open(name).integer("pack", values[at + 1] as number);
  if (at < WIDEST) json.integer("cell", values[at + 2] as number);
  json.decimal(member, value, at === HOTTEST ? TENTHS : MILLI).close();
}

/** Writes the members of the bank. */
export function writeBank(json: JsonWriter, packs: Packs): void {
  writeVerdict(json, packs);
  writeValues(json, packs);
}

function writeVerdict(json: JsonWriter, packs: Packs): void {
  const online = packs.filter((pack) => pack.online).length;
  json
    .integer("packs", packs.length)
    .integer("online", online)
    .boolean("complete", online === packs.length);
  writeConcerns(json, concernsOfAny(packs));
}

function writeValues(json: JsonWriter, packs: Packs): void {
  const values = bankOf(packs);
  put(json, "soc", values[CHARGE], SOC_DECIMALS);
  for (let at = AMPERE_HOURS; at < LOWEST; at++)
    put(json, SUMS[at - AMPERE_HOURS] as string, values[at], at === POWER ? CENTI : MILLI);
  putExtreme(json, values, LOWEST, "minCell", "voltage");
  putExtreme(json, values, HIGHEST, "maxCell", "voltage");
  putExtreme(json, values, WIDEST, "maxDelta", "delta");
  putExtreme(json, values, HOTTEST, "maxTemperature", "temperature");
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
