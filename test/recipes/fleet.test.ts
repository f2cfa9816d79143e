/** docs/recipes/fleet.md with twenty devices: Prometheus with the recipe's own files, its rules, its dashboard; mosquitto and rsyslog as it has them. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import dashboard from "../../docs/recipes/fleet/dashboard.json";
import type { BoardConfig } from "../../host-sim/config";
import { startBroker, type BrokerUser } from "../support/mqtt/broker";
import { Prometheus } from "../support/peers/prometheus";
import { SyslogServer } from "../support/peers/syslog-servers";
import { System, TOKEN } from "../support/system/system";

const RECIPE = "docs/recipes/fleet";
const DEVICES = 20;
/** Every fifth has a bank. */
const BANKS = 4;
const PACKS = 3;
/** Of one device with a pack of 16 cells, as docs/recipes/fleet.md counts. */
const SAMPLES = 233;

it("its rules are valid and do what they say", () => {
  for (const parameters of [
    ["check", "rules", "rules.yml"],
    ["test", "rules", "rules.test.yml"],
  ]) {
    const { status, stdout, stderr } = spawnSync("promtool", parameters, { cwd: RECIPE, encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  }
});

/** The lines of the recipe between these words and the next fence. */
function recipe(begin: string): string {
  const page = readFileSync(`${RECIPE}.md`, "utf8");
  const [, text] = new RegExp(`\n\`\`\`\n(${begin}[^\`]+)\`\`\`\n`).exec(page) ?? [];
  if (text === undefined) throw new Error(`${RECIPE}.md has no recipe that begins with ${begin}`);
  return text;
}

const hex = (index: number): string => (index + 1).toString(16).padStart(2, "0");
const idOf = (index: number): string => `02005e1000${hex(index)}`;
const macOf = (index: number): string =>
  idOf(index)
    .toUpperCase()
    .replaceAll(/..(?=.)/g, "$&:");
const userOf = (index: number): BrokerUser => ({ name: idOf(index), password: `secret of ${index}` });
const ALL = Array.from({ length: DEVICES }, (_, index) => index);
const isBank = (index: number): boolean => index % (DEVICES / BANKS) === 0;
/** Of the broker and the log server. */
type Services = Pick<BoardConfig["settings"], "mqtt" | "syslog">;

/** Twenty devices, each with a MAC address of its own. */
async function fleet(services: (index: number) => Services = () => ({})): Promise<System[]> {
  const further = ["South", "West"].map((name, at) => ({ address: at + 2, name }));
  const systems = await Promise.all(
    ALL.map((index) =>
      System.start({
        ...(isBank(index) && { bank: { count: PACKS, timeFactor: 0 } }),
        board: {
          network: { mac: macOf(index) },
          config: {
            settings: { ...(isBank(index) && { packs: { first: "North", further } }), ...services(index) },
          },
        },
      }),
    ),
  );
  onTestFinished(() => systems.forEach((system) => system.stop()));
  return systems;
}

it("twenty devices are found from a file, drawn by the dashboard, and missed when they fall silent", async () => {
  const systems = await fleet();

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

  const draws = async (panels: typeof dashboard.panels): Promise<void> => {
    for (const { title, targets } of panels) for (const { expr } of targets) await drawn(title, expr);
  };
  const drawn = async (title: string, expr: string): Promise<void> => {
    const [site, pack] = title === "State of charge" ? ["site (0|1)", ".*"] : [".*", ".*"];
    const query = `count(${expr.replaceAll("$site", site).replaceAll("$pack", pack)})`;
    await expect.poll(() => prometheus.query(query), { message: `${title}: ${query}` }).toBeGreaterThan(0);
  };
  // These two show only what is wrong; the alarms of packs are in test/system/metrics.test.ts.
  const ofTrouble = ["Alarms", "Needs attention"];
  await draws(dashboard.panels.filter(({ title }) => !ofTrouble.includes(title)));
  // All packs of the banks, and the one pack of every other device, each once.
  const [charge] = dashboard.panels.filter(({ title }) => title === "State of charge");
  await tells(
    `count(${charge?.targets[0]?.expr.replaceAll("$site", ".*").replaceAll("$pack", ".*")})`,
    BANKS * PACKS + DEVICES - BANKS,
  );

  systems[1]?.stop();
  systems[2]?.bms.setOnline(false);
  systems[0]?.bms.setOnline(false);
  await draws(dashboard.panels.filter(({ title }) => title === "Needs attention"));
  await expect
    .poll(async () => (await prometheus.alerts()).sort())
    .toEqual(["BmsBankIncomplete site 0", "BmsDeviceSilent site 1", "BmsPackLost site 0 North", "BmsPackLost site 2"]);
});

it("mosquitto lets each device use its own topics only", async () => {
  const integrator = { name: "integrator", password: "secret of all" };
  const banks = ALL.filter(isBank).map((index) => recipe("user 24a").replaceAll("24a160010203", idOf(index)));
  const acl = [recipe("pattern "), ...banks].join("\n");
  const broker = await startBroker({ user: integrator, others: ALL.map(userOf), acl });
  onTestFinished(() => broker.stop());
  const systems = await fleet((index) => {
    const { name, password } = userOf(index);
    return { mqtt: { enabled: true, host: "127.0.0.1", port: broker.port, user: name, password } };
  });
  const all = await broker.client("#", integrator);
  const discovered = (): number => all.messages.filter(({ topic }) => topic.startsWith("homeassistant/device/")).length;
  for (const index of ALL) {
    await expect.poll(() => all.topics.get(`jk-bms/${idOf(index)}/availability`)).toBe("online");
    const documents = isBank(index) ? ["", "_pack2", "_pack3", "_bank"] : [""];
    for (const end of documents)
      await expect.poll(() => all.topics.has(`homeassistant/device/${idOf(index)}${end}/config`)).toBe(true);
  }
  // Home Assistant's birth reaches them.
  const before = discovered();
  await all.publish("homeassistant/status", "online");
  await expect.poll(discovered).toBeGreaterThan(before);

  // The first device orders the next, a middle one and the last; then the integrator does.
  const first = await broker.client("#", userOf(0));
  for (const index of [1, DEVICES / 2 + 1, DEVICES - 1]) {
    const base = `jk-bms/${idOf(index)}`;
    const results = (): string[] =>
      all.messages.filter(({ topic }) => topic === `${base}/result`).map(({ text }) => text);
    await first.publish(`${base}/command/emergency/set`, "on");
    await systems[index]?.untilLoaded();
    await all.publish(`${base}/command/display_always_on/set`, "on");
    await expect.poll(() => results().some((text) => text.includes("confirmed"))).toBe(true);
    expect(results().filter((text) => !text.includes("display_always_on"))).toEqual([]);
  }
  // And it hears none but itself.
  await expect.poll(() => first.topics.has(`jk-bms/${idOf(0)}/telemetry`)).toBe(true);
  const others = [...first.topics.keys()].filter((topic) => !topic.startsWith(`jk-bms/${idOf(0)}/`));
  expect(others.filter((topic) => topic !== "homeassistant/status")).toEqual([]);
});

it("rsyslog has a file for each device", async () => {
  const server = await SyslogServer.start("rsyslog", (folder, port) =>
    recipe('module\\(load="imudp"\\)')
      .replace("/var/log/bms/", `${folder}/`)
      .replace('port="514"', `address="127.0.0.1" port="${port}"`),
  );
  onTestFinished(() => server.stop());
  await fleet(() => ({ syslog: { host: "127.0.0.1", port: server.port } }));
  for (const index of ALL) {
    const hostname = idOf(index).slice(-6);
    await expect.poll(() => server.file(`jk-bms-${hostname}.log`)).toContain("Started with firmware");
  }
});
