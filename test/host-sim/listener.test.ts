import { describe, expect, it } from "vitest";
import Listener from "../../host-sim/io/listener";
import { Client, poweredBoard, settle, until } from "../support/system/simulated-board";
import { tcpServer } from "../support/http/tcp-server";

describe("Listener", () => {
  it("knows its port once bound, to 127.0.0.1", async () => {
    const board = poweredBoard();
    const listener = new Listener({ port: 0 });
    expect(() => listener.port).toThrow("not known");
    await board.ready();
    expect(listener.port).toBeGreaterThan(0);
    expect(() => new Listener({ port: 70_000 })).toThrow(RangeError);
    listener.close();
    listener.close();
    expect(() => listener.port).toThrow();
  });

  it("rejects ready when the port is taken", async () => {
    const { board, listener } = await tcpServer();
    new Listener({ port: listener.port });
    await expect(board.ready()).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("announces waiting connections, and returns undefined when there is none", async () => {
    const board = poweredBoard();
    const counts: number[] = [];
    const listener = new Listener({ port: 0, onReadable: (count) => counts.push(count) });
    await board.ready();
    board.script.busyFor(10);
    await new Client(listener.port).connected();
    await new Client(listener.port).connected();
    await until(() => board.tcp.active === 2);
    expect(counts).toEqual([]);
    board.clock.runFor(20);
    expect(counts).toEqual([2]);
    expect(listener.read()?.remoteAddress).toBe("127.0.0.1");
    expect(listener.read()).toBeDefined();
    expect(listener.read()).toBeUndefined();
  });

  it("calls its callback with itself and the given target", async () => {
    const board = poweredBoard();
    const target = { counts: [] as number[] };
    const listener = new Listener({
      port: 0,
      target,
      onReadable(count) {
        (this as unknown as { target: typeof target }).target.counts.push(count);
      },
    });
    await board.ready();
    await new Client(listener.port).connected();
    await until(() => target.counts.length > 0);
    expect("target" in new Listener({ port: 0 })).toBe(false);
  });

  it("forgets a waiting connection that its client has reset", async () => {
    const board = poweredBoard();
    const listener = new Listener({ port: 0 });
    await board.ready();
    const clients = [await new Client(listener.port).connected(), await new Client(listener.port).connected()];
    await until(() => board.tcp.active === 2);
    clients[0]?.socket.resetAndDestroy();
    await until(() => board.tcp.active === 1);
    expect(listener.read()?.remotePort).toBe(clients[1]?.socket.localPort);
    expect(listener.read()).toBeUndefined();
  });

  it("resets the seventeenth connection that waits", async () => {
    const board = poweredBoard({ connections: 17 });
    const listener = new Listener({ port: 0 });
    await board.ready();
    const clients: Client[] = [];
    for (let index = 0; index < 17; index++) clients.push(await new Client(listener.port).connected());
    await until(() => clients[16]?.closed === true);
    expect([board.tcp.active, clients.filter(({ closed }) => closed).length]).toEqual([16, 1]);
  });

  it("keeps the script busy for each connection read", async () => {
    const board = poweredBoard({ busyPerConnection: 5 });
    const listener = new Listener({ port: 0 });
    await board.ready();
    await new Client(listener.port).connected();
    await until(() => board.tcp.active === 1);
    listener.read();
    const began = board.clock.now;
    let free = NaN;
    board.script.post(() => (free = board.clock.now - began));
    board.clock.runFor(10);
    expect(free).toBe(5);
  });

  it("resets waiting connections when it is closed", async () => {
    const board = poweredBoard();
    const listener = new Listener({ port: 0 });
    await board.ready();
    const client = await new Client(listener.port).connected();
    await until(() => board.tcp.active === 1);
    listener.close();
    await until(() => client.ended || client.closed);
  });
});

describe("connections", () => {
  it("are sixteen; the seventeenth waits unseen until one is closed", async () => {
    const { board, accepted, client, log } = await tcpServer();
    const clients: Client[] = [];
    for (let index = 0; index < 17; index++) clients.push(await client());
    clients[16]?.socket.write("seventeenth");
    await until(() => board.tcp.waiting === 1);
    await settle();
    expect([board.tcp.active, accepted.length]).toEqual([16, 16]);
    clients[0]?.socket.end();
    accepted[0]?.close();
    await until(() => accepted.length === 17 && log.length > 0);
    expect(log).toEqual(["readable 11"]);
    expect([board.tcp.active, board.tcp.waiting]).toEqual([16, 0]);
  });

  it("give way once the firmware has closed them, though their client has not", async () => {
    const { board, accepted, client } = await tcpServer({}, { connections: 2 });
    const [silent, other] = [await client(), await client()];
    await until(() => accepted.length === 2);
    accepted[0]?.close();
    await until(() => silent.ended);
    await settle();
    expect(board.tcp.active).toBe(2);
    await client();
    await until(() => accepted.length === 3);
    expect([board.tcp.active, board.tcp.waiting, other.closed]).toEqual([2, 0, false]);
  });

  it("leave the queue when their client resets them", async () => {
    const { board, client } = await tcpServer({}, { connections: 1 });
    await client();
    const waiting = await client();
    await until(() => board.tcp.waiting === 1);
    waiting.socket.resetAndDestroy();
    await until(() => board.tcp.waiting === 0);
    expect(board.tcp.active).toBe(1);
  });

  it("are released after 20 s when the client never closes its side", async () => {
    const { board, accepted, client } = await tcpServer();
    const silent = await client();
    await until(() => accepted.length === 1);
    accepted[0]?.close();
    await until(() => silent.ended);
    board.clock.runFor(19_999);
    await settle();
    expect(board.tcp.active).toBe(1);
    board.clock.runFor(1);
    await until(() => board.tcp.active === 0);
  });

  it("are released at once after a reset", async () => {
    const { board, accepted, client, log } = await tcpServer({}, { connections: 1 });
    const first = await client();
    await client();
    await until(() => accepted.length === 1);
    first.socket.resetAndDestroy();
    await until(() => accepted.length === 2);
    expect(log).toEqual(["error"]);
    expect(board.tcp.active).toBe(1);
  });

  it("are reset when too many wait", async () => {
    const { board, client } = await tcpServer({}, { connections: 1 });
    const clients = await Promise.all(Array.from({ length: 66 }, () => client()));
    await until(() => clients.some(({ closed }) => closed) && board.tcp.waiting === 64);
    await settle();
    expect(board.tcp.waiting).toBe(64);
    expect(clients.filter(({ closed }) => closed).length).toBe(1);
  });
});
