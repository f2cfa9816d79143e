import type { RefusalReason, WriteReport } from "../../../src/bms/outcomes";
import type { Monitor, Refusal, Writes } from "../../../src/bms/types";
import { DEVICE_INFO } from "jk-bms/types";
import { blockOf } from "jk-bms/fields";
import { findParameter as rowOf } from "../../../src/catalogue/parameters";
import {
  BALANCE_ENABLED,
  BLUETOOTH_NAME,
  BMS_UNAVAILABLE,
  COMMANDS,
  decimalText,
  type NumericParameter,
  NUMERIC_PARAMETERS,
  UNKNOWN_COMMAND,
  UNKNOWN_PARAMETER,
} from "../../api/documents";
import type { BusPack, Packs } from "../../../src/packs/types";
import { TestImage, TestMonitor } from "../bms/bms-link";
import { NONE, type Conditions } from "../../../src/conditions/set";
import { capture } from "../bms/captures";

/** A real pack (test/fixtures/captures/SOURCES.md), which docs/openapi.yaml shows as well. */
const PACK = "addr3_PB2A16S20P_15.41";
const FRAME_HEAD = 6;

/** Block `type` of the pack. */
function imageOf(type: number): TestImage {
  const image = new TestImage(true);
  const payload = capture(`dbus-sb_t0${type}_${PACK}`).subarray(FRAME_HEAD);
  new Uint8Array(image.view.buffer).set(payload.subarray(0, image.view.byteLength));
  image.valid = true;
  return image;
}

const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const BOOLEANS: Readonly<Record<string, number>> = { on: 1, true: 1, "1": 1, off: 0, false: 0, "0": 0 };

const same = (given: string, ...names: string[]): boolean => names.includes(given.trim().toLowerCase());

const known = (name: string, kind: string) => ({ name, quantity: { kind } });

/** Finds a parameter by canonical name or alias, as in the firmware's table. */
function findParameter(given: string): { name: string; quantity: { kind: string } } | undefined {
  if (same(given, BALANCE_ENABLED.name, BALANCE_ENABLED.alias)) return known(BALANCE_ENABLED.name, "boolean");
  if (same(given, BLUETOOTH_NAME.name, BLUETOOTH_NAME.alias)) return known(BLUETOOTH_NAME.name, "text");
  const parameter = NUMERIC_PARAMETERS.find(({ name, alias }) => same(given, name, alias));
  return parameter && known(parameter.name, parameter.kind);
}

/** A real pack as it was captured. */
export class FakePack extends TestMonitor {
  override readonly telemetry = imageOf(2);
  override readonly setup = imageOf(1);
  override readonly deviceInfo = imageOf(3);
  override systemLog: Uint8Array | undefined = capture("batmonfork_t05_systemlog_addr1").slice(6, 261);

  override get concerns(): Conditions {
    return NONE;
  }
}

/**
 * A monitor without a BMS that holds whatever is written to its pack, for tests of the interfaces only. It follows the contract's rules for
 * writes, so the whole walk can be checked without the real monitor.
 */
export class FakeMonitor implements Monitor, Writes {
  /** The only pack, unless a test adds others. */
  readonly pack = new FakePack();
  packs: Packs = [this.pack];
  readonly writes: Writes = this;
  listening = false;
  heard = 0;
  readonly search = undefined;
  readonly job = undefined;
  pending = false;
  last: WriteReport | undefined;
  /** The pack's settings by canonical name; numbers in the register's units. */
  readonly held = new Map<string, number | string>([
    ...NUMERIC_PARAMETERS.map(({ name, usual }) => [name, usual] as const),
    [BALANCE_ENABLED.name, 1],
    [BLUETOOTH_NAME.name, "JK-PB2A16S"],
    ...COMMANDS.map((name) => [name, 0] as const),
  ]);
  /** Called when a write has been queued; without it the write stays pending until `settle`. */
  onQueued: (() => void) | undefined;
  #waiting: { name: string; value: number | string } | undefined;

