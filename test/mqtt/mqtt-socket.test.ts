import { Buffer } from "node:buffer";
import fc, { runs } from "../support/property";
import { generate, parser as makeParser, type IPublishPacket, type Packet } from "mqtt-packet";
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { MqttSocket, type MqttSocketOptions } from "../../src/mqtt/mqtt-socket";
import { MAX_ANSWER, MAX_INCOMING_TOPIC } from "../../src/mqtt/limits";
import { poweredBoard } from "../support/system/simulated-board";

let board: SimulatedBoard;
beforeEach(() => {
  board = poweredBoard();
});

type TcpOptions = Pick<MqttSocketOptions, "onReadable" | "onWritable" | "onError"> & {
  readonly target: MqttSocket;
  readonly address: string;
};

/** The platform's TCP class, with what the network is to bring in the test's hands. */
class TestTcp {
  static last: TestTcp;
  format = "buffer";
  readonly written: Buffer[] = [];
  closed = false;
  /** The other side has ended the connection: as the SDK's class for the ESP32. */
  ended = false;
  readonly #options: TcpOptions;
  #bytes = Buffer.alloc(0);
  readonly target: MqttSocket;

  constructor(options: object) {
    this.#options = options as TcpOptions;
    this.target = this.#options.target;
    TestTcp.last = this;
  }

  get address(): string {
    return this.#options.address;
  }

  bring(bytes: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    this.#options.onReadable.call(this, this.#bytes.length);
  }

  open(window: number): void {
    this.#options.onWritable.call(this, window);
  }

  fail(reason?: string): void {
    this.#options.onError.call(this, reason);
  }

