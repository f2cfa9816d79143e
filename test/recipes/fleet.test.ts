/** docs/recipes/fleet.md with twenty devices: Prometheus with the recipe's own files, its rules, its dashboard. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import dashboard from "../../docs/recipes/fleet/dashboard.json";
import { Prometheus } from "../support/peers/prometheus";
import { System, TOKEN } from "../support/system/system";

const RECIPE = "docs/recipes/fleet";
const DEVICES = 20;
/** Every fifth has a bank. */
const BANKS = 4;
const PACKS = 3;
/** Of one device with a pack of 16 cells, as docs/recipes/fleet.md counts. */
const SAMPLES = 210;

it("its rules are valid and do what they say", () => {
  for (const parameters of [
    ["check", "rules", "rules.yml"],
    ["test", "rules", "rules.test.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", parameters, { cwd: RECIPE, encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  }
});

it("twenty devices are found from a file, drawn by the dashboard, and missed when they fall silent", async () => {
  const systems = await Promise.all(
    Array.from({ length: DEVICES }, (_, index) =>
      System.start(
        index % (DEVICES / BANKS)
          ? {}
          : {
              bank: { count: PACKS, timeFactor: 0 },
              board: {
                config: {
                  settings: {
                    packs: {
                      first: "North",
                      further: [
                        { address: 2, name: "South" },
                        { address: 3, name: "West" },
                      ],
                    },
                  },
                },
              },
            },
      ),
    ),
  );
  onTestFinished(() => systems.forEach((system) => system.stop()));

  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  cpSync(RECIPE, folder, { recursive: true });
  rmSync(join(folder, "sites/example.json"));
  writeFileSync(join(folder, "bms-token"), TOKEN);
  const config = readFileSync(join(folder, "prometheus.yml"), "utf8");
  writeFileSync(join(folder, "prometheus.yml"), config.replaceAll("15s", "1s"));
  const sites = systems.map(({ url }, index) => ({ targets: [new URL(url).host], labels: { site: `site ${index}` } }));
  writeFileSync(join(folder, "sites/all.json"), JSON.stringify(sites));
  const prometheus = await Prometheus.startIn(folder);
  onTestFinished(() => prometheus.stop());

  const tells = (query: string, value: number | undefined): Promise<void> =>
    expect.poll(() => prometheus.query(query), { message: query }).toBe(value);
  await tells('sum(up{job="bms"})', DEVICES);
  await tells("sum(bms_pack_online)", BANKS * PACKS);
  await tells("count(bms_bank_state_of_charge_ratio)", BANKS);
  await tells("count(count by (site) (bms_online))", DEVICES);
  // A device alone has no more than the arithmetic of a thousand says.
  expect(await prometheus.query("min(scrape_samples_scraped)")).toBeLessThanOrEqual(SAMPLES);

  for (const { title, targets } of dashboard.panels)
    for (const { expr } of targets) {
      const [site, pack] = title === "State of charge" ? ["site (0|1)", ".*"] : [".*", ".*"];
      const query = `count(${expr.replaceAll("$site", site).replaceAll("$pack", pack)})`;
      await expect.poll(() => prometheus.query(query), { message: `${title}: ${query}` }).toBeGreaterThan(0);
    }
  // All packs of the banks, and the one pack of every other device, each once.
  const [charge] = dashboard.panels.filter(({ title }) => title === "State of charge");
  await tells(
    `count(${charge?.targets[0]?.expr.replaceAll("$site", ".*").replaceAll("$pack", ".*")})`,
    BANKS * PACKS + DEVICES - BANKS,
  );

  systems[1]?.stop();
  systems[2]?.bms.setOnline(false);
  systems[0]?.bms.setOnline(false);
  await expect
    .poll(async () => (await prometheus.alerts()).sort())
    .toEqual(["BmsBankIncomplete site 0", "BmsDeviceSilent site 1", "BmsPackLost site 0 North", "BmsPackLost site 2"]);
});
