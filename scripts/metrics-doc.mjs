/** Generates docs/metrics.md from the firmware's tables; --check only compares (exit 1: out of date). */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as prettier from "prettier";
import { bundle } from "./bundle.mjs";

const FILE = "docs/metrics.md";
const { DESCRIPTIONS } = await import(pathToFileURL(await bundle("src/metrics/table.ts", "metrics-table")).href);

const rows = DESCRIPTIONS.map(
  ({ name, type, help, label = "", labels = [label] }) => `| \`${name}\` | ${type} | ${labels.join(", ")} | ${help} |`,
);

const text = `# Metrics

\`GET /metrics\` has everything the monitor knows for [Prometheus](https://prometheus.io), in its text format 0.0.4. It goes by the API's
token and is off with the API (403). \`grafana-dashboard.json\` beside this file is a dashboard ready to be imported into Grafana.

\`\`\`yaml
scrape_configs:
  - job_name: bms
    scrape_interval: 10s
    authorization:
      credentials_file: bms-token # the API token
    static_configs:
      - targets: ["192.168.1.20"]
\`\`\`

- **Units** are Prometheus's base units: ratios from 0 to 1, coulombs (3,600 to the ampere-hour), joules (3,600 to the watt-hour).
- **What is not known is not there.** While the BMS is offline there are no samples of what it says, only \`bms_online\` 0 and the age of the last
  telemetry; a probe or cell that is not there has no sample either.
- **Counters** begin at 0 with the firmware, those of the link when it is opened (its settings were changed), but for the energy, which is
  kept: it is stored after every 100 Wh (at most once a minute) or 15 minutes and before a wanted restart, which is what a power cut can cost. The
  energy is the power integrated from reply to reply (trapezoid); what flowed while no reply came is not counted.
- **Memory**: the system's heap (free now, the least ever, the largest piece) is told on the ESP32; slots, chunks and collections of the
  engine are counted by the Moddable SDK in instrumented builds alone (\`npm run build:esp32 -- <board> -i\`). What nobody counts is left out. The time since 1970 is not known before SNTP has answered: \`bms_monitor_uptime_seconds\` stands for \`process_start_time_seconds\`.
- A scrape takes about 12 KB, sent as the client takes it, and 0.5 KB of memory meanwhile.

The table is made from the firmware's own tables by \`node scripts/metrics-doc.mjs\`.

| Name | Type | Labels | What it is |
| --- | --- | --- | --- |
${rows.join("\n")}
`;

const formatted = await prettier.format(text, { ...(await prettier.resolveConfig(FILE)), filepath: FILE });
if (!process.argv.includes("--check")) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, "utf8") !== formatted) {
  console.error(`${FILE} is out of date: node scripts/metrics-doc.mjs`);
  process.exitCode = 1;
}
