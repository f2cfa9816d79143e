/** Generates web/tables.ts, web/setup-table.ts and web/past/tables.ts: only what the page needs of the firmware's tables. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import prettier from "prettier";
import { completeJson } from "../scripts/docs/generated.mjs";
import { esbuildPlatform, root } from "../host-sim/specifiers.mjs";

const ENTRY = `
export { setupRows, setupSwitches } from "./src/catalogue/setup.ts";
export { decimalsOf, unitOf } from "./modules/jk-bms/fields.ts";
export { PARAMETERS_TABLE } from "./src/catalogue/parameters.ts";
export { FURTHER_DEGREES } from "./src/catalogue/quantities.ts";
export { OUTPUT_TABLE, TELEMETRY_TABLE } from "./src/catalogue/telemetry.ts";
export { COMMANDS_TABLE } from "./src/catalogue/commands.ts";
export { ALARMS_TABLE } from "./src/catalogue/alarms.ts";
export { CONCERNS, DEVICE_CONDITIONS } from "./src/conditions/table.ts";
export { default as GROUPS } from "./src/settings/tables.ts";
export { SERVICES } from "notification-services/services";
export { RECORDS } from "./src/history/records.ts";
export { countOf, isBoolean } from "./modules/flash-log/field.ts";
`;

async function readTables() {
  const folder = await mkdtemp(join(tmpdir(), "tables-"));
  try {
    const { outputFiles } = await build({
      stdin: { contents: ENTRY, resolveDir: root, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      target: "node20",
      plugins: [esbuildPlatform],
    });
    const file = join(folder, "tables.mjs");
    await writeFile(file, outputFiles[0]?.contents ?? "");
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Forms show stored values; the device fills in defaults, and judges some texts alone. */
const withoutDefault = ({ default: _default, judge: _judge, ...field }) => field;
const withoutDefaults = (fields) =>
  Object.fromEntries(Object.entries(fields).map(([path, field]) => [path, withoutDefault(field)]));

/**
 * Fields of a group by path: `ssid`, `temperature.name`, `voltages.0.ratio`.
 * @returns {Record<string, any>}
 */
function flatten(fields, prefix = "") {
  /** @type {Record<string, any>} */
  const rows = {};
  for (const [member, field] of Object.entries(fields)) {
    const path = prefix + member;
    if (field.kind === "record") Object.assign(rows, flatten(field.fields, `${path}.`));
    else if (field.kind === "list")
      field.items.forEach((item, at) => Object.assign(rows, flatten(item, `${path}.${at}.`)));
    else rows[path] = field;
  }
  return rows;
}

const TYPES = { number: "number", integer: "number", text: "string", boolean: "boolean" };

/** Type members of a document; null: unknown. @param further the quantity of what may be left out */
const members = (table, further = undefined) =>
  table
    .map(({ path, quantity }) => {
      const type = path === "online" ? "boolean" : `${TYPES[quantity.kind]} | null`;
      return `  readonly ${path.split(".").at(-1)}${quantity === further ? "?" : ""}: ${type};`;
    })
    .join("\n");

/** Type of `data` in /web/status, without the cells. */
function statusType(table, further) {
  const objects = [
    ...new Set(
      table
        .map(({ path }) => path.split("."))
        .filter(({ length }) => length > 1)
        .map(([object]) => object),
    ),
  ];
  const of = (object) => table.filter(({ path }) => path.startsWith(`${object}.`));
  return `${members(table.filter(({ path }) => !path.includes(".")))}
${objects.map((object) => `  readonly ${object}: {\n${members(of(object), further)}\n  };`).join("\n")}`;
}

const union = (names) => [...new Set(names)].map((name) => `  | ${JSON.stringify(name)}`).join("\n");
const rows = (list) => `[\n${list.map((row) => `  ${completeJson("web/tables.ts", row)},`).join("\n")}\n]`;

const formatted = async (path, source) =>
  prettier.format(source, { ...(await prettier.resolveConfig(root + path)), parser: "typescript" });

