/** Generates docs/mqtt.md from the firmware's tables. */
import { writeFileSync } from "node:fs";
import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
const { mqttPage } = await import(`../${await bundle("test/support/mqtt-page.ts", "mqtt-page")}`);
writeFileSync("docs/mqtt.md", await mqttPage());
