import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import TCP from "embedded:io/socket/tcp";
import { freePort } from "../support/free-port";
import { poweredBoard, until } from "../support/system/simulated-board";
import { bytes, WINDOW } from "../support/http/tcp-server";

describe("outgoing connections", () => {
  async function peer(): Promise<{ port: number; sockets: Socket[]; close: () => void }> {
    const sockets: Socket[] = [];
    const listening = createServer((socket) => sockets.push(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    return { port: (listening.address() as AddressInfo).port, sockets, close: () => listening.close() };
  }

  it("connects, and writes only once connected", async () => {
    const board = poweredBoard();
    const far = await peer();
    const log: string[] = [];
    const tcp = new TCP({
      address: "127.0.0.1",
      port: far.port,
      nodelay: true,
      onWritable: (free) => log.push(`writable ${free}`),
      onReadable: (count) => log.push(`readable ${count}`),
    });
    expect(() => tcp.write(bytes("x"))).toThrow("not ready");
    await until(() => log.length > 0 && far.sockets.length > 0);
    expect(log).toEqual([`writable ${WINDOW}`]);
    tcp.write(bytes("hello"));
    board.clock.runFor(0);
    const received = await new Promise<string>((resolve) =>
      far.sockets[0]?.once("data", (data) => resolve(data.toString())),
    );
    expect(received).toBe("hello");
    far.sockets[0]?.write("you");
    await until(() => log.includes("readable 3"));
    expect(board.tcp.active).toBe(1);
    far.close();
  });

  it("reports a failed connection", async () => {
    poweredBoard();
    const log: string[] = [];
    const tcp = new TCP({ address: "127.0.0.1", port: await freePort(), onError: () => log.push("error") });
    await until(() => log.length > 0);
    expect(log).toEqual(["error"]);
    tcp.close();
  });

  it("refuses names, invalid ports, and a seventeenth connection", async () => {
    poweredBoard();
    const far = await peer();
    expect(() => new TCP({ address: "localhost", port: 80 })).toThrow("invalid address");
    expect(() => new TCP({ address: "127.0.0.1", port: 65_536 })).toThrow(RangeError);
    expect(() => new TCP({ address: "127.0.0.1" })).toThrow("invalid");
    for (let index = 0; index < 16; index++) new TCP({ address: "127.0.0.1", port: far.port });
    expect(() => new TCP({ address: "127.0.0.1", port: far.port })).toThrow("no socket");
    far.close();
  });
});
