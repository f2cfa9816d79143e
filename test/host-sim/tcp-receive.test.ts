import { once } from "node:events";
import { describe, expect, it } from "vitest";
import TCP from "embedded:io/socket/tcp";
import { settle, until } from "../support/system/simulated-board";
import { bytes, tcpServer, WINDOW } from "../support/http/tcp-server";

const text = (tcp: TCP, count: number): string => {
  const into = new Uint8Array(count);
  tcp.read(into);
  return Buffer.from(into).toString("latin1");
};

describe("receiving", () => {
  it("announces bytes, returns them exactly, and throws when more is requested", async () => {
    const { accepted, client, log } = await tcpServer();
    const { socket } = await client();
    socket.write("hello");
    await until(() => log.length > 0);
    const tcp = accepted[0] as TCP;
    expect(log).toEqual(["readable 5"]);
    expect(() => tcp.read(new Uint8Array(6))).toThrow("invalid");
    expect(() => tcp.read(new Uint8Array(0))).toThrow("invalid");
    expect(text(tcp, 2)).toBe("he");
    expect(text(tcp, 3)).toBe("llo");
    expect(tcp.read(new Uint8Array(1))).toBeUndefined();
  });

  it("calls its callbacks with itself and the given target", async () => {
    const target = { log: [] as string[] };
    type Owned = TCP & { target: typeof target };
    const { client } = await tcpServer({
      target,
      onReadable(count) {
        this.read(new Uint8Array(count));
        (this as Owned).target.log.push("readable");
      },
      onWritable() {
        (this as Owned).target.log.push("writable");
      },
      onError() {
        (this as Owned).target.log.push("error");
      },
    });
    const { socket } = await client();
    socket.end("hello");
    await until(() => target.log.includes("error"));
    expect([...new Set(target.log)].sort()).toEqual(["error", "readable", "writable"]);
    const plain = await tcpServer();
    await plain.client();
    await until(() => plain.accepted.length > 0);
    expect("target" in (plain.accepted[0] as TCP)).toBe(false);
  });

  it("takes over unread bytes, and their end", async () => {
    const { accepted, client, log, board } = await tcpServer();
    const { socket } = await client();
    socket.end("hello");
    await until(() => log.length > 0);
    const log2: string[] = [];
    const from = accepted[0] as TCP;
    expect(text(from, 1)).toBe("h");
    const tcp = new TCP({
      from,
      onReadable: (count) => log2.push(`readable ${count}`),
      onError: () => log2.push("error"),
    });
    await until(() => log2.length > 0);
    expect(log2).toEqual(["readable 4"]);
    expect(() => from.read(new Uint8Array(1))).toThrow();
    expect(() => new TCP({ from })).toThrow("invalid from");
    from.close();
    expect(text(tcp, 4)).toBe("ello");
    await until(() => {
      board.clock.runFor(1);
      return log2.length > 1;
    });
    expect(log2).toEqual(["readable 4", "error"]);
  });

  it("reports the end only after everything has been read", async () => {
    for (const end of ["FIN", "RST"]) {
      const { accepted, client, log, board } = await tcpServer();
      const { socket } = await client();
      socket.write("abc");
      await until(() => log.length > 0);
      const sent = once(socket, end === "FIN" ? "finish" : "close");
      if (end === "FIN") socket.end();
      else socket.resetAndDestroy();
      await sent;
      await settle();
      expect(log).toEqual(["readable 3"]);
      const tcp = accepted[0] as TCP;
      expect(text(tcp, 2)).toBe("ab");
      board.clock.runFor(1);
      expect(log).toEqual(["readable 3"]);
      expect(text(tcp, 1)).toBe("c");
      expect(log).toEqual(["readable 3"]);
      await until(() => {
        board.clock.runFor(1);
        return log.length > 1;
      });
      expect(log).toEqual(["readable 3", "error"]);
      expect(() => tcp.write(bytes("x"))).toThrow("not ready");
      expect(tcp.remoteAddress).toBe(end === "FIN" ? "127.0.0.1" : undefined);
      expect(tcp.remotePort).toEqual(end === "FIN" ? expect.any(Number) : undefined);
      tcp.close();
      board.powerOff();
    }
  });

  it("holds back a client that sends faster than is read: at most the window is received", async () => {
    const { accepted, client, board } = await tcpServer({ onReadable: () => undefined });
    const { socket } = await client();
    await until(() => accepted.length === 1);
    const size = 32 * 1024 * 1024;
    let sent = false;
    socket.write(Buffer.alloc(size, "x"), () => (sent = true));
    await settle();
    await settle();
    const tcp = accepted[0] as TCP;
    expect(() => tcp.read(new Uint8Array(WINDOW + 1))).toThrow("invalid");
    expect(sent).toBe(false);
    let read = 0;
    const one = new Uint8Array(1);
    while (read < WINDOW * 20) {
      while (tcp.read(one) as number | undefined) read++;
      await settle();
    }
    expect(read).toBeGreaterThanOrEqual(WINDOW * 20);
    expect(board.tcp.active).toBe(1);
  });

  it("receives every byte in order, in chunks of any size", async () => {
    const got: number[] = [];
    const { client, accepted } = await tcpServer({
      onReadable(count) {
        // Leaves something behind now and then.
        const take = Math.max(1, count - (got.length % 7));
        const into = new Uint8Array(take);
        this.read(into);
        got.push(...into);
      },
    });
    const { socket } = await client();
    const data = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) & 0xff);
    for (let at = 0; at < data.length; at += 3333) socket.write(data.subarray(at, at + 3333));
    await until(() => accepted.length === 1);
    while (got.length < data.length) {
      await settle();
      const rest = new Uint8Array(1);
      while (accepted[0]?.read(rest) !== undefined) got.push(...rest);
    }
    expect(Buffer.from(got).equals(data)).toBe(true);
  });
});
