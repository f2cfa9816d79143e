import { afterEach, describe, expect, it } from "vitest";
import type { SyslogSettings } from "../../src/settings/types";
import { SyslogServer, type Parsed } from "../support/peers/syslog-servers";
import { System } from "../support/system/system";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function start(
  name: "rsyslog" | "syslog-ng-core",
  settings: Partial<SyslogSettings>,
): Promise<[System, SyslogServer]> {
  const server = await SyslogServer.start(name);
  cleanups.push(() => server.stop());
  const system = await System.start({
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          device: { hostname: "shed" },
          time: { server: "" },
          bms: { address: 1 },
          syslog: { port: server.port, ...settings },
        },
      },
    },
  });
  cleanups.push(() => system.stop());
  return [system, server];
}

/** Waits until the server has a message with this code, and returns the last one. */
async function received(system: System, server: SyslogServer, id: string): Promise<Parsed> {
  let found: Parsed | undefined;
  await system.until(`${id} is received: ${server.output}`, () => {
    found = server.messages().findLast((message) => message.id === id);
    return found !== undefined;
  });
  return found!;
}

const DATA = "jkbms@8072.9999.9999.485";
const FIELDS = { facility: "local0", host: "shed", program: "jk-bms-monitor", process: "0" };
const NOW = Date.UTC(2026, 10, 23, 19, 30);

const SERVERS = ["rsyslog", "syslog-ng-core"] as const;

describe.each(SERVERS)("%s", (name) => {
  it("parses every field: before the time is known, of an alarm, and of a value with all that is escaped", async () => {
    const [system, server] = await start(name, { host: name === "rsyslog" ? "127.0.0.1" : "localhost" });
    await system.untilLoaded();
    const started = await received(system, server, "started");
    const [version, build] = started.data[DATA]!["value"]!.split(" ");
    expect(started).toEqual({
      ...FIELDS,
      severity: "notice",
      time: "-",
      id: "started",
      data: {
        [DATA]: { pack: "1", value: `${version} ${build}` },
        meta: { sequenceid: "1", sysuptime: expect.stringMatching(/^\d+$/) as string },
      },
      text: `Started with firmware ${version} (${build}).`,
    });

    system.probes.setTime(NOW);
    system.bms.registers.write("Alarms", 1 << 11);
    const raised = await received(system, server, "alarm-raised");
    expect(raised).toMatchObject({
      ...FIELDS,
      severity: "crit",
      data: { [DATA]: { pack: "1", value: "cell_undervoltage" } },
      text: "Alarm: Cell under-voltage.",
    });
    const late = Date.parse(raised.time) - NOW;
    expect(late).toBeGreaterThanOrEqual(-1_000);
    expect(late).toBeLessThan(600_000);

    expect(system.probes.writeParameter("bluetooth_name", 'a"b]c\\d')).toBeUndefined();
    expect(await received(system, server, "write")).toMatchObject({
      severity: "info",
      data: { [DATA]: { pack: "1", value: 'bluetooth_name "a"b]c\\d" confirmed API' } },
      text: 'Write (API): bluetooth_name "a"b]c\\d": confirmed by the BMS.',
    });
    const { log } = system.probes.parts();
    await system.until("all are there", () => server.messages().length === log.length);
    expect(server.messages().map(({ id, data }) => [id, data["meta"]!["sequenceid"]])).toEqual(
      log.map((text, at) => [text.split("\t")[0], String(at + 1)]),
    );
  });
});

it("nothing is sent before a server is set; then it gets what this run has seen, and no setting's value", async () => {
  const [system, server] = await start("rsyslog", { host: "", facility: "daemon" });
  await system.untilLoaded();
  expect(system.probes.configure("mqtt", { password: "mosquitto-secret" })).toBeUndefined();
  expect(server.messages()).toEqual([]);
  expect(system.probes.configure("syslog", { host: "127.0.0.1" })).toBeUndefined();
  await system.until("the change of the settings is received", () =>
    server.messages().some(({ text }) => text === "Settings changed: syslog."),
  );
  const messages = server.messages();
  expect(messages[0]).toMatchObject({ id: "started", facility: "3" });
  expect(messages.map(({ text }) => text)).toContain("Settings changed: mqtt.");
  expect(JSON.stringify(messages)).not.toContain("secret");
});

it("after a power cut the next run begins with its own start", async () => {
  const [system, server] = await start("rsyslog", { host: "127.0.0.1" });
  await system.untilLoaded();
  await received(system, server, "bms-online");
  const before = server.messages().length;
  await system.powerCycle();
  await system.until("it has started again", () => server.messages().filter(({ id }) => id === "started").length === 2);
  expect(server.messages()[before]!.id).toBe("started");
});