/** Generates the text of web/past/tables.ts: the fields of `records`, and as what the page reads them. */
export async function recordsModule(records = undefined) {
  const { RECORDS, countOf, isBoolean } = await readTables();
  const list = /** @type {import("../modules/flash-log/field").RecordTable[]} */ (records ?? RECORDS);
  const typeOf = (field) => (isBoolean(field) ? "boolean | undefined" : "number | undefined");
  const memberType = (field) => (countOf(field) ? `readonly (${typeOf(field)})[]` : typeOf(field));
  const typeName = (name) => `${name[0].toUpperCase()}${name.slice(1)}Values`;
  const source = `// Made by web/build.mjs from src/history/records.ts: not to be edited.
import type { Field } from "../../modules/flash-log/field";

/** A kind of record, whose fields have these values. */
export interface Table<Values> {
  /** Bytes of a record. */
  readonly bytes: number;
  readonly fields: { readonly [Name in keyof Values]: Field };
}
${list
  .map(
    ({ name, bytes, fields }) => `
/** In the units of GET /api/history; undefined: unknown. */
export interface ${typeName(name)} {
${Object.entries(fields)
  .map(([key, field]) => `  readonly ${key}: ${memberType(field)};`)
  .join("\n")}
}
export const ${name.toUpperCase()}: Table<${typeName(name)}> = ${JSON.stringify({ bytes, fields })};
`,
  )
  .join("")}`;
  return formatted("web/past/tables.ts", source);
}

/** Generates the text of web/setup-table.ts: the settings of a pack that can be read only. */
export async function setupModule() {
  const { COMMANDS_TABLE, PARAMETERS_TABLE, decimalsOf, setupRows, setupSwitches, unitOf } = await readTables();
  const written = PARAMETERS_TABLE.map(({ source }) => source);
  const readOnly = setupRows()
    .filter(([, field]) => !written.includes(field))
    .map(([name, field]) => ({ name, decimals: unitOf(field) === "A" ? 1 : decimalsOf(field), unit: unitOf(field) }));
  const commanded = COMMANDS_TABLE.map(({ writable }) => writable.mask);
  const readOnlySwitches = setupSwitches().filter((_, bit) => !commanded.includes(1 << bit));
  const source = `// Made by web/build.mjs from src/catalogue/setup.ts: not to be edited.
/** Settings of the pack that can be read only. */
export type ReadOnlySetting =
${union(readOnly.map(({ name }) => name))};

export const READ_ONLY: readonly { readonly name: ReadOnlySetting; readonly decimals: number; readonly unit: string }[] = ${rows(readOnly)};

export type ReadOnlySwitch =
${union(readOnlySwitches)};

export const READ_ONLY_SWITCHES: readonly ReadOnlySwitch[] = ${JSON.stringify(readOnlySwitches)};
`;
  return formatted("web/setup-table.ts", source);
}