  constructor() {
    for (const [name, value] of this.held) this.#hold(name, value);
  }

  lastOf(): WriteReport | undefined {
    return this.last;
  }

  startSearch(): undefined {}

  parameterToAll(): undefined {}

  command(_pack: BusPack, name: string, state: boolean): Refusal | undefined {
    const known = COMMANDS.find((command) => same(name, command));
    if (known === undefined) return refusal("unknown", UNKNOWN_COMMAND);
    return this.#queue(known, state ? 1 : 0, false);
  }

  parameter(
    _pack: BusPack,
    given: { readonly name: string } | string,
    value: string | number | boolean,
  ): Refusal | undefined {
    const known = findParameter(typeof given === "string" ? given : given.name);
    if (!known) return refusal("unknown", UNKNOWN_PARAMETER);
    const raw = rawValue(known.name, value);
    return typeof raw === "object" ? raw : this.#queue(known.name, raw, true);
  }

  /** Confirms the pending write. */
  settle(): void {
    if (!this.#waiting) return;
    const { name, value } = this.#waiting;
    this.#waiting = undefined;
    this.pending = false;
    this.#hold(name, value);
    this.last = { name, value: String(value), unit: "", outcome: "confirmed", detail: "" };
  }

  #hold(name: string, value: number | string): void {
    this.held.set(name, value);
    const field = rowOf(name)?.source;
    if (field) (blockOf(field) === DEVICE_INFO ? this.pack.deviceInfo : this.pack.setup).set(field, value);
  }

  #queue(name: string, value: number | string, needsSetup: boolean): Refusal | undefined {
    if (!this.pack.online) return refusal("offline", BMS_UNAVAILABLE);
    if (needsSetup && !this.pack.configurationLoaded) return refusal("not-loaded", "Setup not loaded.");
    if (this.pending) return refusal("pending", "Another write is pending.");
    this.pending = true;
    this.#waiting = { name, value };
    this.onQueued?.();
    return undefined;
  }
}

function refusal(reason: RefusalReason, message: string): Refusal {
  return { reason, message };
}

function rawValue(name: string, value: string | number | boolean): number | string | Refusal {
  const text = String(value).trim();
  if (name === BLUETOOTH_NAME.name) {
    const valid = typeof value === "string" && /^[\x20-\x7e]{1,12}$/.test(value) && text !== "";
    return valid ? value : refusal("invalid", `${name}: 1 to 12 printable ASCII characters.`);
  }
  if (name === BALANCE_ENABLED.name)
    return BOOLEANS[text.toLowerCase()] ?? refusal("invalid", `${name}: on/off, true/false or 1/0.`);
  const row = NUMERIC_PARAMETERS.find((parameter) => parameter.name === name);
  if (!row) throw new Error(`no parameter ${name}`);
  const units = unitsOf(text, row);
  if (units !== undefined) return units;
  const range = `${decimalText(row.min, row.decimals)} to ${decimalText(row.max, row.decimals)}`;
  return refusal("invalid", `${name}: ${range} ${row.unit}.`);
}

/** Exact for any number of digits: checks the range, then rounds half away from zero. */
function unitsOf(text: string, { min, max, decimals, kind }: NumericParameter): number | undefined {
  const [, sign, whole = "", given = ""] = PLAIN_DECIMAL.exec(text) ?? [];
  if (whole === "") return undefined;
  const fraction = given.padEnd(decimals, "0");
  const finer = 10n ** BigInt(fraction.length - decimals);
  const magnitude = BigInt(whole + fraction);
  const value = sign === "-" ? -magnitude : magnitude;
  if (value < BigInt(min) * finer || value > BigInt(max) * finer) return undefined;
  if (kind === "integer" && magnitude % finer) return undefined;
  const units = Number((2n * magnitude + finer) / (2n * finer));
  return sign === "-" && units ? -units : units;
}
