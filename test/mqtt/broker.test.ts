import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { Broker } from "../../src/mqtt/broker";
import { CONNECT_TIMEOUT, FIRST_RETRY, HEARTBEAT, MAX_RETRY, STABLE } from "../../src/mqtt/limits";
import { Topics } from "../../src/mqtt/topics";
import { mqttParts } from "../support/mqtt-parts";
import { poweredBoard } from "../support/simulated-board";

/** The platform's client as the broker's callbacks see it: what they are called on. */
interface ClientOptions {
  readonly target: unknown;
  onControl(message: { operation: number; payload?: number[] }): void;
  onWritable(count: number): void;
  onError(): void;
}

const CONNACK = 2;

describe("the connection", () => {
  let board: SimulatedBoard;
  let made: { at: number; client: ClientOptions; closed: boolean }[];
  let asked: string[];
  let problems: string[];
  let broker: Broker;
  let chance: number;

  beforeEach(() => {
    board = poweredBoard({ ticks: 2 ** 31 - 90_000 });
    made = [];
    asked = [];
    problems = [];
    chance = 255;
  });

  function start(host = "192.168.1.2", dns1 = ""): void {
    const { settings, network } = mqttParts();
    settings.mqtt = { ...settings.mqtt, host };
    class Client {
      readonly #made;
      constructor(options: ClientOptions) {
        const client: ClientOptions = Object.assign(this, options);
        made.push((this.#made = { at: board.clock.now, client, closed: false }));
      }
      write(_: unknown, { items }: { items: { topic: string }[] }): number {
        asked.push(...items.map(({ topic }) => topic));
        return 5_000;
      }
      close(): void {
        this.#made.closed = true;
      }
    }
    broker = new Broker({
      parts: {
        settings,
        network: { ...network, dns1, dns2: "" },
        mqttClient: Client as never,
        resolver: undefined as never,
        tcp: undefined as never,
        tls: undefined,
        time: () => undefined,
        udp: undefined as never,
        random: { get: () => Uint8Array.of(chance).buffer },
      },
      topics: new Topics(network, settings),
      paused: false,
      brokerConnected: () => undefined,
      brokerDisconnected: (problem) => problems.push(problem),
      brokerWritable: () => undefined,
      brokerMessage: () => undefined,
    });
  }

  const tick = (milliseconds: number): void => {
    for (let passed = 0; passed < milliseconds; passed += HEARTBEAT) {
      board.clock.runFor(HEARTBEAT);
      broker.watch();
    }
  };
  const last = (): ClientOptions => made.at(-1)!.client;
  /** The connection is lost; answers the ms to the next try. */
  const pause = (): number => {
    const { length } = made;
    const at = board.clock.now;
    last().onError();
    board.clock.runFor(MAX_RETRY);
    expect(made).toHaveLength(length + 1);
    return made[length]!.at - at;
  };

  it.each([
    [0, 0.5],
    [255, 1],
  ])("is tried ever more seldom, at most every two minutes; chance %i", (given, share) => {
    chance = given;
    start();
    for (let tries = 0; tries < 12; tries++) {
      const longest = share * Math.min(MAX_RETRY, FIRST_RETRY * 2 ** tries);
      const gap = pause();
      expect(gap).toBeLessThanOrEqual(longest);
      expect(gap).toBeGreaterThan(0.98 * longest - 10);
    }
  });

  it("begins with short pauses again after one that held, not after one that did not", () => {
    start();
    for (let tries = 0; tries < 5; tries++) pause();
    const lose = (after: number): number => {
      last().onControl({ operation: CONNACK });
      tick(after);
      return pause();
    };
    expect(lose(STABLE - 5 * HEARTBEAT)).toBeGreaterThan(10 * FIRST_RETRY);
    expect(lose(STABLE + HEARTBEAT)).toBeLessThanOrEqual(FIRST_RETRY);
  });

  it("is given up when the broker does not answer, and the client is closed", () => {
    start();
    tick(CONNECT_TIMEOUT - HEARTBEAT);
    expect(problems).toEqual([]);
    tick(HEARTBEAT);
    expect(problems).toEqual(["The broker does not answer."]);
    expect(made[0]?.closed).toBe(true);
  });

  it("asks for every topic by itself, each once", () => {
    start();
    last().onControl({ operation: CONNACK });
    last().onWritable(5_700);
    expect(asked).toHaveLength(4 + 6 + 21);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.join()).not.toMatch(/[+#]/);
  });

  it("without anybody to ask for the name it says so, and tries again", () => {
    start("broker.example");
    expect(problems).toEqual(["The broker's name is not known."]);
    board.clock.runFor(60_000);
    expect(problems.length).toBeGreaterThan(2);
    expect(made).toEqual([]);
  });

  it("tries no more once it is closed", () => {
    start();
    last().onError();
    broker.close(true);
    board.clock.runFor(10 * MAX_RETRY);
    expect(made).toHaveLength(1);
  });
});