/** Generates the text of web/tables.ts. */
export async function tablesModule() {
  const {
    FURTHER_DEGREES,
    TELEMETRY_TABLE,
    OUTPUT_TABLE,
    PARAMETERS_TABLE,
    COMMANDS_TABLE,
    ALARMS_TABLE,
    CONCERNS,
    DEVICE_CONDITIONS,
    GROUPS,
    SERVICES,
  } = await readTables();
  /** @type {[name: string, fields: Record<string, any>][]} */
  const groups = Object.entries(GROUPS)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, { fields }]) => [name, flatten(fields)]);
  const words = groups.flatMap(([group, fields]) =>
    Object.entries(fields).map(([path, field]) => [`${group}.${path.replace(/\.\d+/g, "")}`, field]),
  );
  const choices = words.flatMap(([word, { kind, choices }]) =>
    kind === "choice" ? choices.map((choice) => `${word}.${choice}`) : [],
  );
  const defaultNames = groups
    .filter(([name]) => name !== "device")
    .flatMap(([, fields]) => Object.values(fields).filter(({ rule }) => rule === "name"))
    .map((field) => field.default);
  /** @type {Record<string, string>} */
  const forms = Object.fromEntries(
    groups.flatMap(([group, fields]) => Object.values(fields).map(({ form = group }) => [form, group])),
  );
  /** The services that use a member of a target. */
  const kindsWith = (member) =>
    Object.entries(SERVICES)
      .filter(
        ([, { url, needs, takes }]) => (member === "url" && url) || needs.includes(member) || takes.includes(member),
      )
      .map(([kind]) => kind);
  const source = `// Made by web/build.mjs from the firmware's tables: not to be edited.
import type { BooleanField, ChoiceField, NumberField, TextField } from "../src/settings/field";

type Bare<T> = Omit<T, "default">;
export type FormField = Bare<BooleanField> | Bare<NumberField> | Bare<ChoiceField> | Bare<TextField>;

export type ParameterName =
${union(PARAMETERS_TABLE.map(({ name }) => name))};

/** The objects of the configuration document. */
export type ParameterObject =
${union(PARAMETERS_TABLE.map(({ path }) => path.split(".")[0]))};

export interface ParameterRow {
  readonly name: ParameterName;
  readonly kind: "number" | "integer" | "boolean" | "text";
  /** Inclusive, in units of 10 ** -decimals; of a text, characters. */
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
  readonly unit: string;
  readonly object: ParameterObject;
  readonly member: string;
}

export const PARAMETERS: readonly ParameterRow[] = ${rows(
    PARAMETERS_TABLE.map(({ name, path, quantity: { kind, min, max, decimals, unit } }) => {
      const [object, member] = path.split(".");
      return { name, kind, min, max, decimals, unit, object, member };
    }),
  )};

export type CommandName =
${union(COMMANDS_TABLE.map(({ name }) => name))};

export const COMMANDS: readonly CommandName[] = ${JSON.stringify(COMMANDS_TABLE.map(({ name }) => name))};

export type AlarmName =
${union(ALARMS_TABLE.map(({ name }) => name))};

export interface AlarmRow {
  readonly name: AlarmName;
  readonly fault: boolean;
}

/** By the bit of the alarm word. */
export const ALARMS: readonly AlarmRow[] = ${rows(ALARMS_TABLE.map(({ name, fault }) => ({ name, fault })))};

/** Codes of what needs attention. */
export type ConcernCode =
${union(CONCERNS)};

/** The same of the device itself. */
export type DeviceConcernCode =
${union(DEVICE_CONDITIONS)};

/** Last reported telemetry; null: never reported, or not available. */
export interface Telemetry {
${statusType(TELEMETRY_TABLE, FURTHER_DEGREES)}
}

/** The actual states reported by the BMS, as opposed to the configured ones. */
export interface Outputs {
${members(OUTPUT_TABLE)}
}

export type GroupName =
${union(groups.map(([name]) => name))};

/** Path of a setting without list indices: the same name for each item of a list. */
export type FieldName =
${union(words.map(([word]) => word))};

export type ChoiceName =
${union(choices)};

/** Default names of relay and inputs. */
export type DefaultName =
${union(defaultNames)};

/** A form of the page, and the group of which it shows members. */
export const FORMS = ${JSON.stringify(forms)} as const satisfies Readonly<Record<string, GroupName>>;
export type FormName = keyof typeof FORMS;

/** The services of notifications that use a member of a target. */
export const USED_BY = ${JSON.stringify(Object.fromEntries(["url", "channel", "token"].map((member) => [member, kindsWith(member)])))} as const;

/** The values of each group by path. */
export const GROUPS: Readonly<Record<GroupName, Readonly<Record<string, FormField>>>> = {
${groups.map(([name, fields]) => `  ${name}: ${JSON.stringify(withoutDefaults(fields))},`).join("\n")}
};
`;
  return formatted("web/tables.ts", source);
}
