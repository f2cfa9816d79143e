import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { Broker } from "../../src/mqtt/broker";
import { CONNECT_TIMEOUT, FIRST_RETRY, HEARTBEAT, MAX_RETRY, STABLE, TOPICS_A_PACKET } from "../../src/mqtt/limits";
import { TLS_NEED } from "../../src/network/limits";
import { Topics } from "../../src/mqtt/topics";
import { mqttParts } from "../support/mqtt/mqtt-parts";
import { poweredBoard } from "../support/system/simulated-board";

/** The platform's client as the broker's callbacks see it: what they are called on. */
interface ClientOptions {
  readonly target: unknown;
  onControl(message: { operation: number; payload?: number[] }): void;
  onWritable(count: number): void;
  onError(): void;
}

const CONNACK = 2;
const SUBACK = 9;
const DISCONNECT = 14;

describe("the connection", () => {
  let board: SimulatedBoard;
  let made: { at: number; client: ClientOptions; closed: boolean }[];
  let asked: string[];
  let problems: string[];
  let broker: Broker;
  let chance: number;
  let network: { ip: string };
  /** The platform's client at its worst: what goes wrong while it is made, written to, closed. */
  let trouble: { making?: (client: ClientOptions) => void; writing?: () => void; closing?: () => void };
  let written: unknown[];
  let parts: ConstructorParameters<typeof Broker>[0]["parts"];

  beforeEach(() => {
    trouble = {};
    written = [];
    board = poweredBoard({ ticks: 2 ** 31 - 90_000 });
    made = [];
    asked = [];
    problems = [];
    chance = 255;
  });

  function start(
    host = "192.168.1.2",
    dns1 = "",
    tls: { handshakeOwner: object | undefined } | undefined = undefined,
  ): void {
    const { settings, network: given } = mqttParts();
    const own = { ...given, dns1, dns2: "" };
    network = own;
    settings.mqtt = { ...settings.mqtt, host, tls: tls !== undefined };
    class Client {
      readonly #made;
      constructor(options: ClientOptions) {
        const client: ClientOptions = Object.assign(this, options);
        made.push((this.#made = { at: board.clock.now, client, closed: false }));
        trouble.making?.(client);
      }
      write(bytes: unknown, options: { items?: { topic: string }[] }): number {
        trouble.writing?.();
        const { items } = options;
        if (items) asked.push(...items.map(({ topic }) => topic));
        else
          written.push(bytes instanceof Uint8Array ? { ...options, text: new TextDecoder().decode(bytes) } : options);
        return 5_000;
      }
      close(): void {
        this.#made.closed = true;
        trouble.closing?.();
      }
    }
    parts = {
      settings,
      network: own,
      mqttClient: Client as never,
      handshakeOwner: tls?.handshakeOwner,
      resolver: undefined as never,
      tcp: undefined as never,
      tls: undefined,
      time: () => (tls ? 1_800_000_000 : undefined),
      udp: undefined as never,
      random: { get: () => Uint8Array.of(chance).buffer },
    };
    broker = new Broker({
      parts,
      topics: new Topics(own, settings),
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
  ])("is tried ever less often, down to every MAX_RETRY; chance %i", (given, share) => {
    chance = given;
    start();
    for (let tries = 0; tries < 12; tries++) {
      const longest = share * Math.min(MAX_RETRY, FIRST_RETRY * 2 ** tries);
      const gap = pause();
      expect(gap).toBeLessThanOrEqual(longest);
      expect(gap).toBeGreaterThan(0.98 * longest - 10);
    }
  });

  it("over TLS waits for another's handshake, says nothing, and begins soon after it, whatever failed before", () => {
    start(undefined, undefined, { handshakeOwner: undefined });
    for (let tries = 0; tries < 5; tries++) pause();
    last().onError();
    const { length } = made;
    problems.length = 0;
    parts.handshakeOwner = {};
    tick(4 * MAX_RETRY);
    expect([made.length, problems]).toEqual([length, []]);
    parts.handshakeOwner = undefined;
    board.clock.runFor(FIRST_RETRY);
    expect([made.length, parts.handshakeOwner]).toEqual([length + 1, broker]);
  });

  it.each<[string, () => void]>([
    ["is answered", () => last().onControl({ operation: CONNACK })],
    ["fails", () => last().onError()],
    ["is not answered", () => tick(CONNECT_TIMEOUT + HEARTBEAT)],
    ["is given up", () => broker.close(false)],
  ])("over TLS is in its handshake until it %s", (_, end) => {
    // So that the next try is later.
    chance = 255;
    start(undefined, undefined, { handshakeOwner: undefined });
    expect(parts.handshakeOwner).toBe(broker);
    end();
    expect(parts.handshakeOwner).toBeUndefined();
  });

  it.each([
    [0, 0, []],
    [1, 0, ["tls-memory"]],
    [0, 1, ["tls-memory"]],
  ])("over TLS needs memory; %i bytes less, %i in the largest block: %j", (less, smaller, told) => {
    board.heap = [TLS_NEED.free - less, 0, TLS_NEED.block - smaller];
    start(undefined, undefined, { handshakeOwner: undefined });
    expect([problems, made.length]).toEqual([told, 1 - told.length]);
    board.heap = [TLS_NEED.free, 0, TLS_NEED.block];
    board.clock.runFor(FIRST_RETRY);
    expect([problems, made.length]).toEqual([told, 1]);
  });

  it("resets the back-off after a stable connection, not after a short one", () => {
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

  it("is tried at once when the network returns, or another address comes", () => {
    start();
    for (let tries = 0; tries < 8; tries++) pause();
    network.ip = "";
    pause();
    last().onError();
    const { length } = made;
    tick(10 * HEARTBEAT);
    expect(made).toHaveLength(length);
    network.ip = "192.168.1.7";
    tick(HEARTBEAT);
    expect(made).toHaveLength(length + 1);
    // The back-off has started over, and stays with an address that does not change.
    for (let tries = 0; tries < 3; tries++) expect(pause()).toBeLessThanOrEqual(FIRST_RETRY * 2 ** tries);
    last().onError();
    network.ip = "192.168.1.8";
    tick(HEARTBEAT);
    expect(made).toHaveLength(length + 5);
    board.clock.runFor(MAX_RETRY);
    expect(made).toHaveLength(length + 5);
  });

  it("is abandoned if the broker does not answer, and the client is closed", () => {
    start();
    tick(CONNECT_TIMEOUT - HEARTBEAT);
    expect(problems).toEqual([]);
    tick(HEARTBEAT);
    expect(problems).toEqual(["no-answer"]);
    expect(made[0]?.closed).toBe(true);
  });

  it("subscribes to each topic individually, once", () => {
    start();
    last().onControl({ operation: CONNACK });
    last().onWritable(5_700);
    expect(asked).toHaveLength(4 + 6 + 21);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.join()).not.toMatch(/[+#]/);
  });

  it("reports that no name can be looked up, and retries", () => {
    start("broker.example");
    expect(problems).toEqual(["unknown-host"]);
    board.clock.runFor(60_000);
    expect(problems.length).toBeGreaterThan(2);
    expect(made).toEqual([]);
  });

  const NONE = "no-connection";

  it.each<[string, (client: ClientOptions) => void]>([
    [
      "refuses to be made",
      () => {
        throw new Error("no memory");
      },
    ],
    ["fails while it is made", (client) => client.onError()],
  ])("with a client that %s reports it and retries", (_, making) => {
    trouble.making = making;
    start();
    expect(problems).toEqual([NONE]);
    board.clock.runFor(FIRST_RETRY);
    expect(problems).toEqual([NONE, NONE]);
    trouble = {};
    board.clock.runFor(2 * FIRST_RETRY);
    last().onControl({ operation: CONNACK });
    expect(broker.connected).toBe(true);
  });

  it("is made again even if the old client cannot be closed", () => {
    trouble.closing = () => {
      throw new Error("closed already");
    };
    start();
    expect(pause()).toBeLessThanOrEqual(FIRST_RETRY);
    expect(problems).toEqual(["unreachable"]);
  });

  it("continues without refused topics", () => {
    start();
    last().onControl({ operation: CONNACK });
    last().onWritable(5_700);
    const packets = Math.ceil(asked.length / TOPICS_A_PACKET);
    for (let packet = 0; packet < packets; packet++) last().onControl({ operation: SUBACK, payload: [0, 0x80] });
    tick(2 * HEARTBEAT);
    expect([broker.connected, problems]).toEqual([true, []]);
  });

  const connect = (room: number): void => {
    start();
    last().onControl({ operation: CONNACK });
    last().onWritable(5_700);
    last().onWritable(room);
  };

  it("sends DISCONNECT when closed for good", () => {
    connect(5_700);
    broker.close(true);
    expect(written).toEqual([
      expect.objectContaining({
        topic: expect.stringMatching(/\/availability$/) as string,
        retain: true,
        text: "offline",
      }),
      { operation: DISCONNECT },
    ]);
    expect(made[0]?.closed).toBe(true);
  });

  it.each<[string, () => void]>([
    ["without room for it", () => connect(10)],
    ["not asked for", () => connect(5_700)],
    [
      "in the middle of a message",
      () => {
        connect(5_700);
        trouble.writing = () => {
          throw new Error("more of the message is due");
        };
      },
    ],
  ])("sends none %s, and is closed all the same", (what, begin) => {
    begin();
    broker.close(what !== "not asked for");
    expect(written).toEqual([]);
    expect(made[0]?.closed).toBe(true);
  });

  it("is not retried once closed", () => {
    start();
    last().onError();
    broker.close(true);
    board.clock.runFor(10 * MAX_RETRY);
    expect(made).toHaveLength(1);
  });
});