  read(view: Uint8Array): number | undefined {
    // As the SDK's class for Linux does.
    if (view.length > this.#bytes.length) throw new Error("invalid");
    view.set(this.#bytes.subarray(0, view.length));
    this.#bytes = this.#bytes.subarray(view.length);
    return view.length;
  }

  write(bytes: Uint8Array): number {
    if (this.ended) throw new Error("not ready");
    this.written.push(Buffer.from(bytes));
    return 99;
  }

  close(): void {
    this.closed = true;
  }
}

/** Reads as the SDK's client does: as many bytes as it was told of, one by one or in pieces, or later. */
class Client {
  readonly packets: Packet[] = [];
  readonly errors: unknown[] = [];
  readonly windows: number[] = [];
  /** Of each PUBLISH, what the socket said of its RETAIN flag. */
  readonly flags: boolean[] = [];
  #isRetained: boolean | undefined;
  /** Bytes of each reading; undefined: byte by byte. */
  piece: number | undefined;
  /** Reads nothing when it is told, but when `later` is called. */
  lazy = false;
  throwing = false;
  readonly socket: MqttSocket;
  readonly #parser = makeParser({ protocolVersion: 4 });
  #offered = 0;

  constructor() {
    this.#parser.on("packet", (packet) => {
      this.packets.push(packet);
      if (packet.cmd === "publish") this.flags.push(this.#isRetained!);
    });
    this.#parser.on("error", (error) => this.errors.push(error));
    this.socket = new MqttSocket({
      tcp: TestTcp,
      address: "192.0.2.1",
      owner: {
        publishBegins: (isRetained: boolean) => (this.#isRetained = isRetained),
        socketFailed: () => undefined,
      },
      onReadable: (count: number) => {
        if (this.throwing) throw new TypeError("invalid UTF-8");
        this.#offered = count;
        if (!this.lazy) this.later();
      },
      onWritable: (count: number) => this.windows.push(count),
      onError: (error: unknown) => this.errors.push(error ?? "error"),
    } as MqttSocketOptions);
  }

  later(): void {
    while (this.#offered) {
      if (this.piece === undefined) {
        this.socket.format = "number";
        this.#parser.parse(Buffer.of(this.socket.read() as number));
        this.#offered--;
      } else {
        this.socket.format = "buffer";
        const view = new Uint8Array(Math.min(this.piece, this.#offered));
        expect(this.socket.read(view)).toBe(view.length);
        this.#parser.parse(Buffer.from(view));
        this.#offered -= view.length;
      }
    }
  }
}

const publish = (topic: string, payload: string | Uint8Array, qos: 0 | 1 | 2 = 0, retain = false): Buffer =>
  generate({
    cmd: "publish",
    topic,
    payload: Buffer.from(payload),
    qos,
    dup: false,
    retain,
    ...(qos && { messageId: 7 }),
  });
const messages = ({ packets }: Client): [string, string][] =>
  packets
    .filter((packet): packet is IPublishPacket => packet.cmd === "publish")
    .map(({ topic, payload }) => [topic, payload.toString()]);

describe("packets", () => {
  it("an empty payload becomes a blank, for every topic length and QoS", () => {
    const client = new Client();
    for (const qos of [0, 1, 2] as const)
      // 125 and 123 bytes of topic: with the blank the length takes another byte.
      for (const length of [1, 122, 123, 124, 125, 126, 300, MAX_INCOMING_TOPIC]) {
        const topic = "t".repeat(length);
        client.piece = length < 200 ? undefined : 500;
        TestTcp.last.bring(publish(topic, "", qos));
        TestTcp.last.bring(publish(topic, "x", qos));
        expect(messages(client).splice(-2)).toEqual([
          [topic, " "],
          [topic, "x"],
        ]);
      }
    expect(client.errors).toEqual([]);
  });

  it("all other packets pass unchanged, however they are split and read", () => {
    const control: Buffer[] = [
      generate({ cmd: "connack", returnCode: 0, sessionPresent: false }),
      generate({ cmd: "suback", messageId: 1, granted: [0, 128, 1] }),
      generate({ cmd: "puback", messageId: 2 }),
      generate({ cmd: "pingresp" }),
    ];
    const packet = fc.oneof(
      fc.constantFrom(...control),
      fc
        .record({
          topic: fc
            .string({ minLength: 1, maxLength: 200, unit: "grapheme-ascii" })
            .map((text) => `a${text.replace(/[+#]/g, "-")}`),
          payload: fc.oneof(fc.constant(""), fc.string({ maxLength: 400, unit: "grapheme-ascii" })),
          qos: fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 2),
          retain: fc.boolean(),
        })
        .map(({ topic, payload, qos, retain }) => publish(topic, payload, qos, retain)),
    );
    fc.assert(
      fc.property(
        fc.array(packet, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }),
        fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
        fc.boolean(),
        (packets, cuts, piece, lazy) => {
          const expected: Packet[] = [];
          const parser = makeParser({ protocolVersion: 4 }).on("packet", (each) => expected.push(each));
          for (const bytes of packets) parser.parse(bytes);
          const client = new Client();
          client.piece = piece;
          client.lazy = lazy;
          const stream = Buffer.concat(packets);
          for (let at = 0, n = 0; at < stream.length; n++) {
            const end = at + (cuts[n % cuts.length] as number);
            TestTcp.last.bring(stream.subarray(at, end));
            at = end;
            if (lazy) for (let turn = 0; turn < 3; turn++) read(client);
          }
          for (let turn = 0; turn <= packets.length; turn++) read(client);
          expect(client.errors).toEqual([]);
          const plain = (each: Packet): unknown =>
            each.cmd === "publish"
              ? [each.topic, each.qos, each.messageId, each.payload.length ? each.payload.toString("latin1") : " "]
              : [each.cmd, each.messageId, each.cmd === "suback" ? each.granted : undefined];
          expect(client.packets.map(plain)).toEqual(expected.map(plain));
          expect(client.flags).toEqual(expected.flatMap((each) => (each.cmd === "publish" ? [each.retain] : [])));
        },
      ),
      { numRuns: runs(300) },
    );
  });

  /** Reads what it was told of, and lets the socket tell of the next packet. */
  function read(client: Client): void {
    client.later();
    board.clock.runFor(1);
  }

  it("a packet is not reported before its length is known", () => {
    const client = new Client();
    const bytes = publish("topic", "");
    for (let at = 0; at < 3; at++) {
      TestTcp.last.bring(bytes.subarray(at, at + 1));
      expect(client.packets).toEqual([]);
    }
    TestTcp.last.bring(bytes.subarray(3));
    expect(messages(client)).toEqual([["topic", " "]]);
  });

  it.each<[string, (length: number) => Buffer, number]>([
    ["topic", (length) => publish("t".repeat(length), "payload"), MAX_INCOMING_TOPIC],
    [
      "answer",
      (length) => generate({ cmd: "suback", messageId: 1, granted: Array<number>(length - 2).fill(0) }),
      MAX_ANSWER,
    ],
  ])("of %s: one too long for the client's memory ends the connection before it is reported", (_, make, longest) => {
    for (const length of [longest - 1, longest, longest + 1]) {
      const client = new Client();
      TestTcp.last.bring(make(length));
      expect([client.packets.length, client.errors], String(length)).toEqual(
        length > longest ? [0, ["error"]] : [1, []],
      );
    }
  });

  it.each([
    ["without an end of its length", [0x30, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]],
    ["a PUBLISH without a topic", [0x30, 1, 0]],
  ])("malformed packets are passed to the client unchanged, for it to judge: %s", (_, bytes) => {
    const client = new Client();
    TestTcp.last.bring(Uint8Array.from(bytes));
    expect(client.errors).not.toEqual([]);
  });

  it("a length field has at most four bytes", () => {
    const client = new Client();
    TestTcp.last.bring(Uint8Array.of(0xd0, 0xff, 0xff, 0xff, 0xff));
    expect(client.errors).toEqual(["error"]);
  });
});

describe("everything else", () => {
  it("passes: writes, the window, errors, the options of the connection", () => {
    const client = new Client();
    const tcp = TestTcp.last;
    expect(tcp.address).toBe("192.0.2.1");
    expect(client.socket.write(Uint8Array.of(1, 2))).toBe(99);
    expect(tcp.written).toEqual([Buffer.of(1, 2)]);
    tcp.open(1_000);
    expect(client.windows).toEqual([1_000]);
    tcp.fail();
    expect(client.errors).toEqual(["error"]);
  });

  it("reports why it failed, if known", () => {
    const reasons: string[] = [];
    const socket = new MqttSocket({
      tcp: TestTcp,
      owner: { publishBegins: () => undefined, socketFailed: (reason) => reasons.push(reason) },
      onReadable: () => undefined,
      onWritable: () => undefined,
      onError: () => undefined,
    });
    TestTcp.last.fail();
    expect(reasons).toEqual([]);
    TestTcp.last.fail("not-tls");
    expect(reasons).toEqual(["not-tls"]);
    socket.close();
  });

  it("reports a failed write once, in a separate callback, and writes nothing more", () => {
    const client = new Client();
    const tcp = TestTcp.last;
    tcp.ended = true;
    expect(client.socket.write(Uint8Array.of(1))).toBe(0);
    tcp.ended = false;
    expect(client.socket.write(Uint8Array.of(2))).toBe(0);
    expect(client.errors).toEqual([]);
    expect(tcp.written).toEqual([]);
    board.clock.runFor(10);
    expect(client.errors).toEqual(["error"]);
  });

  it("reports an exception of the client once, in a separate callback, and notifies it of nothing more", () => {
    const client = new Client();
    client.throwing = true;
    const tcp = TestTcp.last;
    tcp.bring(Buffer.concat([publish("a", "1"), publish("b", "2")]));
    client.throwing = false;
    tcp.bring(publish("c", "3"));
    expect([messages(client), client.errors]).toEqual([[], []]);
    board.clock.runFor(10);
    expect([messages(client), client.errors]).toEqual([[], ["error"]]);
  });

  it("reports a failed write at the next one if there was no memory for the timer", () => {
    const client = new Client();
    const tcp = TestTcp.last;
    tcp.ended = true;
    board.refusals.failAllocation(1);
    expect(client.socket.write(Uint8Array.of(1))).toBe(0);
    board.clock.runFor(10);
    expect(client.errors).toEqual([]);
    expect(client.socket.write(Uint8Array.of(2))).toBe(0);
    board.clock.runFor(10);
    expect(client.errors).toEqual(["error"]);
  });

  it("announces a packet with the next bytes if there was no memory for the timer", () => {
    const client = new Client();
    client.lazy = true;
    const tcp = TestTcp.last;
    tcp.bring(Buffer.concat([publish("a", "1"), publish("b", "2")]));
    board.refusals.failAllocation(1);
    client.later();
    board.clock.runFor(10);
    client.later();
    expect(messages(client)).toEqual([["a", "1"]]);
    client.lazy = false;
    tcp.bring(publish("c", "3"));
    board.clock.runFor(10);
    expect(messages(client)).toEqual([
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ]);
  });

  it("does not report a failed write after close", () => {
    const client = new Client();
    TestTcp.last.ended = true;
    client.socket.write(Uint8Array.of(1));
    client.socket.close();
    board.clock.runFor(10);
    expect(client.errors).toEqual([]);
  });

  it("reports nothing after close", () => {
    const client = new Client();
    client.lazy = true;
    const tcp = TestTcp.last;
    tcp.bring(Buffer.concat([publish("a", "1"), publish("b", "2")]));
    client.later();
    client.socket.close();
    expect(tcp.closed).toBe(true);
    board.clock.runFor(10);
    client.later();
    expect(messages(client)).toEqual([["a", "1"]]);
    expect(client.socket.read(new Uint8Array(4))).toBeUndefined();
  });
});
