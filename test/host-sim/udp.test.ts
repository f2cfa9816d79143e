import { createSocket, type Socket } from "node:dgram";
import { describe, expect, it } from "vitest";
import UDP from "embedded:io/socket/udp";
import type SimulatedUDP from "../../host-sim/io/udp";
import { poweredBoard, until } from "../support/system/simulated-board";

const portOf = (udp: UDP): number => (udp as unknown as SimulatedUDP).port;

async function peer(): Promise<{ socket: Socket; received: string[] }> {
  const received: string[] = [];
  const socket = createSocket("udp4").on("message", (message) => received.push(message.toString()));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { socket, received };
}

/** Until what was sent before has been delivered: what it sends itself comes last. */
async function delivered({ socket, received }: Awaited<ReturnType<typeof peer>>): Promise<void> {
  socket.send("last", socket.address().port, "127.0.0.1");
  await until(() => received.at(-1) === "last");
  received.pop();
}

describe("UDP", () => {
  it("receives packets with their sender, and replies", async () => {
    const board = poweredBoard();
    const counts: number[] = [];
    const udp = new UDP({ port: 0, onReadable: (count) => counts.push(count) });
    await board.ready();
    const far = await peer();
    board.script.busyFor(10);
    far.socket.send("one", portOf(udp), "127.0.0.1");
    far.socket.send("", portOf(udp), "127.0.0.1");
    await delivered(far);
    expect(counts).toEqual([]);
    board.clock.runFor(10);
    expect(counts).toEqual([2]);
    const packet = udp.read();
    expect(Buffer.from(packet as ArrayBuffer).toString()).toBe("one");
    expect([packet?.address, packet?.port]).toEqual(["127.0.0.1", far.socket.address().port]);
    expect(udp.read()?.byteLength).toBe(0);
    expect(udp.read()).toBeUndefined();
    udp.write(Uint8Array.from(Buffer.from("answer")), "127.0.0.1", far.socket.address().port);
    await until(() => far.received.length === 1);
    expect(far.received).toEqual(["answer"]);
    far.socket.close();
  });

  it("sends what was written before it is closed, as lwIP does: mDNS's goodbye", async () => {
    const board = poweredBoard();
    const udp = new UDP({ port: 0 });
    await board.ready();
    const far = await peer();
    for (const word of ["good", "bye"])
      udp.write(Uint8Array.from(Buffer.from(word)), "127.0.0.1", far.socket.address().port);
    (udp as SimulatedUDP).close();
    await until(() => far.received.length === 2);
    expect(far.received).toEqual(["good", "bye"]);
    far.socket.close();
  });

  it("drops datagrams that are not read", async () => {
    const board = poweredBoard();
    const udp = new UDP({ port: 0 });
    await board.ready();
    const far = await peer();
    for (let index = 0; index < 40; index++) far.socket.send(`${index}`, portOf(udp), "127.0.0.1");
    await delivered(far);
    let kept = 0;
    while (udp.read()) kept++;
    expect(kept).toBe(16);
    far.socket.close();
  });

  it("refuses names and invalid ports; rejects ready when the port is taken; stays closed", async () => {
    const board = poweredBoard();
    expect(() => new UDP({ port: -1 })).toThrow(RangeError);
    const udp = new UDP({ port: 0 });
    await board.ready();
    expect(() => udp.write(new Uint8Array(1), "localhost", 9)).toThrow(RangeError);
    new UDP({ port: portOf(udp) });
    await expect(board.ready()).rejects.toMatchObject({ code: "EADDRINUSE" });
    (udp as SimulatedUDP).close();
    (udp as SimulatedUDP).close();
    expect(() => udp.read()).toThrow();
  });
});
