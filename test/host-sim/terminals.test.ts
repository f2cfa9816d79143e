/** Pseudo-terminals of `--pty`: what a program gets that attaches, and what becomes of what nobody reads. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readlinkSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bridge } from "../../host-sim/bridge";
import { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { Clock } from "../../host-sim/clock";
import { openTerminals, type Terminals } from "../../host-sim/terminals";
import { Wire } from "../../host-sim/wire";
import { until } from "../support/system/simulated-board";

let terminals: Terminals;
const ends: (() => unknown)[] = [];
beforeEach(async () => void (terminals = await openTerminals()));
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await terminals.close();
});

/** A program that opens a terminal, says so, and does what it is told by lines: reads that many bytes, shown as hex, or writes some. */
const READER = `
import os, sys, tty
terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
tty.setraw(terminal)
print("open", flush=True)
for line in sys.stdin:
    if line.startswith("say "):
        os.write(terminal, bytes.fromhex(line[4:]))
        continue
    data = b""
    while len(data) < int(line):
        data += os.read(terminal, int(line) - len(data))
    print(data.hex(), flush=True)`;

class Reader {
  readonly child: ChildProcessWithoutNullStreams = spawn("/usr/bin/python3", ["-c", READER, terminals.path]);
  readonly #terminal = readlinkSync(terminals.path);
  #text = "";

  constructor() {
    this.child.stdout.on("data", (data: Buffer) => (this.#text += data.toString()));
    this.child.stderr.pipe(process.stderr);
    ends.push(() => this.child.kill());
  }

  async line(): Promise<string> {
    await until(() => this.#text.includes("\n"));
    const [line = "", ...rest] = this.#text.split("\n");
    this.#text = rest.join("\n");
    return line;
  }

  async attach(programs: number): Promise<this> {
    expect(await this.line()).toBe("open");
    await until(() => terminals.programs === programs);
    // Another program would still get the same one before the next is there.
    await until(() => readlinkSync(terminals.path) !== this.#terminal);
    return this;
  }

  read(bytes: number): Promise<string> {
    this.child.stdin.write(`${bytes}\n`);
    return this.line();
  }
}

it("a program that attaches after 110 KB of traffic reads none of it: mbpoll gets each answer", async () => {
  const clock = new Clock();
  const wire = new Wire(clock, { baud: 115_200 });
  const bms = new SimulatedBms({ clock, wire: wire.bms, turnaround: 0 });
  ends.push(() => {
    bms.close();
    clock.stop();
  });
  clock.runFor(1_000);
  bridge(clock, wire.join(), terminals);
  const frame = Uint8Array.from({ length: 250 }, (_, index) => index);
  for (let sent = 0; sent < 110_000; sent += frame.length) {
    wire.board.send(frame);
    clock.runFor(30);
  }
  clock.start();
  const polls = 10;
  const line = `-m rtu -a 1 -b 115200 -P none -0 -o 10 -t 4 -r 4608 -c 16 -l 20`.split(" ");
  const child = spawn("mbpoll", [...line, terminals.path]);
  ends.push(() => child.kill());
  let out = "";
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (out += data.toString()));
  await until(() => out.split("[4608]:").length > polls || /failed/i.test(out));
  expect(out).not.toMatch(/failed/i);
  const cells = [...out.matchAll(/^\[4608\]:\s+(\d+)/gm)].map(([, value]) => Number(value));
  expect(new Set(cells)).toEqual(new Set([bms.registers.read("CellVol", 0)]));
});

it("what passes while nobody reads is lost, before the first program as after it", async () => {
  terminals.write(Uint8Array.of(1, 2, 3));
  const first = await new Reader().attach(1);
  terminals.write(Uint8Array.of(4, 5));
  expect(await first.read(2)).toBe("0405");
  first.child.kill();
  await until(() => terminals.programs === 0);
  terminals.write(Uint8Array.of(6));
  const second = await new Reader().attach(1);
  terminals.write(Uint8Array.of(7));
  expect(await second.read(1)).toBe("07");
});

it("programs beside each other hear the same, and both may speak", async () => {
  const heard: number[] = [];
  terminals.onBytes = (bytes) => heard.push(...bytes);
  const both = [await new Reader().attach(1), await new Reader().attach(2)];
  terminals.write(Uint8Array.of(1, 2));
  for (const one of both) expect(await one.read(2)).toBe("0102");
  for (const [index, one] of both.entries()) {
    one.child.stdin.write(`say 0${index}ff\n`);
    await until(() => heard.length === 2 * (index + 1));
  }
  expect(heard).toEqual([0, 255, 1, 255]);
});

it("what a program does not read does not grow", async () => {
  await new Reader().attach(1);
  const before = process.memoryUsage().arrayBuffers;
  const megabyte = new Uint8Array(1 << 20);
  for (let sent = 0; sent < 200; sent++) {
    terminals.write(megabyte.slice());
    await new Promise((resolve) => setImmediate(resolve));
  }
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * megabyte.length);
});

it("names the package when socat is missing", async () => {
  const path = process.env["PATH"];
  ends.push(() => (process.env["PATH"] = path));
  process.env["PATH"] = "/nowhere";
  await expect(openTerminals()).rejects.toThrow("apt-get install socat");
});
