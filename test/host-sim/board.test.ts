import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import Digital from "embedded:io/digital";
import Serial from "embedded:io/serial";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import Resolver from "embedded:network/dns/resolver/udp";
import KeyValueStorage from "embedded:storage/key-value";
import config from "mc/config";
import Net from "net";
import RNG from "rng";
import TextDecoder from "text/decoder";
import Time from "time";
import Timer from "timer";
import { SimulatedBoard } from "../../host-sim/board";
import { Clock } from "../../host-sim/clock";
import { Client, poweredBoard, until } from "../support/system/simulated-board";

/** A firmware that uses everything and counts its starts. */
function firmware(): { close(): void; ticks: number[]; starts: number; listener: Listener } {
  const storage = KeyValueStorage.open({ path: "settings", format: "string" });
  const starts = Number(storage.read("starts") ?? 0) + 1;
  storage.write("starts", String(starts));
  const ticks: number[] = [];
  Timer.repeat(() => ticks.push(Time.ticks), 10);
  const serial = new Serial({ port: 2, receive: 5, transmit: 17, baud: 115_200, onReadable: () => ticks.push(-1) });
  new Digital({ pin: 33, mode: Digital.Output, initialValue: 1 });
  serial.write(new Uint8Array(100));
  const listener = new Listener({
    port: 0,
    onReadable() {
      const from = this.read();
      if (from) new TCP({ from }).write(Uint8Array.of(starts));
    },
  });
  return { close: () => undefined, ticks, starts, listener };
}

describe("SimulatedBoard", () => {
  it("restarts after power-off on the same storage file, with nothing left of the first run", async () => {
    const folder = mkdtempSync(join(tmpdir(), "board-"));
    const board = new SimulatedBoard({
      online: true,
      storage: join(folder, "nvs.json"),
      ticks: 7,
      console: () => undefined,
    });
    const first = await board.boot(firmware);
    expect(board.firmware).toBe(first);
    const client = await new Client(first.listener.port).connected();
    await until(() => client.received.length === 1);
    board.clock.runFor(25.5);
    expect(first.ticks).toEqual([17, 27]);
    board.powerOff();
    board.powerOff();
    expect(board.pin(33).output).toBeUndefined();
    await until(() => client.ended || client.closed);
    board.wire.bms.send(new Uint8Array(120));
    board.clock.runFor(100);
    expect(first.ticks).toEqual([17, 27]);
    expect(() => Time.ticks).toThrow("no board");

    const second = await board.boot(firmware);
    expect(second.starts).toBe(2);
    board.clock.runFor(10);
    expect(second.ticks).toEqual([17]);
    board.powerOff();

    const other = new SimulatedBoard({ online: true, storage: join(folder, "nvs.json"), console: () => undefined });
    expect((await other.boot(firmware)).starts).toBe(3);
    other.powerOff();
    rmSync(folder, { recursive: true });
  });

  it("delivers nothing from before a power-off of zero duration", () => {
    const board = poweredBoard();
    const ran: string[] = [];
    Timer.set(() => ran.push("timer"), 10);
    board.post(() => ran.push("posted"));
    board.script.busyFor(5);
    board.powerOff();
    board.powerOn();
    Timer.set(() => ran.push("new"), 10);
    board.clock.runFor(100);
    expect(ran).toEqual(["new"]);
  });

  it("loses what it was sending at power-off", async () => {
    const board = new SimulatedBoard({ online: true });
    await board.boot(firmware);
    let heard = 0;
    board.wire.bms.onByte = () => heard++;
    board.clock.runFor(2);
    const before = heard;
    expect(before).toBeGreaterThan(0);
    board.powerOff();
    board.clock.runFor(100);
    expect(heard).toBe(before);
  });

  it("keeps boards on one clock apart", () => {
    const clock = new Clock();
    const slow = poweredBoard({ clock, ticks: 1000 });
    const seen: [string, number][] = [];
    const beat = (name: string): void => {
      Timer.set(() => {
        seen.push([name, Time.ticks]);
        beat(name);
      }, 10);
    };
    beat("slow");
    poweredBoard({ clock, ticks: 5000 });
    beat("fast");
    clock.runFor(25);
    expect(seen).toEqual([
      ["slow", 1010],
      ["fast", 5010],
      ["slow", 1020],
      ["fast", 5020],
    ]);
    slow.powerOff();
    clock.runFor(10);
    expect(seen.at(-1)).toEqual(["fast", 5030]);
  });

  it("is without power when main throws or a socket cannot be bound", async () => {
    const board = new SimulatedBoard({ online: true });
    await expect(
      board.boot(() => {
        throw new Error("no start");
      }),
    ).rejects.toThrow("no start");
    expect(SimulatedBoard.powered).toBe(false);
    const taken = poweredBoard();
    const { port } = await (async () => {
      const listener = new Listener({ port: 0 });
      await taken.ready();
      return listener;
    })();
    await expect(board.boot(() => void new Listener({ port }))).rejects.toMatchObject({ code: "EADDRINUSE" });
    expect(() => board.script).toThrow("no power");
    expect(() => taken.powerOn()).toThrow("powered already");
  });

  it("leaves nothing that would keep the process alive", async () => {
    const board = new SimulatedBoard({ online: true, clock: new Clock() });
    const before = process.getActiveResourcesInfo().length;
    board.clock.start();
    const running = await board.boot(firmware);
    const client = await new Client(running.listener.port).connected();
    await until(() => client.received.length === 1);
    board.powerOff();
    board.clock.stop();
    client.socket.destroy();
    await until(() => process.getActiveResourcesInfo().length <= before);
  });

  it("writes trace to the console of the board", () => {
    const lines: string[] = [];
    const board = new SimulatedBoard({ online: true, console: (text) => lines.push(text) });
    board.powerOn();
    trace("soc ", 81, "\n");
    board.powerOff();
    expect(lines).toEqual(["soc 81\n"]);
  });
});

