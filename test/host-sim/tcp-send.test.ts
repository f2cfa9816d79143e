import { describe, expect, it } from "vitest";
import type TCP from "embedded:io/socket/tcp";
import { settle, until } from "../support/system/simulated-board";
import { bytes, tcpServer, WINDOW } from "../support/http/tcp-server";

describe("sending", () => {
  it("accepts exactly the window, throws on one byte more, and reopens it as the peer acknowledges", async () => {
    const windows: number[] = [];
    const { accepted, client, board } = await tcpServer({ onWritable: (free) => windows.push(free) });
    const reading = await client();
    await until(() => accepted.length === 1 && windows.length === 1);
    expect(windows).toEqual([WINDOW]);
    const tcp = accepted[0] as TCP;
    expect(() => tcp.write(new Uint8Array(WINDOW + 1))).toThrow("would block");
    expect(tcp.write(new Uint8Array(WINDOW - 3))).toBe(3);
    expect(() => tcp.write(new Uint8Array(4))).toThrow("would block");
    expect(tcp.write(bytes("end"))).toBe(0);
    expect(() => tcp.write(new Uint8Array(1))).toThrow("would block");
    board.clock.runFor(0);
    await until(() => windows.at(-1) === WINDOW && windows.length > 1);
    await until(() => reading.received.length === WINDOW);
    expect(reading.text.endsWith("end")).toBe(true);
  });

  it("copies what is written", async () => {
    const { accepted, client, board } = await tcpServer();
    const reading = await client();
    await until(() => accepted.length === 1);
    const buffer = bytes("hello");
    accepted[0]?.write(buffer);
    buffer.fill(0);
    board.clock.runFor(0);
    await until(() => reading.received.length === 5);
    expect(reading.text).toBe("hello");
  });

  it("keeps the window closed while the client does not read, and reopens it when it does", async () => {
    let written = 0;
    const chunk = new Uint8Array(WINDOW);
    const { client } = await tcpServer({
      onWritable(free) {
        this.write(chunk.subarray(0, free));
        written += free;
      },
    });
    const stalled = await client();
    stalled.socket.pause();
    let before = -1;
    // The buffers of the host's kernel fill up first.
    while (written > before || written === 0) {
      before = written;
      await settle();
      await settle();
    }
    expect(written).toBeLessThan(64 * 1024 * 1024);
    stalled.socket.resume();
    await until(() => written > before + 20 * WINDOW);
  });

  it("sends nothing before the writing callback has returned and the script is free", async () => {
    let asked = false;
    const { board, client } = await tcpServer(
      {
        onReadable(count) {
          asked = true;
          this.read(new Uint8Array(count));
          this.write(bytes("answer"));
        },
      },
      { busyPerRequest: 40 },
    );
    const asking = await client();
    asking.socket.write("request");
    await until(() => asked);
    board.clock.runFor(39);
    await settle();
    expect(asking.text).toBe("");
    board.clock.runFor(2);
    await until(() => asking.text === "answer");
  });

  it("sends the rest and a FIN on close, or a reset when bytes are unread", async () => {
    const { accepted, client, log } = await tcpServer();
    const polite = await client();
    await until(() => accepted.length === 1);
    accepted[0]?.write(bytes("bye"));
    accepted[0]?.close();
    await until(() => polite.ended);
    expect([polite.text, polite.error]).toEqual(["bye", undefined]);
    expect(() => accepted[0]?.write(bytes("x"))).toThrow();

    const rude = await client();
    rude.socket.write("unread");
    await until(() => log.length > 0);
    accepted[1]?.write(bytes("lost"));
    accepted[1]?.close();
    await until(() => rude.closed);
    expect(rude.error?.code).toBe("ECONNRESET");
  });

  it("resets a client that keeps sending after the close", async () => {
    const { accepted, client, board } = await tcpServer();
    const talker = await client();
    await until(() => accepted.length === 1);
    accepted[0]?.close();
    await until(() => talker.ended);
    talker.socket.write("more");
    await until(() => board.tcp.active === 0);
    // The client does not read any more: it hears of the reset when it writes.
    talker.socket.write("more");
    await until(() => talker.closed);
    expect(talker.error?.code).toMatch(/ECONNRESET|EPIPE/);
  });

  it("can be closed inside its own callback, and hears nothing afterwards", async () => {
    const log: string[] = [];
    const { client } = await tcpServer({
      onReadable() {
        log.push("readable");
        this.close();
      },
      onWritable: () => log.push("writable"),
      onError: () => log.push("error"),
    });
    const caller = await client();
    await until(() => log.includes("writable"));
    caller.socket.write("x");
    await until(() => caller.closed || caller.ended);
    await settle();
    expect(log).toEqual(["writable", "readable"]);
  });
});

describe("callbacks", () => {
  it("are never nested, and come one at a time while the script is busy too", async () => {
    let depth = 0;
    let deepest = 0;
    const during = <Arguments extends unknown[]>(callback: (this: TCP, ...all: Arguments) => void) =>
      function (this: TCP, ...all: Arguments): void {
        deepest = Math.max(deepest, ++depth);
        callback.apply(this, all);
        depth--;
      };
    let echoed = 0;
    const { client, board } = await tcpServer({
      onReadable: during(function (count: number) {
        const into = new Uint8Array(count);
        this.read(into);
        this.write(into);
        echoed += count;
        board.clock.external(() => undefined);
        board.clock.runFor(1);
      }),
      onWritable: during(() => undefined),
      onError: during(() => undefined),
    });
    const clients = await Promise.all([client(), client(), client()]);
    for (let round = 0; round < 20; round++) {
      for (const { socket } of clients) socket.write("ping");
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => echoed === 3 * 20 * 4);
    await until(() => clients.every(({ received }) => received.length === 80));
    expect(deepest).toBe(1);
  });

  it("keep the script busy for each read", async () => {
    const log: string[] = [];
    const { client, board } = await tcpServer(
      {
        onReadable(count) {
          this.read(new Uint8Array(count));
          log.push("read");
        },
      },
      { busyPerRequest: 25 },
    );
    const { socket } = await client();
    socket.write("GET");
    await until(() => log.length === 1);
    let free = 0;
    board.post(() => (free = board.clock.now));
    const start = board.clock.now;
    board.clock.runFor(100);
    expect(free).toBe(start + 25);
  });
});
