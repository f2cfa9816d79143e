import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bridge, type OutsidePort } from "../../host-sim/bridge";
import { Clock } from "../../host-sim/clock";
import { openPty, type Pty } from "../../host-sim/pty";
import { openSerialPort } from "../../host-sim/serial-port";
import { Wire } from "../../host-sim/wire";
import { settle, until } from "../support/system/simulated-board";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function clockOf(): Clock {
  const clock = new Clock();
  clock.start();
  ends.push(() => clock.stop());
  return clock;
}

async function pty(link?: string): Promise<Pty> {
  const opened = await openPty(link);
  ends.push(() => opened.close());
  return opened;
}

/** A BMS that sends back what it hears, inverted, once the wire is silent. */
function inverter(wire: Wire): void {
  let heard: number[] = [];
  wire.bms.onByte = (byte) => {
    heard.push(byte ^ 0xff);
    if (wire.bms.incoming) return;
    wire.bms.send(Uint8Array.from(heard));
    heard = [];
  };
}

/** Another program opens the terminal, writes bytes and waits for as many; their hex. */
async function exchange(path: string, hex: string): Promise<string> {
  const program = `
import os, sys, tty
terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
tty.setraw(terminal)
question = bytes.fromhex(sys.argv[2])
os.write(terminal, question)
answer = b""
while len(answer) < len(question):
    answer += os.read(terminal, 1000)
print(answer.hex())`;
  const child = spawn("/usr/bin/python3", ["-c", program, path, hex], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await new Promise((resolve) => child.once("close", resolve));
  return text.trim();
}

describe("bridge", () => {
  it("passes a frame on whole when the wire falls silent, and a long one in pieces", () => {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 115_200 });
    const pieces: number[] = [];
    const port: OutsidePort = {
      onBytes: undefined,
      onFailure: undefined,
      write: (bytes) => pieces.push(bytes.length),
      close: () => Promise.resolve(),
    };
    bridge(clock, wire.bms, port);
    wire.board.send(new Uint8Array(8));
    clock.runFor(0.5);
    expect(pieces).toEqual([]);
    clock.runFor(10);
    wire.board.send(new Uint8Array(300));
    clock.runFor(100);
    expect(pieces).toEqual([8, 128, 128, 44]);
  });
});

describe("pseudo-terminal", () => {
  it("lets programs take turns on the wire", async () => {
    const clock = clockOf();
    const wire = new Wire(clock, { baud: 115_200 });
    inverter(wire);
    const opened = await pty();
    bridge(clock, wire.board, opened);
    expect(opened.path).toMatch(/^\/dev\/pts\/\d+$/);
    expect(await exchange(opened.path, "0001020d0a11137f80ff")).toBe("fffefdf2f5eeec807f00");
    // More than a terminal's line, with every byte there is.
    const all = Array.from({ length: 600 }, (_, index) => (index & 0xff).toString(16).padStart(2, "0")).join("");
    const inverted = Array.from({ length: 600 }, (_, index) => (~index & 0xff).toString(16).padStart(2, "0")).join("");
    expect(await exchange(opened.path, all)).toBe(inverted);
  });

  it("has the requested name, and is gone after close", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pty-"));
    const link = join(folder, "bms");
    const opened = await openPty(link);
    expect(opened.path).toBe(link);
    let failed = 0;
    opened.onFailure = () => failed++;
    await opened.close();
    await opened.close();
    await expect(openSerialPort(link, 9600)).rejects.toThrow(`cannot open ${link}`);
    expect(failed).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it("passes on socat's error when it cannot be created", async () => {
    await expect(openPty("/nowhere/bms")).rejects.toThrow(/socat ended: .*nowhere/);
  });

  it("names the package when socat is missing", async () => {
    const path = process.env["PATH"];
    ends.push(() => (process.env["PATH"] = path));
    process.env["PATH"] = "/nowhere";
    await expect(openPty()).rejects.toThrow("apt-get install socat");
  });
});

describe("serial port", () => {
  it("carries bytes between the board and a device, here a pseudo-terminal with a BMS", async () => {
    const far = clockOf();
    const farWire = new Wire(far, { baud: 115_200 });
    inverter(farWire);
    const opened = await pty();
    bridge(far, farWire.board, opened);

    const clock = clockOf();
    const wire = new Wire(clock, { baud: 115_200 });
    const port = await openSerialPort(opened.path, 115_200);
    ends.push(() => port.close());
    bridge(clock, wire.bms, port);
    const heard: number[] = [];
    wire.board.onByte = (byte) => heard.push(byte);
    for (let round = 1; round <= 3; round++) {
      clock.external(() => wire.board.send(Uint8Array.of(0, 13, round)));
      await until(() => heard.length === 3 * round);
    }
    expect(heard).toEqual([255, 242, 254, 255, 242, 253, 255, 242, 252]);
  });

  it("reports a removed device", async () => {
    const opened = await openPty();
    const port = await openSerialPort(opened.path, 9600);
    let problem: Error | undefined;
    port.onFailure = (error) => (problem = error);
    let heard = 0;
    port.onBytes = ({ length }) => (heard += length);
    // serialport takes a device that is gone before it waits for bytes for a silent one: it has to be waiting.
    opened.write(Uint8Array.of(1));
    await until(() => heard === 1);
    await settle();
    await opened.close();
    await until(() => problem !== undefined);
    await port.close();
  });
});
