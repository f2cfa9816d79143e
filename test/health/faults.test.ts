/** What a callback of the platform throws: the real firmware, on a simulated board, of which one callback is made to throw. */
import { createSocket } from "node:dgram";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { FAULTS_WITHIN } from "../../src/health/limits";
import type { Firmware } from "../../src/firmware";
import type { RelaySettings } from "../../src/settings/types";
import { freePort } from "../support/free-port";
import { System } from "../support/system/system";

const SECOND = 1_000;
const BUTTON = 13;
const LED = 12;
const INPUT = WT32_PINS.inputs[0];
const RELAY = { fitted: true, mode: 1, source: "soc", onAt: 90, offAt: 95, start: "off", minimumOn: 0, minimumOff: 0 };

let system: System | undefined;
afterEach(async () => {
  await system?.board.restarted;
  system?.stop();
  system = undefined;
});

/** A device with everything on, whose pack answers. */
async function start(relay: Partial<RelaySettings> = {}): Promise<System> {
  const config = {
    httpPort: await freePort(),
    pins: { ...WT32_PINS, button: BUTTON, led: LED },
    settings: {
      relay: { ...RELAY, ...relay },
      monitoring: { fitted: true },
      snmp: { enabled: true, community: "Gemeinde-7" },
      modbus: { enabled: true, port: await freePort() },
      syslog: { host: "192.0.2.9" },
      mqtt: { enabled: true, host: "192.0.2.1" },
      time: { server: "192.0.2.1" },
      notify: { kind1: "ntfy", topic1: "battery" },
    },
  } as const;
  const running = (system = await System.start({
    unpaced: true,
    engine: "node",
    bms: { evolving: false },
    board: { config: config as never },
  }));
  await running.board.ready();
  await running.untilLoaded();
  return running;
}

type Methods = Record<string, (...given: unknown[]) => unknown>;

/** Lets `method` of a part throw the next `times` times. @returns how often it has */
function breakDown(part: unknown, method: string, times = 1): () => number {
  const target = part as Methods;
  const before = target[method];
  if (!before) throw new Error(`no ${method}`);
  let thrown = 0;
  Object.defineProperty(target, method, {
    configurable: true,
    writable: true,
    value(this: unknown, ...given: unknown[]) {
      if (thrown >= times) return before.apply(this, given);
      thrown++;
      throw new RangeError("time -2");
    },
  });
  return () => thrown;
}

/** What is private, by its path: "link.station.bus". */
const inside = (object: unknown, path: string): unknown =>
  path.split(".").reduce((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], object);
const connectionsOf = ({ server }: Firmware): readonly unknown[] =>
  inside(server, "_connections") as readonly unknown[];

const problems = ({ firmware }: System): readonly string[] => firmware.parts.problems;
const log = ({ probes }: System): readonly string[] => probes.parts().log;
const told = (running: System, part: string): boolean => log(running).includes(`part-failed\t${part}\ttime -2`);

/** The page answers, and the pack is polled. */
async function expectRest(running: System): Promise<void> {
  const { pollsBegun } = running.firmware.monitor;
  running.skip(5 * SECOND);
  expect(running.firmware.monitor.pollsBegun).toBeGreaterThan(pollsBegun);
  expect(running.monitor().online).toBe(true);
  expect((await running.get("/api/bms/status")).status).toBe(200);
  expect(running.firmware.start.restarts).toBe(0);
}

/** Ends the script, as what no door catches does. */
function expectAbort(running: System, ms: number): void {
  expect(() => running.skip(ms)).toThrow("time -2");
}

