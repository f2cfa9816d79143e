import { describe, expect, it } from "vitest";
import { SnmpAgent } from "snmp-agent/agent";
import { MAX_DROPPED_AT_ONCE, MAX_REQUESTS_AT_ONCE } from "snmp-agent/limits";
import { arcs } from "snmp-agent/oid";
import { GET, GET_BULK, parse, request, type Answer } from "../support/peers/snmp";
import { SCALARS, SUBTREES, Toy } from "./toy";

type Packet = ArrayBuffer & { address: string; port: number };

/** The socket of a device, with its queue in the test's hand. */
class Socket {
  static last: Socket;
  readonly target: unknown;
  readonly #onReadable: (count: number) => void;
  readonly queue: Packet[] = [];
  readonly sent: { answer: Answer; address: string; port: number }[] = [];
  failing = false;
  closed = false;

  constructor(options: { port?: number; target?: unknown; onReadable?: (count: number) => void }) {
    const { port, target, onReadable } = options;
    if (port === 1) throw new Error("port in use");
    this.target = target;
    this.#onReadable = onReadable!;
    Socket.last = this;
  }

  read(): Packet | undefined {
    if (this.closed) throw new TypeError("closed");
    return this.queue.shift();
  }

  write(bytes: Uint8Array, address: string, port: number): void {
    if (this.failing) throw new Error("no route");
    this.sent.push({ answer: parse(bytes), address, port });
  }

  close(): void {
    this.closed = true;
  }

  /** So many requests come at once; their ids count on from `id`. */
  receive(count: number, id = 0): void {
    for (let at = 0; at < count; at++) {
      const { buffer } = request(["1.3.6.1.4.1.99.1.1.0"], { pdu: GET, id: id + at });
      this.queue.push(Object.assign(buffer as ArrayBuffer, { address: "10.0.0.9", port: 4000 + at }));
    }
    this.#onReadable.call(this, this.queue.length);
  }

  get ids(): number[] {
    return this.sent.map(({ answer }) => answer.id);
  }
}

function start(community = "public"): { agent: SnmpAgent<Toy>; socket: Socket; toy: Toy } {
  const toy = new Toy();
  const io = Socket as unknown as ConstructorParameters<typeof SnmpAgent<Toy>>[0]["socket"]["io"];
  const agent = new SnmpAgent({
    socket: { io, port: 161 },
    context: toy,
    subtrees: SUBTREES,
    counters: toy.counters,
    community,
  });
  return { agent, socket: Socket.last, toy };
}

describe("an agent on a socket", () => {
  it("answers the sender", () => {
    const { socket } = start();
    socket.receive(2, 7);
    expect(socket.sent).toMatchObject([
      { address: "10.0.0.9", port: 4000, answer: { id: 7, bindings: [{ value: -7 }] } },
      { address: "10.0.0.9", port: 4001, answer: { id: 8 } },
    ]);
  });

  it("survives a network that refuses the answer", () => {
    const { socket, toy } = start();
    socket.failing = true;
    socket.receive(1);
    socket.failing = false;
    socket.receive(1, 1);
    expect([socket.ids, toy.counters.inPkts]).toEqual([[1], 2]);
  });

  it(`answers ${MAX_REQUESTS_AT_ONCE} requests at once and drops the rest`, () => {
    for (const count of [MAX_REQUESTS_AT_ONCE - 1, MAX_REQUESTS_AT_ONCE, MAX_REQUESTS_AT_ONCE + 1]) {
      const { socket } = start();
      socket.receive(count);
      expect(socket.sent).toHaveLength(Math.min(count, MAX_REQUESTS_AT_ONCE));
      expect(socket.queue).toEqual([]);
    }
  });

  it("is not blocked by a flood", () => {
    const { socket } = start();
    const all = MAX_REQUESTS_AT_ONCE + MAX_DROPPED_AT_ONCE;
    socket.receive(all + 1);
    expect(socket.queue).toHaveLength(1);
    socket.receive(0);
    expect(socket.ids).toEqual([0, 1, 2, 3, all]);
  });

  it("changes its community", () => {
    const { agent, socket, toy } = start("old");
    socket.receive(1);
    agent.community = "public";
    socket.receive(1, 1);
    expect([socket.ids, toy.counters.badCommunityNames]).toEqual([[1], 1]);
    expect(() => (agent.community = "x".repeat(33))).toThrow(RangeError);
  });

  it("ignores a callback after close", () => {
    const { agent, socket } = start();
    agent.close();
    socket.receive(1);
    expect([socket.closed, socket.sent]).toEqual([true, []]);
  });

  it("sends notifications, or reports that it could not", () => {
    const { agent, socket } = start();
    const notification = { uptime: 5, trap: arcs(1, 3, 6), subtree: SCALARS, objects: arcs(1) };
    expect(agent.notify("10.0.0.1", 162, notification)).toBe(true);
    expect(socket.sent).toMatchObject([
      { address: "10.0.0.1", port: 162, answer: { bindings: [{}, {}, { value: -7 }] } },
    ]);
    socket.failing = true;
    expect(agent.notify("10.0.0.1", 162, notification)).toBe(false);
    socket.failing = false;
    expect(agent.notify("10.0.0.1", 162, { ...notification, objects: arcs(4) })).toBe(false);
    expect(socket.sent).toHaveLength(1);
  });

  it("fails if the socket does", () => {
    const io = Socket as unknown as ConstructorParameters<typeof SnmpAgent<Toy>>[0]["socket"]["io"];
    expect(
      () => new SnmpAgent({ socket: { io, port: 1 }, context: new Toy(), subtrees: SUBTREES, community: "" }),
    ).toThrow("port in use");
  });
});

it("answers an unknown sender's GETBULK with at most 8 times its bytes, and a known one's in full", () => {
  const { agent, socket, toy } = start();
  toy.rows = Array.from({ length: 300 }, (_, at) => at + 1);
  const sizes: number[] = [];
  const packet = request(["1.3.6.1.4.1.99.2.1.2"], { pdu: GET_BULK, second: 60 });
  socket.write = (bytes) => void sizes.push(bytes.length);
  const ask = (): void => {
    socket.queue.push(Object.assign(packet.slice().buffer, { address: "10.0.0.9", port: 4000 }));
    agent.readable();
  };
  ask();
  expect(sizes[0]).toBeLessThanOrEqual(8 * packet.length);
  Object.assign(agent, { known: { knows: (address: string) => address === "10.0.0.9" } });
  ask();
  expect(sizes[1]).toBeGreaterThan(8 * packet.length);
});
