/** Generates docs/mqtt.md from the firmware's tables. */
import { writeFileSync } from "node:fs";
import { complete } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
const { mqttPage } = await import(`../${await bundle("test/support/mqtt/mqtt-page.ts", "mqtt-page")}`);
writeFileSync("docs/mqtt.md", complete("docs/mqtt.md", await mqttPage()));
