/** Generates docs/metrics.md from the firmware's tables; --check only compares (exit 1: out of date). */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { complete } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

await setUp();
const prettier = await import("prettier");
const { bundle } = await import("./bundle.mjs");

const FILE = "docs/metrics.md";
const { DESCRIPTIONS, METRICS_TABLE } = await import(
  pathToFileURL(await bundle("src/metrics/table.ts", "metrics-table")).href
);
const { OF_BANK, OF_PACK, OF_PACK_HOLDS, textOf } = await import(
  pathToFileURL(await bundle("src/metrics/bank-samples.ts", "metrics-bank")).href
);
const { JOULES_PER_WATT_HOUR, STORE_ENERGY, MIN_STORE_INTERVAL, MAX_STORE_INTERVAL } = await import(
  pathToFileURL(await bundle("src/energy/limits.ts", "energy-limits")).href
);

const { headOf, nameOf } = await import(pathToFileURL(await bundle("src/metrics/text.ts", "metrics-text")).href);
const HEAD = /^# HELP (\S+) (.*)\.\n# TYPE \S+ (\S+)/;
const rowOf = (text, labels) => {
  const [, name, help, type] = headOf(nameOf(text), text).match(HEAD);
  return `| \`${name}\` | ${type} | ${labels} | ${help} |`;
};
const rows = DESCRIPTIONS.map(({ name, help, label = "", labels = [label] }) =>
  rowOf(`${name} ${help}`, labels.join(", ")),
);
const rowsOf = (places, whose, labels) => [...places].map((place) => rowOf(textOf(place, whose), labels));
const bankRows = [
  ...rowsOf(OF_BANK, "bank_", ""),
  ...rowsOf(OF_PACK, "pack_", "pack, name"),
  ...[...OF_PACK_HOLDS].flatMap((place) =>
    rowsOf([place], "pack_", `pack, name, ${METRICS_TABLE.labels[METRICS_TABLE.labelled[place]]}`),
  ),
];

const text = `# Metrics

\`GET /metrics\` has all of the monitor's values for [Prometheus](https://prometheus.io), in its text format 0.0.4. It requires the API's
token and is disabled along with the API (403). \`grafana-dashboard.json\` beside this file is a dashboard to import into Grafana.

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
- **Unknown values have no sample.** While the BMS is offline there are no samples of its values, only \`bms_online\` 0 and the age of the last
  telemetry; an absent probe or cell has none either.
- **Counters** start at 0 with the firmware; those of the link whenever it is reopened, after a change of its settings. The energy counters persist: they are
  stored after every ${STORE_ENERGY / JOULES_PER_WATT_HOUR} Wh (at most every ${MIN_STORE_INTERVAL / 1000} s) or ${MAX_STORE_INTERVAL / 60_000} minutes and before an orderly restart, so a power cut costs at most that much. Energy is power
  integrated between replies (trapezoidal rule), of each pack for itself; time without replies is not counted. With several packs the counters are the bank's.
- **The history's flash**: failures since the start; a sector that failed is not used until the next. A sector bears 100,000 erases: \`bms_history_erases_total\` is
  computed from the sectors' numbers, so it outlives restarts and power cuts, and starts again with a factory reset.
- **Memory**: the system's heap (free, minimum, largest block) is reported on the ESP32; slots, chunks and collections of the
  engine are counted by the Moddable SDK in instrumented builds only (\`npm run build:esp32 -- <board> -i\`). Values that are not counted are omitted. Unix time is unknown until SNTP has answered, so \`bms_monitor_uptime_seconds\` replaces \`process_start_time_seconds\`.
- A scrape is sent at the client's pace, and needs a little memory meanwhile, more with each pack.

## Several packs

With several packs on the bus, the metrics above stay the first pack's, under the same names as if it were alone. These are added: the bank (\`bms_bank_…\`) and the main values
of each pack, the first included (\`bms_pack_…\`), with its address and name as labels. Of alarms and concerns (\`bms_pack_alarm\`, \`bms_pack_concern\`) a pack has a sample, 1, for what holds and none for what does not; \`bms_pack_online\` and \`bms_pack_well\` are always there. Sums of the bank are of the packs that are online, \`bms_bank_online\` says whether those are all; the number of packs is
\`count(bms_pack_online)\`, of those that are online \`sum(bms_pack_online)\`. The bank's voltage is the mean of the packs that are online, its cell voltage difference the widest of a pack.

\`GET /metrics?pack=2\` has all values of the pack at address 2, cells and alarms among them, named like the first pack's. Give that job a label; an address without a pack returns 404.

\`\`\`yaml
- job_name: bms-pack-2
  authorization:
    credentials_file: bms-token
  params:
    pack: ["2"]
  static_configs:
    - targets: ["192.168.1.20"]
      labels:
        pack: "2"
\`\`\`

## All metrics

The table is generated from the firmware's tables by \`node scripts/metrics-doc.mjs\`.

| Name | Type | Labels | Description |
| --- | --- | --- | --- |
${rows.join("\n")}

With several packs also:

| Name | Type | Labels | Description |
| --- | --- | --- | --- |
${bankRows.join("\n")}
`;

const formatted = await prettier.format(complete(FILE, text), {
  ...(await prettier.resolveConfig(FILE)),
  filepath: FILE,
});
if (!process.argv.includes("--check")) writeFileSync(FILE, formatted);
else if (readFileSync(FILE, "utf8") !== formatted) {
  console.error(`${FILE} is out of date: node scripts/metrics-doc.mjs`);
  process.exitCode = 1;
}
