import type { RefusalReason } from "../../../src/bms/outcomes";
import type { Monitor, Refusal, Writes } from "../../../src/bms/types";
import type { BlockImage } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import {
  BALANCE_ENABLED,
  BLUETOOTH_NAME,
  BMS_UNAVAILABLE,
  COMMANDS,
  decimalText,
  type NumericSetting,
  NUMERIC_SETTINGS,
  UNKNOWN_COMMAND,
  UNKNOWN_SETTING,
} from "../../api/documents";
import { reference } from "../peers/openapi";

const NOTHING: BlockImage = { view: new DataView(new ArrayBuffer(0)), littleEndian: false, valid: false };
const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const BOOLEANS: Readonly<Record<string, number>> = { on: 1, true: 1, "1": 1, off: 0, false: 0, "0": 0 };

const same = (given: string, ...names: string[]): boolean => names.includes(given.trim().toLowerCase());

const known = (name: string, kind: string) => ({ name, quantity: { kind } });

/** Finds a setting by canonical name or alias, as in the firmware's table. */
function findSetting(given: string): { name: string; quantity: { kind: string } } | undefined {
  if (same(given, BALANCE_ENABLED.name, BALANCE_ENABLED.alias)) return known(BALANCE_ENABLED.name, "boolean");
  if (same(given, BLUETOOTH_NAME.name, BLUETOOTH_NAME.alias)) return known(BLUETOOTH_NAME.name, "text");
  const setting = NUMERIC_SETTINGS.find(({ name, alias }) => same(given, name, alias));
  return setting && known(setting.name, setting.kind);
}

/**
 * A monitor without a BMS that holds whatever it is given, for tests of the REST interface only. It follows the documents' rules, so the
 * whole walk can be checked without the real monitor.
 */
export class FakeMonitor implements Monitor, Writes {
  readonly telemetry = NOTHING;
  readonly settings = NOTHING;
  readonly deviceInfo = NOTHING;
  readonly writes: Writes = this;
  online = true;
  configurationLoaded = true;
  pending = false;
  lastCommand = "";
  lastCommandOk = false;
  readonly last = undefined;
  readonly concerns = 0;
  /** The pack's settings by canonical name; numbers in the register's units. */
  readonly held = new Map<string, number | string>([
    ...NUMERIC_SETTINGS.map(({ name, usual }) => [name, usual] as const),
    [BALANCE_ENABLED.name, 1],
    [BLUETOOTH_NAME.name, "JK-PB2A16S"],
    ...COMMANDS.map((name) => [name, 0] as const),
  ]);
  /** Called when a write has been queued; without it the write stays pending until `settle`. */
  onQueued: (() => void) | undefined;
  #waiting: { name: string; value: number | string } | undefined;

  command(name: string, state: boolean): Refusal | undefined {
    const known = COMMANDS.find((command) => same(name, command));
    if (known === undefined) return refusal("unknown", UNKNOWN_COMMAND);
    return this.#queue(known, state ? 1 : 0, false);
  }

  setting(given: { readonly name: string } | string, value: string | number | boolean): Refusal | undefined {
    const known = findSetting(typeof given === "string" ? given : given.name);
    if (!known) return refusal("unknown", UNKNOWN_SETTING);
    const raw = rawValue(known.name, value);
    return typeof raw === "object" ? raw : this.#queue(known.name, raw, true);
  }

  /** Confirms the pending write. */
  settle(): void {
    if (!this.#waiting) return;
    const { name, value } = this.#waiting;
    this.#waiting = undefined;
    this.pending = false;
    this.held.set(name, value);
    this.lastCommand = `${name} written.`;
    this.lastCommandOk = true;
  }

  #queue(name: string, value: number | string, needsSetup: boolean): Refusal | undefined {
    if (!this.online) return refusal("offline", BMS_UNAVAILABLE);
    if (needsSetup && !this.configurationLoaded) return refusal("not-loaded", "Setup not loaded.");
    if (this.pending) return refusal("pending", "Another write is pending.");
    this.pending = true;
    this.#waiting = { name, value };
    this.onQueued?.();
    return undefined;
  }

  readonly writeSummary = (json: JsonWriter): void => this.#write(json, exampleOf("Summary")["bms"] as Json);

  /** The age of the data is not the monitor's to write. */
  readonly writeStatus = (json: JsonWriter): void =>
    this.#write(json, { ...exampleOf("Status"), ageSeconds: undefined });

  #write(json: JsonWriter, example: Json): void {
    writeMembers(json, { ...example, online: this.online, name: this.held.get(BLUETOOTH_NAME.name) });
  }

  readonly writeConfiguration = (json: JsonWriter): void => {
    json.boolean("loaded", this.configurationLoaded);
    for (const object of ["battery", "balance", "protections", "temperature"]) {
      json.open(object);
      for (const { name, decimals, member, object: owner } of NUMERIC_SETTINGS)
        if (owner === object) json.decimal(member, this.held.get(name) as number, decimals);
      if (object === BLUETOOTH_NAME.object)
        json.string(BLUETOOTH_NAME.member, this.held.get(BLUETOOTH_NAME.name) as string);
      if (object === BALANCE_ENABLED.object)
        json.boolean(BALANCE_ENABLED.member, this.held.get(BALANCE_ENABLED.name) === 1);
      json.close();
    }
  };
}

function refusal(reason: RefusalReason, message: string): Refusal {
  return { reason, message };
}

type Json = { readonly [name: string]: string | number | boolean | Json | readonly Json[] | undefined };

/** `data` of the response's example in docs/openapi.yaml. */
function exampleOf(response: "Summary" | "Status"): Json {
  const [example] = Object.values(
    reference.components.responses[response]?.content?.["application/json"]?.examples ?? {},
  );
  return (example?.value as { data: Json }).data;
}

function writeMembers(json: JsonWriter, members: Json): void {
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (typeof value === "string") json.string(name, value);
    else if (typeof value === "number") json.number(name, value);
    else if (typeof value === "boolean") json.boolean(name, value);
    else if (Array.isArray(value)) {
      json.openArray(name);
      for (const item of value as readonly Json[]) writeObject(json.open(), item);
      json.closeArray();
    } else writeObject(json.open(name), value as Json);
  }
}

function writeObject(json: JsonWriter, members: Json): void {
  writeMembers(json, members);
  json.close();
}

function rawValue(name: string, value: string | number | boolean): number | string | Refusal {
  const text = String(value).trim();
  if (name === BLUETOOTH_NAME.name) {
    const valid = typeof value === "string" && /^[\x20-\x7e]{1,12}$/.test(value) && text !== "";
    return valid ? value : refusal("invalid", `${name}: 1 to 12 printable ASCII characters.`);
  }
  if (name === BALANCE_ENABLED.name)
    return BOOLEANS[text.toLowerCase()] ?? refusal("invalid", `${name}: on/off, true/false or 1/0.`);
  const row = NUMERIC_SETTINGS.find((setting) => setting.name === name);
  if (!row) throw new Error(`no setting ${name}`);
  const units = unitsOf(text, row);
  if (units !== undefined) return units;
  const range = `${decimalText(row.min, row.decimals)} to ${decimalText(row.max, row.decimals)}`;
  return refusal("invalid", `${name}: ${range} ${row.unit}.`);
}

/** Exact for any number of digits: checks the range, then rounds half away from zero. */
function unitsOf(text: string, { min, max, decimals, kind }: NumericSetting): number | undefined {
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