describe("a timer that throws is told, its part is closed, and all others go on", () => {
  it.each<[string, (firmware: Firmware) => unknown]>([
    ["history", ({ flashHistory }) => flashHistory],
    ["time", ({ sntp }) => sntp],
    ["syslog", ({ syslog }) => inside(syslog, "sender")],
    ["notify", ({ notify }) => notify],
    ["snmp", ({ snmp }) => inside(snmp, "service")],
    ["modbus", ({ modbus }) => modbus],
    ["mqtt", ({ mqtt }) => inside(mqtt, "session")],
    ["monitoring", ({ sensors }) => sensors],
    ["led", (firmware) => inside(firmware, "led")],
    ["button", ({ button }) => button],
  ])("%s", async (part, target) => {
    const running = await start();
    const { firmware, board } = running;
    const count = breakDown(target(firmware), "tick", Infinity);
    running.skip(60 * SECOND);
    expect(count()).toBe(1);
    expect([told(running, part), problems(running)]).toEqual([true, [`part-failed\t${part}\ttime -2`]]);
    await expectRest(running);
    const { text } = await running.get("/metrics");
    expect(text).toContain("\nbms_monitor_failed_parts 1\n");
    expect(text).toContain("\nbms_monitor_faults_total 1\n");
    // The next start has it again.
    board.restart();
    await board.restarted;
    expect(problems(running)).toEqual([]);
  });

  it("the history is not written any further", async () => {
    const running = await start();
    breakDown(running.firmware.flashHistory, "tick");
    running.skip(2 * SECOND);
    expect([running.firmware.flashHistory, running.firmware.records]).toEqual([undefined, undefined]);
    await expectRest(running);
  });

  it("new settings start a part anew", async () => {
    const running = await start();
    breakDown(inside(running.firmware.snmp, "service"), "tick");
    running.skip(2 * SECOND);
    expect(running.firmware.snmp?.running).toBe(false);
    running.probes.configure("snmp", { community: "Gemeinde-8" });
    expect(running.firmware.snmp?.running).toBe(true);
  });
});

describe("what comes from outside", () => {
  it("a datagram", async () => {
    const running = await start();
    const count = breakDown(inside(running.firmware.snmp, "service.agent"), "readable", Infinity);
    const socket = createSocket("udp4");
    for (let packet = 0; packet < 3; packet++) socket.send("x", running.probes.snmpPort(), "127.0.0.1");
    await running.until("it has thrown", () => (running.skip(100), told(running, "snmp")));
    socket.close();
    running.skip(SECOND);
    expect([running.firmware.snmp?.running, count()]).toEqual([false, 1]);
    await expectRest(running);
  });

  it("a client of Modbus TCP", async () => {
    const running = await start();
    const { modbus } = running.firmware;
    const { port } = modbus!;
    breakDown(modbus, "answer");
    const client = connect(port!, "127.0.0.1");
    let isClosed = false;
    client.on("close", () => (isClosed = true)).on("error", () => undefined);
    client.write(Uint8Array.of(0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1));
    await running.until("it is closed", () => (running.skip(100), isClosed));
    expect([told(running, "modbus"), modbus?.port]).toEqual([true, undefined]);
    await expectRest(running);
  });

  it("a connection of the page is closed alone, and told once, however often", async () => {
    const running = await start();
    const { server } = running.firmware;
    for (let time = 0; time < 5; time++) {
      const known = [...connectionsOf(running.firmware)];
      const client = connect(server.port, "127.0.0.1");
      let isClosed = false;
      client.on("close", () => (isClosed = true)).on("error", () => undefined);
      const fresh = (): unknown => connectionsOf(running.firmware).find((one) => !known.includes(one));
      await running.until("it is connected", () => (running.skip(10), fresh() !== undefined));
      breakDown(fresh(), "step", Infinity);
      client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      // Long before a time limit would close it.
      await running.until("it is closed", () => (running.skip(1), isClosed));
    }
    expect(log(running).filter((text) => text.startsWith("part-failed"))).toEqual(["part-failed\tserver\ttime -2"]);
    await expectRest(running);
  });

  it("an edge at an input", async () => {
    const running = await start();
    breakDown(inside(running.firmware.sensors, "inputs.0"), "readable");
    running.board.pin(INPUT).drive(0);
    running.skip(SECOND);
    expect(told(running, "monitoring")).toBe(true);
    await expectRest(running);
  });
});

