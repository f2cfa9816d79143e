/** Writes docs/mqtt.md from the firmware's tables; with --check it only says whether the page is up to date. */
import { bundle } from "./bundle.mjs";

await bundle("scripts/mqtt-docs/main.ts");
