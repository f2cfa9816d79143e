/**
 * What a callback of the platform throws, on the device's engine: it is caught, counted and told, its part is closed, and the rest goes on.
 * Each kind of entry once; all parts on V8: faults.test.ts.
 */
import { afterEach, describe, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { System, turn, type SystemOptions } from "../support/system/system";

const SECOND = 1_000;
/** Virtual seconds. */
const PATIENCE = 120;
const HOME = { ssid: "Home", password: "correct horse" };
const BASE = "jk-bms/02005e100001";

let system: System;
let broker: TestBroker | undefined;
afterEach(async () => {
  await system.board.restarted;
  system.stop();
  await broker?.stop();
  broker = undefined;
});

async function start(board: SystemOptions["board"]): Promise<void> {
  system = await System.start({ unpaced: true, bms: { evolving: false }, board: { ...board } });
  await system.board.ready();
  system.board.air.add(HOME);
  await system.untilLoaded();
}
const until = (what: string, condition: () => boolean): Promise<void> => system.skipUntil(what, condition, PATIENCE);

const log = (): readonly string[] => system.probes.parts().log;
const isTold = (part: string): boolean => log().includes(`part-failed\t${part}\ttime -2`);

/** The pack is polled, the API answers, nothing has restarted. */
async function expectRest(times = 1): Promise<void> {
  const { probes } = system;
  expect([probes.thrown(), probes.faults()]).toEqual([times, times]);
  const polls = probes.monitor().statistics!.requests;
  system.skip(5 * SECOND);
  expect(probes.monitor().statistics!.requests).toBeGreaterThan(polls);
  expect(probes.monitor().online).toBe(true);
  const { text } = await system.get("/metrics");
  expect(text).toContain(`\nbms_monitor_faults_total ${times}\n`);
  expect(probes.start().restarts).toBe(0);
}

describe("a callback of Wi-Fi", () => {
  const RADIO = "network._wireless.radio";
  const joined = (): boolean => system.probes.network().ssid === HOME.ssid && system.probes.network().online;

  it.each<[string, string, () => void]>([
    ["the driver's notice", "notified", () => system.board.air.remove(HOME.ssid)],
    ["a network that a scan finds", "found", () => system.probes.startScan()],
    ["the end of a scan", "completed", () => system.probes.startScan()],
    ["a change of the link", "linkChanged", () => system.board.air.remove(HOME.ssid)],
  ])("%s", async (_, method, cause) => {
    await start({ cable: false, config: { settings: { network: HOME } } });
    await until("it has joined", joined);
    const target = method === "linkChanged" ? "network" : RADIO;
    system.probes.throwIn(target, method, 1);
    cause();
    await until("it has thrown", () => system.probes.thrown() === 1);
    expect(isTold("network")).toBe(true);
    system.board.air.add(HOME);
    await until("it has joined again", joined);
    await expectRest();
    // The network goes on: the next scan ends as ever.
    const isOver = (): boolean => !system.probes.scan().scanning;
    await until("the scan has been given up", isOver);
    system.probes.startScan();
    await until("the scan is over", isOver);
    expect(system.probes.scan().networks.map(({ ssid }) => ssid)).toContain(HOME.ssid);
  });
});

describe("with a broker", () => {
  let client: Listener;

  async function connect(): Promise<void> {
    broker = await startBroker();
    client = await broker.client();
    await start({ config: { settings: { mqtt: { enabled: true, host: "127.0.0.1", port: broker.port } } } });
    system.keepUp = () => broker!.beat().then(turn);
    await until("it is online", () => client.topics.get(`${BASE}/availability`) === "online");
  }

  const restart = (): Promise<void> => broker!.end().then(() => broker!.start());
  const availability = (base: string): string | undefined => client.topics.get(`${base}/availability`);

  it.each<[string, string, () => unknown]>([
    ["a message", "readable", () => client.publish(`${BASE}/command/charge_mos/set`, "on")],
    ["room for a message", "writable", () => undefined],
    ["an acknowledgement", "control", restart],
    ["an end of the connection", "lost", restart],
  ])("%s", async (_, method, cause) => {
    await connect();
    system.probes.throwIn("mqtt.session.broker", method, 1);
    await cause();
    await until("it has thrown", () => system.probes.thrown() === 1);
    expect(isTold("mqtt")).toBe(true);
    // It says so before it closes, to a broker that is still the same.
    if (cause === restart) client.topics.clear();
    else await until("its availability is off", () => availability(BASE) === "offline");
    await expectRest();
    await system.pass(300 * SECOND);
    expect(availability(BASE)).not.toBe("online");
    // New settings start it again.
    system.probes.configure("mqtt", { baseTopic: "second" });
    await until("it is online", () => availability("second/02005e100001") === "online");
    await expectRest();
  });
});

describe("on this engine", () => {
  const pinOf = (): number => system.board.pin(WT32_PINS.relay).output ?? NaN;
  const RELAY = {
    fitted: true,
    mode: 1,
    source: "soc",
    onAt: 90,
    offAt: 95,
    start: "off",
    minimumOn: 0,
    minimumOff: 0,
  };

  it.each([
    ["syslog", "syslog.sender", "tick"],
    ["history", "flashHistory", "tick"],
    ["bus", "monitor.bus.link.station.bus", "readable"],
    ["supervisor", "supervisor", "tick"],
  ])("%s", async (part, path, method) => {
    await start({ config: { settings: { syslog: { host: "192.0.2.9" } } } });
    system.probes.throwIn(path, method, 1);
    await until("it has thrown", () => system.probes.thrown() === 1);
    system.skip(10 * SECOND);
    expect(isTold(part)).toBe(true);
    await expectRest();
  });

  it("the relay's follower: the fail-safe state, for as long as it throws", async () => {
    await start({ config: { settings: { relay: { ...RELAY, failSafe: "off" } } } } as never);
    await until("the rule has switched on", () => pinOf() === 1);
    system.probes.throwIn("monitor.events.RelayFollower", "relayTelemetry", 10);
    await until("it has thrown", () => system.probes.thrown() > 0);
    expect([pinOf(), isTold("relay")]).toEqual([0, true]);
    await until("it has thrown ten times", () => system.probes.thrown() === 10);
    await until("the rule decides again", () => pinOf() === 1);
    await expectRest(10);
  });

  it("the third within ten minutes of what the device cannot be without ends the script", async () => {
    await start({});
    system.probes.throwIn("network", "tick", 2);
    system.skip(10 * SECOND);
    await expectRest(2);
    system.probes.throwIn("supervisor", "tick", 1);
    expect(() => system.skip(10 * SECOND)).toThrow("time -2");
  });
});
