/** The socket, with a session of the test's in the place of the SDK's, which is tried in test/xs-linux. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_FRAGMENT, RESERVE } from "tls-socket/limits";
import { Untrusted } from "tls-socket/path";
import { Refused } from "tls-socket/server-messages";
import type { SimulatedBoard } from "../../host-sim/board";
import { poweredBoard } from "../support/simulated-board";

interface Fake {
  /** Steps that are left until the handshake is complete. */
  steps: number;
  /** A step needs nothing that has come. */
  isDue: boolean;
  /** What the next step throws. */
  fault: unknown;
  /** What has been decrypted; null: an alert. */
  records: (Uint8Array | null)[];
  readonly written: { bytes: Uint8Array; more: boolean }[];
}

let fake: Fake;

vi.mock("tls-socket/session", () => ({
  Session: class {
    get isDue(): boolean {
      return fake.isDue;
    }
    advance(): boolean {
      if (fake.fault) throw fake.fault as Error;
      return --fake.steps <= 0;
    }
    read(tcp: { readable: number }): Uint8Array | null | undefined {
      const next = fake.records.shift();
      if (!fake.records.length) tcp.readable = 0;
      return next;
    }
    write(_: unknown, bytes: Uint8Array, options?: { more?: boolean }): number {
      fake.written.push({ bytes, more: options?.more === true });
      return 10_000;
    }
  },
}));
const { default: TlsSocket } = await import("tls-socket/tls-socket");

class Tcp {
  static last: Tcp;
  closed = false;
  readable = 0;
  constructor(
    readonly options: {
      format: string;
      target: unknown;
      onReadable: (count: number) => void;
      onWritable: (count: number) => void;
      onError: () => void;
    },
  ) {
    Tcp.last = this;
  }
  get target(): unknown {
    return this.options.target;
  }
  comes(count: number): void {
    this.options.onReadable.call(this, count);
  }
  room(count: number): void {
    this.options.onWritable.call(this, count);
  }
  ends(): void {
    this.options.onError.call(this);
  }
  close(): void {
    this.closed = true;
  }
}