describe("what the device cannot be without goes on, and at its third exception in ten minutes the device restarts", () => {
  const bus = ({ monitor }: Firmware): unknown => inside(monitor.bus, "link.station.bus");
  it.each<[string, string, (firmware: Firmware) => unknown]>([
    ["bms", "tick", ({ monitor }) => monitor],
    ["bus", "readable", bus],
    ["bus", "tick", bus],
    ["network", "tick", ({ network }) => network],
    ["supervisor", "tick", (firmware) => inside(firmware, "supervisor")],
  ])("%s, %s", async (part, method, target) => {
    const running = await start();
    const { board, firmware } = running;
    for (let time = 0; time < 2; time++) {
      const count = breakDown(target(firmware), method);
      running.skip(10 * SECOND);
      expect([count(), told(running, part)]).toEqual([1, true]);
      await expectRest(running);
    }
    breakDown(target(firmware), method);
    expectAbort(running, 10 * SECOND);
    board.abort("unhandled exception: RangeError: time -2");
    await board.restarted;
    expect(log(running)).toContain("stopped");
    expect(running.firmware.start).toMatchObject({ reason: "script-aborted", restarts: 1 });
  });

  it("the third within ten minutes of the first, whichever they are; a later one is none", async () => {
    const running = await start();
    const { firmware } = running;
    const fail = (): void => {
      breakDown(firmware.network, "tick");
      running.skip(2 * SECOND);
    };
    fail();
    fail();
    running.skip(FAULTS_WITHIN - 2 * SECOND);
    fail();
    expect(firmware.start.restarts).toBe(0);
    breakDown(inside(firmware, "supervisor"), "tick");
    running.skip(10 * SECOND);
    breakDown(firmware.monitor, "tick");
    expectAbort(running, 2 * SECOND);
  });

  it("a write that is open when the bus throws ends, and the next one is confirmed", async () => {
    const running = await start();
    const { firmware, probes } = running;
    expect(probes.writeParameter("cell_ovp_voltage", 3.601)).toBeUndefined();
    breakDown(bus(firmware), "readable");
    await running.skipUntil("it has ended", () => !running.monitor().pending);
    expect(running.monitor().lastCommandOk).toBe(false);
    await running.untilLoaded();
    expect(probes.writeParameter("cell_ovp_voltage", 3.601)).toBeUndefined();
    await running.skipUntil("it has ended", () => !running.monitor().pending);
    expect(running.monitor().lastCommandOk).toBe(true);
  });
});

describe("the relay takes its fail-safe state first, and is never stopped", () => {
  const followerOf = ({ monitor }: Firmware): unknown =>
    (inside(monitor, "events") as readonly object[]).find(({ constructor }) => constructor.name === "RelayFollower");
  const HIGH = { onAt: 5, offAt: 10 };

  it.each([
    ["off", {}, 1, 0],
    ["on", HIGH, 0, 1],
    ["hold", {}, 1, 1],
    ["hold", HIGH, 0, 0],
  ] as const)("%s, rule %j: from %i to %i", async (failSafe, rule, before, after) => {
    const running = await start({ failSafe, ...rule });
    const { board, firmware } = running;
    const pin = board.pin(WT32_PINS.relay);
    running.skip(5 * SECOND);
    expect(pin.output).toBe(before);
    const levels: unknown[] = [];
    firmware.events.observe({ eventAdded: (text) => void (text.startsWith("part-failed") && levels.push(pin.output)) });
    const count = breakDown(followerOf(firmware), "relayTelemetry", 100);
    running.skip(30 * SECOND);
    expect([levels, pin.output]).toEqual([[after], after]);
    expect(count()).toBeGreaterThan(10);
    expect(told(running, "relay")).toBe(true);
    await expectRest(running);
    // It was never stopped: the rule decides again.
    running.skip(120 * SECOND);
    expect([count(), pin.output]).toEqual([100, before]);
  });

  it("not before its minimum time is over", async () => {
    const running = await start({ failSafe: "off", minimumOn: 60 });
    const pin = running.board.pin(WT32_PINS.relay);
    expect(pin.output).toBe(1);
    breakDown(followerOf(running.firmware), "relayTelemetry", Infinity);
    running.skip(40 * SECOND);
    expect([pin.output, told(running, "relay")]).toEqual([1, true]);
    running.skip(30 * SECOND);
    expect(pin.output).toBe(0);
  });

  it("a timer of its own", async () => {
    const running = await start({ failSafe: "off", failSafeAfter: 10 });
    const pin = running.board.pin(WT32_PINS.relay);
    expect(pin.output).toBe(1);
    running.bms.faults.add({ kind: "no-answer" });
    breakDown(running.firmware.relay, "lose");
    running.skip(60 * SECOND);
    expect([pin.output, told(running, "relay")]).toEqual([0, true]);
  });
});