describe("facts of the board", () => {
  it("mc/config has the build's facts, and defaults without a board", () => {
    expect(config["softwareName"]).toBe("jk-bms-monitor");
    expect(config["version"]).toMatch(/^\d+\.\d+\.\d+/);
    expect(config["build"]).toMatch(/^([0-9a-f]{12}|unknown)$/);
    expect("pins" in config).toBe(true);
    poweredBoard({ config: { httpPort: 8080, settings: { api: { token: "secret" }, bms: { readMode: "frames" } } } });
    expect(config["httpPort"]).toBe(8080);
    expect(config["settings"]).toEqual({ api: { token: "secret" }, bms: { readMode: "frames" } });
    expect(config["pins"]).toEqual({
      bms: { port: 2, receive: 5, transmit: 17 },
      relay: 33,
      temperature: 36,
      voltages: [39, 35, 32],
      inputs: [4, 14],
    });
  });

  it("the resolver resolves a name, but not after a power cut, even with the power back", () => {
    const board = poweredBoard();
    board.names.set("ntp.example", "192.0.2.9");
    const told: (string | undefined)[] = [];
    const resolve = (host: string): void =>
      new Resolver({ servers: ["192.0.2.1"] }).resolve({
        host,
        onResolved: (_, address) => (told.push(address), null),
        onError: () => (told.push(undefined), null),
      });
    resolve("ntp.example");
    resolve("nobody.example");
    board.clock.runFor(1_000);
    expect(told).toEqual(["192.0.2.9", undefined]);
    resolve("ntp.example");
    board.powerOff();
    board.powerOn();
    board.clock.runFor(1_000);
    expect(told).toHaveLength(2);
  });

  it("without sockets the resolver tries once a second, five times for each server, and then fails", () => {
    const board = poweredBoard();
    board.refusals.sockets = true;
    board.names.set("ntp.example", "192.0.2.9");
    const told: string[] = [];
    const resolve = (): void =>
      new Resolver({ servers: ["192.0.2.1", "192.0.2.2"] }).resolve({
        host: "ntp.example",
        onResolved: (_, address) => (told.push(address), null),
        onError: () => (told.push("failed"), null),
      });
    resolve();
    board.clock.runFor(9_900);
    expect(told).toEqual([]);
    board.clock.runFor(200);
    expect(told).toEqual(["failed"]);
    resolve();
    board.clock.runFor(2_500);
    board.refusals.sockets = false;
    board.clock.runFor(1_000);
    expect(told).toEqual(["failed", "192.0.2.9"]);
  });

  it("Net has MAC, address and name servers, or none with the cable unplugged", () => {
    const board = poweredBoard({
      network: { mac: "24:6F:28:01:02:03", ip: "192.0.2.7", dns: ["192.0.2.1"], mask: "255.255.254.0" },
    });
    expect([Net.get("MAC"), Net.get("IP"), Net.get("DNS")]).toEqual(["24:6F:28:01:02:03", "192.0.2.7", ["192.0.2.1"]]);
    expect(Net.get("MASK" as "IP")).toBe("255.255.254.0");
    expect(Net.get("IP", "ethernet")).toBe("192.0.2.7");
    expect(Net.get("IP", "station")).toBeUndefined();
    board.ethernet.cable = false;
    expect([Net.get("MAC"), Net.get("IP"), Net.get("DNS")]).toEqual(["24:6F:28:01:02:03", undefined, []]);
    expect(Net.get("SSID" as "IP")).toBeUndefined();
  });

  it("random bytes repeat only with a seed", () => {
    const draw = (seed?: number): string => {
      const board = poweredBoard(seed === undefined ? {} : { seed });
      const bytes = Buffer.concat([Buffer.from(RNG.get(5)), Buffer.from(RNG.get(40))]).toString("hex");
      board.powerOff();
      return bytes;
    };
    expect(draw(1)).toBe(draw(1));
    expect(draw(1)).toHaveLength(90);
    expect(draw(1)).not.toBe(draw(2));
    expect(draw()).not.toBe(draw());
  });

  it("decodes UTF-8 as the SDK does", () => {
    const decoder = new TextDecoder();
    expect(decoder.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa4))).toBe("ä");
    expect(decoder.decode(Uint8Array.of(0x41, 0xff, 0x42))).toBe("A\ufffdB");
  });
});
