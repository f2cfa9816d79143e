import { describe, expect, it } from "vitest";
import type TCP from "embedded:io/socket/tcp";
import { ClientSocket, type SendMemory, type SocketOwner } from "http-server/client-socket";
import {
  ADDRESS_SEGMENTS,
  MAX_SENT_SEGMENTS,
  MAX_SMALL_WRITES,
  SEGMENT_BYTES,
  SMALL_WRITE_BYTES,
} from "http-server/limits";

const WINDOW = 5_744;

const memory = (): SendMemory => ({
  sent: 0,
  short: false,
  waiting: undefined,
  sentTo: () => 0,
  fault: () => undefined,
});

const owner: SocketOwner = { readable: () => undefined, writable: () => undefined, close: () => undefined };

/** A socket of the platform whose `read` and `write` answer as told; undefined: the connection has closed. */
function opened(answer: () => number | undefined = () => WINDOW, shared = memory()) {
  const socket = new ClientSocket(shared, "192.0.2.1");
  const given: Record<string, unknown>[] = [];
  let closed = 0;
  class Platform {
    constructor(options: object) {
      given.push({ ...options });
    }
    read = answer;
    write = answer;
    close(): void {
      closed++;
    }
  }
  socket.open(Platform as unknown as new () => TCP, {} as TCP, owner);
  socket.onWritable(WINDOW);
  socket.readable = 10;
  return { socket, given, closed: () => closed };
}

it("sends without waiting for more, and reads buffers", () => {
  expect(opened().given).toMatchObject([{ nodelay: true, format: "buffer", target: owner }]);
});

describe("a connection that has closed", () => {
  it.each([
    ["undefined", () => undefined],
    [
      "an exception",
      () => {
        throw new Error("closed");
      },
    ],
  ])("is told by %s of the platform", (_, answer) => {
    const { socket } = opened(answer);
    expect([socket.read(new Uint8Array(4)), socket.write(new Uint8Array(4))]).toEqual([false, false]);
    expect([socket.readable, socket.window]).toEqual([10, WINDOW]);
  });

  it("is closed once, and neither read nor written again", () => {
    const { socket, closed } = opened();
    expect(socket.isOpen).toBe(true);
    socket.close();
    socket.close();
    expect([socket.isOpen, closed(), socket.readable, socket.window]).toEqual([false, 1, 0, 0]);
    expect([socket.read(new Uint8Array(4)), socket.write(new Uint8Array(4))]).toEqual([false, false]);
  });
});

it.each([
  ["would block", WINDOW, 1],
  ["would block", WINDOW + 1, 0],
  ["not ready", WINDOW, 0],
])("a write that fails as '%s', of %i bytes, is a fault of the device, %i times", (words, bytes, faults) => {
  const told: unknown[] = [];
  const shared = { ...memory(), fault: (error: unknown) => told.push(error) };
  const { socket } = opened(() => {
    throw new Error(words);
  }, shared);
  expect(socket.write(new Uint8Array(bytes))).toBe(false);
  expect(told.map(String)).toEqual(Array(faults).fill(`Error: ${words}`));
});

it("what has been read is no longer readable", () => {
  const { socket } = opened();
  expect(socket.read(new Uint8Array(4))).toBe(true);
  expect(socket.readable).toBe(6);
});

describe("the window", () => {
  it("has room for what fits; if fully open, for part of anything; if closed, for nothing", () => {
    const { socket } = opened(() => 100);
    expect([socket.hasRoom(WINDOW), socket.hasRoom(WINDOW + 1), socket.idle]).toEqual([true, true, true]);
    expect(socket.write(new Uint8Array(1000))).toBe(true);
    expect([socket.hasRoom(99), socket.hasRoom(100), socket.hasRoom(101), socket.idle]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(new ClientSocket(memory(), "192.0.2.1").hasRoom(0)).toBe(false);
  });

  it("reports the bytes acknowledged, never a negative number", () => {
    const { socket } = opened(() => 100);
    socket.write(new Uint8Array(1000));
    expect([socket.onWritable(300), socket.onWritable(300), socket.onWritable(200)]).toEqual([200, 0, 0]);
  });

  it.each([
    [SMALL_WRITE_BYTES - 1, MAX_SMALL_WRITES - 1, true],
    [SMALL_WRITE_BYTES - 1, MAX_SMALL_WRITES, false],
    [SMALL_WRITE_BYTES, MAX_SMALL_WRITES, true],
  ])("after writes of %i bytes, %i times, has room: %s", (bytes, times, room) => {
    const { socket } = opened(() => WINDOW - 1);
    for (let time = 0; time < times; time++) socket.write(new Uint8Array(bytes));
    expect(socket.hasRoom(1)).toBe(room);
    // All of them acknowledged.
    socket.onWritable(WINDOW - 1);
    expect(socket.hasRoom(1)).toBe(room);
    socket.onWritable(WINDOW);
    expect(socket.hasRoom(1)).toBe(true);
  });
});

describe("the memory for sending", () => {
  const of = (others: number, sameAddress = 0): [ClientSocket, SendMemory] => {
    const shared: SendMemory = { ...memory(), sent: others, sentTo: () => socket.sent + sameAddress };
    const { socket } = opened(() => WINDOW - SEGMENT_BYTES, shared);
    return [socket, shared];
  };

  it("is enough for anything of the one that has all of it", () => {
    const [socket, shared] = of(0);
    expect(socket.write(new Uint8Array(SEGMENT_BYTES))).toBe(true);
    expect([socket.sent, shared.sent]).toEqual([1, 1]);
    expect(socket.mayBegin(1_000 * SEGMENT_BYTES)).toBe(true);
    shared.sent++;
    expect(socket.mayBegin(1_000 * SEGMENT_BYTES)).toBe(false);
    expect([socket.starved, shared.short, shared.waiting]).toEqual([true, true, socket]);
  });

  it("of all connections has a limit", () => {
    const [socket] = of(MAX_SENT_SEGMENTS - 2);
    expect([1, 2, 3].map((count) => socket.mayBegin(count * SEGMENT_BYTES))).toEqual([true, true, false]);
  });

  it("of an address has a limit, in which a connection's own counts once", () => {
    const [socket] = of(2, 2);
    expect(socket.write(new Uint8Array(SEGMENT_BYTES))).toBe(true);
    const left = ADDRESS_SEGMENTS - 2;
    expect([left - 1, left, left + 1].map((count) => socket.mayBegin(count * SEGMENT_BYTES))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each(["begins", "closes"])("is waited for by one, until it %s", (ends) => {
    const [socket, shared] = of(MAX_SENT_SEGMENTS);
    const end = (one: ClientSocket): void => {
      shared.sent = 1;
      if (ends === "closes") one.close();
      else expect(one.mayBegin(SEGMENT_BYTES)).toBe(true);
    };
    expect(socket.mayBegin(SEGMENT_BYTES)).toBe(false);
    // Another one's end is not its own.
    end(new ClientSocket(shared, "192.0.2.2"));
    expect(shared.waiting).toBe(socket);
    end(socket);
    expect(shared.waiting).toBeUndefined();
  });
});
