/** /web/status: the document of the REST face, and what only the page shows. */
import type { Exchange } from "http-server/types";
import { FIELDS, readRaw, type Field } from "jk-bms/fields";
import { TELEMETRY } from "jk-bms/types";
import { writableByName } from "jk-bms/writes";
import type { JsonWriter } from "json/writer";
import { COMMANDS_TABLE } from "../bms/commands-table";
import type { Monitor } from "../bms/types";
import { reply } from "../resources/replies";
import type { WebContext } from "./context";

export function getStatus(context: WebContext, exchange: Exchange): void {
  reply(context, exchange, 200, (json) => {
    const { monitor } = context;
    json.boolean("success", true).open("data");
    context.writeStatus(json, monitor);
    json.close().open("bms");
    const { age } = monitor;
    if (age === undefined) json.null("age");
    else json.decimal("age", age, 3);
    if (monitor.telemetry.valid) writeOutputs(json, monitor);
    if (monitor.configurationLoaded) writeSwitches(json, monitor);
    json.close();
  });
}

/** What the BMS does, as against what it is told to do. */
function writeOutputs(json: JsonWriter, { telemetry }: Monitor): void {
  const raw = (field: Field): number => readRaw(telemetry, field);
  json.boolean("charging", raw(FIELDS.chargeMos) !== 0).boolean("discharging", raw(FIELDS.dischargeMos) !== 0);
  json.boolean("balancing", raw(FIELDS.balanceState) !== 0);
  json.decimal("balanceCurrent", raw(FIELDS.balanceCurrent), FIELDS.balanceCurrent.decimals);
  json.integer("wireAlarms", raw(FIELDS.wireResistanceAlarms));
  json.integer("probes", raw(FIELDS.temperatureSensors));
}

/** The commands as they are set. */
function writeSwitches(json: JsonWriter, { setup, telemetry }: Monitor): void {
  json.open("switches");
  for (const { name, write } of COMMANDS_TABLE) {
    const { kind, field, mask } = writableByName(write);
    const image = field.block === TELEMETRY ? telemetry : setup;
    if (!image.valid) continue;
    const raw = readRaw(image, field);
    json.boolean(name, (kind === "bit" ? raw & mask : raw) !== 0);
  }
  json.close();
}
