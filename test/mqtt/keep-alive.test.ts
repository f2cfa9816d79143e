/** The keep-alive, with the simulator's client, which keeps time as the SDK's does, and a broker in virtual time. */
import { JsonWriter } from "json/writer";
import { beforeEach, expect, it, vi } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import MQTTClient from "../../host-sim/io/mqtt-client";
import { FIRST_RETRY, KEEP_ALIVE, REPEAT } from "../../src/mqtt/limits";
import { Session } from "../../src/mqtt/session";
import type { MqttOptions } from "../../src/mqtt/types";
import { NO_EVENTS } from "../support/fakes/no-events";
import { mqttParts } from "../support/mqtt/mqtt-parts";
import { VirtualBroker } from "../support/mqtt/virtual-broker";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let board: SimulatedBoard;
let broker: VirtualBroker;
let events: string[];
let session: Session;

beforeEach(() => {
  board = poweredBoard();
  broker = new VirtualBroker();
  events = [];
  session = new Session({
    ...mqttParts(),
    json: new JsonWriter(),
    mqttClient: MQTTClient,
    tcp: broker.tcp,
    random: { get: () => Uint8Array.of(255).buffer },
    storage: { open: () => ({ read: () => undefined, write: () => undefined, close: () => undefined }) },
    uptime: () => Math.floor(board.clock.now / SECOND),
    time: () => undefined,
    events: { ...NO_EVENTS, add: (text: string) => void events.push(text) },
  } as unknown as MqttOptions);
});

const run = (ms: number): void => board.clock.runFor(ms);
const pings = (): number => broker.packets.filter((kind) => kind === "pingreq").length;

it("is 20 s, and the packets in between are few", () => {
  run(HOUR);
  expect(broker.connects.map(({ keepalive }) => keepalive)).toEqual([20]);
  expect(KEEP_ALIVE).toBe(20 * SECOND);
  // The SDK's client asks after three quarters of it.
  expect(pings()).toBeGreaterThanOrEqual(HOUR / KEEP_ALIVE);
  expect(pings()).toBeLessThanOrEqual((HOUR / KEEP_ALIVE) * 1.5);
});

it("holds a connection on which nothing changes, past the pauses between the repeated states", () => {
  expect(REPEAT * SECOND).toBeGreaterThan(1.5 * KEEP_ALIVE);
  run(HOUR);
  expect(broker.wills).toEqual([]);
  expect(events).toEqual(["mqtt\tconnected"]);
});

it.each([0, 5, 10, 14, 15, 20])(
  "holds a connection whose discovery begins after %i s and takes longer than a ping may wait",
  (after) => {
    run(10 * SECOND);
    run(after * SECOND);
    broker.pause = 1.5 * SECOND;
    const { length } = broker.packets;
    session.announce();
    run(HOUR);
    expect(broker.packets.slice(length)).toContain("pingreq");
    expect([broker.connects.length, broker.wills, events]).toEqual([1, [], ["mqtt\tconnected"]]);
  },
);

it("publishes everything in few turns: a busy script may take half a second for each", () => {
  run(10 * SECOND);
  const turns = vi.spyOn(session, "turn");
  session.announce();
  run(SECOND);
  expect(turns.mock.calls.length).toBeLessThan(80);
});

it("ends a connection whose other end is gone, within 1.5 times its time and a check of the client's", () => {
  run(10 * SECOND);
  broker.cut = true;
  run(KEEP_ALIVE - SECOND);
  expect(session.broker.connected).toBe(true);
  run(0.75 * KEEP_ALIVE + SECOND);
  expect(session.broker.connected).toBe(false);
  expect(events).toEqual(["mqtt\tconnected", "mqtt\tlost"]);
});

it("has the broker publish the will after 1.5 times its time, and the device connects again", () => {
  run(10 * SECOND);
  broker.cut = true;
  run(1.5 * KEEP_ALIVE);
  expect(broker.wills).toEqual(["offline"]);
  run(KEEP_ALIVE);
  broker.cut = false;
  run(4 * FIRST_RETRY + KEEP_ALIVE);
  expect(broker.connects).toHaveLength(2);
  expect(events.at(-1)).toBe("mqtt\tconnected");
});
