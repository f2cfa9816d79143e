import type { RefusalReason } from "../../src/bms/outcomes";
import type { Monitor, Refusal, Writes } from "../../src/bms/types";
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
} from "../api/documents";

const NOTHING: BlockImage = { view: new DataView(new ArrayBuffer(0)), littleEndian: false, valid: false };
const CELLS = 16;
const PLAIN_DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;
const BOOLEANS: Readonly<Record<string, number>> = { on: 1, true: 1, "1": 1, off: 0, false: 0, "0": 0 };

const same = (given: string, ...names: string[]): boolean => names.includes(given.trim().toLowerCase());

const known = (name: string, kind: string) => ({ name, quantity: { kind } });

/** Finds a setting by canonical name or alias, as in the firmware's table. */
export function findSetting(given: string): { name: string; quantity: { kind: string } } | undefined {
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
  readonly setup = NOTHING;
  readonly deviceInfo = NOTHING;
  readonly writes: Writes = this;
  online = true;
  configurationLoaded = true;
  pending = false;
  lastCommand = "";
  lastCommandOk = false;
  readonly last = undefined;
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

  readonly writeSummary = (json: JsonWriter): void => {
    json.boolean("online", this.online);
    json.string("name", String(this.held.get(BLUETOOTH_NAME.name)));
    json.string("model", "JK_PB2A16S20P").string("batteryType", "LiFePO4");
    json.integer("cellCount", CELLS).integer("soc", 55);
    json.decimal("capacityAh", 280_000, 3).decimal("remainingCapacityAh", 155_219, 3);
    json.integer("alarmCode", 0);
    writePack(json);
  };

  readonly writeStatus = (json: JsonWriter): void => {
    this.writeSummary(json);
    json.integer("cycles", 62).decimal("cycleCapacityAh", 17_414_022, 3).integer("stateOfHealth", 100);
    json.integer("runtimeSeconds", 48_570_884).decimal("averageCellVoltage", 3293, 3);
    json.integer("detailLogsCount", 2320).integer("timeEnterSleepSeconds", 86_400).integer("emergencyTimeSeconds", 0);
    json.open("info").integer("maxCells", CELLS).string("hardwareVersion", "15A").string("softwareVersion", "15.41");
    json.string("serialNumber", "000000000000").string("manufactureDate", "240115");
    json.integer("totalRuntimeSeconds", 48_570_884).integer("powerOnTimes", 7).close();
    json.open("cellsSummary").decimal("minVoltage", 3293, 3).integer("minCell", 1);
    json.decimal("maxVoltage", 3294, 3).integer("maxCell", CELLS).decimal("delta", 1, 3).close();
    json.open("temperatures").decimal("mosfet", 203, 1).decimal("battery1", 195, 1).decimal("battery2", 0, 1).close();
    json.openArray("cells");
    for (let number = 1; number <= CELLS; number++) {
      json
        .open()
        .integer("number", number)
        .decimal("voltage", number === CELLS ? 3294 : 3293, 3);
      json.integer("wireResistanceMilliOhm", 50 + number).close();
    }
    json.closeArray();
  };

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

function writePack(json: JsonWriter): void {
  json.open("pack").decimal("voltage", 52_695, 3).decimal("current", -1500, 3).decimal("power", -7904, 2).close();
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