describe("the TLS socket", () => {
  let board: SimulatedBoard;
  let told: unknown[][];
  const quiet = { paused: false };
  let socket: InstanceType<typeof TlsSocket>;

  beforeEach(() => {
    board = poweredBoard();
    fake = { steps: 3, isDue: true, fault: undefined, records: [], written: [] };
    told = [];
    quiet.paused = false;
    socket = new TlsSocket({
      TCP: { io: Tcp as never },
      address: "192.0.2.1",
      port: 8883,
      host: "broker",
      secure: { certificate: new ArrayBuffer(0), date: 0, quiet },
      onReadable: (count) => told.push(["readable", count]),
      onWritable: (count) => told.push(["writable", count]),
      onError: (reason) => told.push(["error", reason]),
    });
  });

  const open = (): void => {
    Tcp.last.room(5_000);
    board.clock.runFor(100);
    told.length = 0;
  };

  it("tells of room once the handshake is complete, less what a record adds, and no more than a record holds", () => {
    expect(() => socket.write(new Uint8Array(1))).toThrow();
    Tcp.last.room(2_000);
    expect(told).toEqual([]);
    board.clock.runFor(100);
    expect(told).toEqual([["writable", 2_000 - RESERVE]]);
    Tcp.last.room(RESERVE);
    Tcp.last.room(MAX_FRAGMENT + RESERVE + 1);
    expect(told.slice(1)).toEqual([["writable", MAX_FRAGMENT]]);
    expect(socket.write(Uint8Array.of(1), { more: true })).toBe(MAX_FRAGMENT);
    expect(fake.written).toEqual([{ bytes: Uint8Array.of(1), more: true }]);
  });

  it("does a step in a turn of its own, and none while the processor is needed by others", () => {
    fake.steps = 100;
    Tcp.last.room(2_000);
    quiet.paused = true;
    board.clock.runFor(500);
    expect(fake.steps).toBe(100);
    quiet.paused = false;
    const stops = [0, 0, 0].map(() => {
      board.clock.runFor(5);
      return fake.steps;
    });
    expect(stops[0]).toBeLessThan(100);
    board.clock.runFor(1_000);
    expect(told).toEqual([["writable", 2_000 - RESERVE]]);
  });

  it("does one step at a time, however often it is told that something has come", () => {
    fake.isDue = false;
    for (let times = 5; times; times--) Tcp.last.comes(0);
    board.clock.runFor(10);
    expect(fake.steps).toBe(2);
  });

  it("goes on with the handshake as long as something has come that is not read", () => {
    fake.isDue = false;
    Tcp.last.comes(1);
    board.clock.runFor(100);
    Tcp.last.room(2_000);
    expect(told).toEqual([["writable", 2_000 - RESERVE]]);
  });

  it("reads what came before it was open, and nothing new before the last is read", () => {
    fake.records = [Uint8Array.of(1, 2, 3), Uint8Array.of(4)];
    Tcp.last.comes(100);
    board.clock.runFor(100);
    expect(told).toEqual([["readable", 3]]);
    Tcp.last.comes(200);
    board.clock.runFor(100);
    expect(told).toHaveLength(1);
    const three = new Uint8Array(3);
    expect(socket.read(three)).toBe(3);
    expect([...three]).toEqual([1, 2, 3]);
  });

  it("is one of buffers, as is the TCP socket below", () => {
    expect(Tcp.last.options.format).toBe("buffer");
    expect(socket.format).toBe("buffer");
    socket.format = "buffer";
    expect(() => (socket.format = "number")).toThrow(RangeError);
  });

  it("hands out a record at a time, however it is read, and reads on when it is empty", () => {
    open();
    fake.records = [Uint8Array.of(1, 2, 3), Uint8Array.of(), Uint8Array.of(4)];
    Tcp.last.comes(100);
    board.clock.runFor(10);
    expect(told).toEqual([["readable", 3]]);
    const two = new Uint8Array(2);
    expect(socket.read(two)).toBe(2);
    expect([...two]).toEqual([1, 2]);
    board.clock.runFor(10);
    expect(told).toHaveLength(1);
    expect(socket.read(two)).toBe(1);
    expect(two[0]).toBe(3);
    board.clock.runFor(10);
    expect(told).toEqual([
      ["readable", 3],
      ["readable", 1],
    ]);
    expect(socket.read(new Uint8Array(10))).toBe(1);
    expect(socket.read(two)).toBeUndefined();
  });

  it.each([new Refused("The server does not speak TLS."), new Untrusted("The server does not speak TLS.")])(
    "tells why it failed, and is closed then",
    (reason) => {
      fake.fault = reason;
      Tcp.last.room(2_000);
      board.clock.runFor(100);
      expect(told).toEqual([["error", "The server does not speak TLS."]]);
      expect(Tcp.last.closed).toBe(true);
      Tcp.last.ends();
      Tcp.last.comes(1);
      Tcp.last.room(1);
      board.clock.runFor(100);
      expect(told).toHaveLength(1);
    },
  );

  it("keeps to itself what is only for developers", () => {
    fake.fault = new TypeError("undefined is not a key");
    Tcp.last.room(2_000);
    board.clock.runFor(100);
    expect(told).toEqual([["error", "TLS failed."]]);
  });

  it("tells a connection that ends in the handshake from one that ends later", () => {
    Tcp.last.ends();
    expect(told).toEqual([["error", "The server ends the connection in the TLS handshake."]]);
  });

  it.each([["the connection", () => Tcp.last.ends()] as const, ["an alert", () => Tcp.last.comes(1)] as const])(
    "is at its end with %s",
    (_, end) => {
      open();
      fake.records = [null];
      end();
      board.clock.runFor(10);
      expect(told).toEqual([["error", undefined]]);
      expect(Tcp.last.closed).toBe(true);
    },
  );

  it("says nothing once it is closed", () => {
    Tcp.last.room(2_000);
    socket.close();
    board.clock.runFor(100);
    expect(told).toEqual([]);
    expect(Tcp.last.closed).toBe(true);
    socket.close();
  });

  it("has nothing to read and writes nothing once it is closed", () => {
    open();
    fake.records = [Uint8Array.of(1)];
    Tcp.last.comes(100);
    board.clock.runFor(10);
    socket.close();
    expect(socket.read(new Uint8Array(1))).toBeUndefined();
    expect(() => socket.write(new Uint8Array(1))).toThrow("closed");
    expect(fake.written).toEqual([]);
  });
});
