/** Writes the tables of docs/modbus.md from the firmware's. */
import { readFileSync, writeFileSync } from "node:fs";
import { complete } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

const PAGE = "docs/modbus.md";

await setUp();
const { bundle } = await import("./bundle.mjs");
const { modbusPage } = await import(`../${await bundle("test/support/modbus/modbus-page.ts", "modbus-page")}`);
writeFileSync(PAGE, complete(PAGE, await modbusPage(readFileSync(PAGE, "utf8"))));
