/** How clients find and read SunSpec's models: the requests that pysunspec2 and gosunspec (evcc, mbmd) send, written from their sources. */
import { type ModbusClient, Refused } from "./modbus-client";
import { definitionOf, lengthOf, type Point } from "./sunspec";

export type Value = number | string | undefined;
export type Values = Readonly<Record<string, Value>>;

export interface ReadModel {
  readonly id: number;
  /** Of its ID. */
  readonly register: number;
  readonly length: number;
  readonly values: Values;
  readonly repeated: readonly Values[];
}

const SUNS = Buffer.from("SunS");
const END = 0xffff;
/** Of one request of pysunspec2's (sunspec2/device.py). */
const MOST = 123;
/** Registers up to the point that counts what is repeated (sunspec2/mdef.py). Others it counts by the length. */
const COUNTED: Readonly<Record<number, number>> = { 714: 5, 803: 3, 804: 4 };

/** The exception of the refusal. Throws if `reading` succeeds. */
export async function refusal(reading: Promise<unknown>): Promise<number> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Refused) return error.exception;
    throw error;
  }
  throw new Error("not refused");
}

/** Undefined: not implemented. */
function raw(words: Buffer, { offset, type, registers }: Point): Value {
  const at = 2 * offset;
  const bytes = words.subarray(at, at + 2 * registers);
  if (type === "string") return bytes.toString("latin1").replace(/\0+$/, "");
  if (type === "int16" || type === "sunssf") {
    const value = words.readInt16BE(at);
    return value === -0x8000 ? undefined : value;
  }
  if (bytes.every((byte) => byte === 0xff)) return undefined;
  return registers === 4 ? Number(words.readBigUInt64BE(at)) : words.readUIntBE(at, 2 * registers);
}

/** Values in their units. `factors`: where the scale factors are. */
function decode(words: Buffer, points: readonly Point[], factors: Values): Values {
  const values: Record<string, Value> = {};
  for (const point of points) {
    if (point.type === "pad") continue;
    const value = raw(words, point);
    const factor = point.factor ? factors[point.factor] : 0;
    values[point.name] =
      typeof value === "number" && typeof factor === "number" ? Number((value * 10 ** factor).toFixed(4)) : value;
    // A value that is implemented needs its scale.
    if (value !== undefined && factor === undefined) throw new Error(`${point.name} without ${point.factor}`);
  }
  return values;
}

/** A model from its ID on. */
export function model(words: Buffer, register: number): ReadModel {
  const id = words.readUInt16BE(0);
  const length = words.readUInt16BE(2);
  const { points, repeated } = definitionOf(id);
  const factors = Object.fromEntries(
    points.flatMap((point) => (point.type === "sunssf" ? [[point.name, raw(words, point)]] : [])),
  );
  const fixed = lengthOf(points);
  const each = lengthOf(repeated);
  const all: Values[] = [];
  for (let at = fixed; each && at < length + 2; at += each) all.push(decode(words.subarray(2 * at), repeated, factors));
  if (each ? (length + 2 - fixed) % each : length + 2 !== fixed) throw new Error(`${length} registers of ${id}`);
  return { id, register, length, values: decode(words, points, factors), repeated: all };
}

export interface Found {
  readonly id: number;
  readonly register: number;
  readonly length: number;
}

/**
 * pysunspec2's scan without values, which is ha-sunspec2's: reads IDs and lengths one by one, and of each model the rest up to the point that
 * counts what is repeated. Throws if the count contradicts the length, or is not implemented.
 */
export async function pysunspec2Scan(client: ModbusClient, unit: number): Promise<Found[]> {
  const base = await client.read(unit, 40_000, 3);
  if (!base.subarray(0, 4).equals(SUNS)) throw new Error("no SunS");
  const found: Found[] = [];
  let register = 40_002;
  for (let id = base.readUInt16BE(4); id !== END; id = (await client.read(unit, register, 1)).readUInt16BE(0)) {
    const length = (await client.read(unit, register + 1, 1)).readUInt16BE(0);
    const counted = COUNTED[id];
    if (counted) {
      const { points, repeated } = definitionOf(id);
      const count = (await client.read(unit, register + 2, counted - 2)).readUInt16BE(2 * (counted - 3));
      const expected = lengthOf(points) + count * lengthOf(repeated);
      if (expected !== length + 2) throw new Error(`${count} in ${length} registers of ${id}`);
    }
    found.push({ id, register, length });
    register += length + 2;
  }
  return found;
}

/** Lengths of its requests for a model: the longest of whole points. */
function piecesOf(id: number, length: number): number[] {
  if (length <= MOST) return [length];
  const { points, repeated } = definitionOf(id);
  const pieces = [0];
  for (let at = 0, of = points; at < length; at += lengthOf(of), of = repeated)
    for (const { registers } of of)
      if ((pieces.at(-1) as number) + registers > MOST) pieces.push(registers);
      else pieces.push((pieces.pop() as number) + registers);
  return pieces;
}

/** Its scan, then each model's values. */
export async function pysunspec2(client: ModbusClient, unit: number): Promise<ReadModel[]> {
  const models: ReadModel[] = [];
  for (const { id, register, length } of await pysunspec2Scan(client, unit)) {
    const pieces: Buffer[] = [];
    let at = register;
    for (const piece of piecesOf(id, length + 2)) {
      pieces.push(await client.read(unit, at, piece));
      at += piece;
    }
    const read = model(Buffer.concat(pieces), register);
    if (read.id !== id || read.length !== length) throw new Error(`${read.id} at ${register}`);
    models.push(read);
  }
  return models;
}

/** gosunspec: headers only, at 40000. Returns the register of each model's ID, and its length. */
export async function gosunspec(client: ModbusClient, unit: number): Promise<Map<number, readonly [number, number]>> {
  if (!(await client.read(unit, 40_000, 2)).equals(SUNS)) throw new Error("no SunS");
  const found = new Map<number, readonly [number, number]>();
  for (let register = 40_002; ;) {
    const head = await client.read(unit, register, 2);
    if (head.readUInt16BE(0) === END) return found;
    found.set(head.readUInt16BE(0), [register, head.readUInt16BE(2)]);
    register += 2 + head.readUInt16BE(2);
  }
}

/** evcc asks for each value by reading the whole block, without its head. */
export async function evccBlock(client: ModbusClient, unit: number, id: number): Promise<Values> {
  const [register = 0, length = 0] = (await gosunspec(client, unit)).get(id) ?? [];
  const head = Buffer.alloc(4);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(length, 2);
  return model(Buffer.concat([head, await client.read(unit, register + 2, length)]), register).values;
}
