/** A settings group: /web/group/<group>. */
import type { Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import { fail, reply } from "../endpoints/replies";
import { receiveMembers, type WriteRequest } from "../endpoints/write-request";
import type { Field, Fields, Values } from "../settings/field";
import GROUPS, { GROUP_NAMES } from "../settings/tables";
import type { GroupName } from "../settings/types";
import type { WebContext } from "./context";
import { MAX_GROUP_BODY, MAX_LONG_BODY } from "./limits";

export const GROUP_PATH = "/web/group/";
/** The query that asks for secrets as they are. */
export const SECRETS = "secrets=1";
const NO_GROUP = "There is no such group of settings.";

type Rows = Readonly<Record<string, Field>>;

function addNames(fields: Fields<unknown>, names: string[]): void {
  const rows = fields as Rows;
  for (const member in rows) {
    if (!names.includes(member)) names.push(member);
    const field = rows[member] as Field;
    if (field.kind === "record") addNames(field.fields, names);
    else if (field.kind === "list") for (const item of field.items) addNames(item, names);
  }
}

/** Accepts the members of a group, at all levels. */
function requestOf(group: GroupName): WriteRequest {
  const { fields, long } = GROUPS[group];
  const members: string[] = [];
  addNames(fields, members);
  const limit = long ? MAX_LONG_BODY : MAX_GROUP_BODY;
  return { form: false, members, limit, bodyError: "Invalid JSON: an object with settings.", fail };
}

/** The group named in the path; undefined after answering the request if there is none. */
function groupOf(context: WebContext, exchange: Exchange): GroupName | undefined {
  const path = exchange.path.slice(GROUP_PATH.length);
  // Not `GROUPS[path]`: a client's word would stay among XS's keys for ever (docs/xs.md).
  const group = GROUP_NAMES.find((name) => name === path);
  if (group && !GROUPS[group].hidden) return group;
  fail(context, exchange, 404, NO_GROUP);
  return undefined;
}

export function getGroup(context: WebContext<"settings">, exchange: Exchange): void {
  const group = groupOf(context, exchange);
  if (!group) return;
  const secrets = exchange.query === SECRETS;
  reply(context, exchange, 200, (json) => {
    json.boolean("success", true).open("data");
    writeFields(json, GROUPS[group].fields, context.device.settings[group] as unknown as Values, secrets);
    json.close();
  });
}

export function postGroup(context: WebContext<"settings">, exchange: Exchange): void {
  const group = groupOf(context, exchange);
  if (!group) return;
  receiveMembers(context, exchange, requestOf(group), (members) => {
    const change = known(GROUPS[group].fields, members) as Values;
    const problem = context.device.settings.update(group, change);
    if (problem) fail(context, exchange, 400, problem);
    else reply(context, exchange, 200, (json) => json.boolean("success", true));
  });
}

/** `given` without members that have no row. Unknown members are ignored in every body; some engines' parsers keep them. */
function known(fields: Fields<unknown>, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const rows = fields as Rows;
  const members = given as Values;
  const values: Values = {};
  for (const member in rows) {
    if (!Object.hasOwn(members, member)) continue;
    const field = rows[member] as Field;
    const value = members[member];
    if (field.kind === "record") values[member] = known(field.fields, value);
    else if (field.kind === "list" && Array.isArray(value))
      values[member] = value.map((item: unknown, at): unknown => {
        const row = field.items[field.open ? 0 : at];
        return row ? known(row, item) : item;
      });
    else values[member] = value;
  }
  return values;
}

function writeFields(json: JsonWriter, fields: Fields<unknown>, values: Values, secrets: boolean): void {
  const rows = fields as Rows;
  for (const member in rows) writeField(json, member, rows[member] as Field, values[member], secrets);
}

function writeField(json: JsonWriter, member: string, field: Field, value: unknown, secrets: boolean): void {
  switch (field.kind) {
    case "record":
      json.open(member);
      writeFields(json, field.fields, value as Values, secrets);
      json.close();
      break;
    case "list":
      json.openArray(member);
      (value as readonly Values[]).forEach((one, at) => {
        json.open();
        writeFields(json, field.items[field.open ? 0 : at] as Fields<unknown>, one, secrets);
        json.close();
      });
      json.closeArray();
      break;
    case "text":
      if (field.secret && !secrets) json.boolean(member, value !== "");
      else json.string(member, value as string);
      break;
    case "boolean":
    case "integer":
    case "number":
    case "choice":
      if (typeof value === "boolean") json.boolean(member, value);
      else if (typeof value === "number") json.number(member, value);
      else json.string(member, value as string);
  }
}
