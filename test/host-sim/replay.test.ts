import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { bridge } from "../../host-sim/bridge";
import { Clock } from "../../host-sim/clock";
import { openPty } from "../../host-sim/pty";
import { parseRecording, Replay, replay } from "../../host-sim/replay";
import { Wire } from "../../host-sim/wire";
import { capture } from "../support/bms/captures";
import { hex } from "../support/hex";

const PATH = fileURLToPath(new URL("../fixtures/recordings/two-packs.txt", import.meta.url));
const twoPacks = (): ReturnType<typeof parseRecording> => parseRecording(readFileSync(PATH, "utf8"));

it("reads times and bytes", () => {
  const text = "# a comment\n0 01 02\n  03\n\n12.5 0A0b\n20\n";
  const { passages, length } = parseRecording(text);
  expect(passages.map(({ at, bytes }) => [at, ...bytes])).toEqual([
    [0, 1, 2, 3],
    [12.5, 10, 11],
  ]);
  expect(length).toBe(20);
});

it.each([
  ["", "the recording has no end"],
  ["0 01", "the recording has no end"],
  ["# nothing\n5", "the recording has no bytes in it"],
  [" 01\n5", "line 1 of the recording: the first needs a time"],
  ["0 01\nzz\n5", "line 2 of the recording: it begins with a time or a blank"],
  ["0 0\n5", "line 1 of the recording: not a string of hexadecimal byte pairs"],
  ["0 > 01\n < 02\n5", "line 2 of the recording: a direction needs a time"],
  ["9 01\n5 02\n10", "line 2 of the recording: earlier than the one above"],
  ["0 01\n5\n6 02", "line 3 of the recording: nothing may follow the end"],
])("refuses %j", (text, message) => {
  expect(() => parseRecording(text)).toThrow(message);
});

it("reads directions", () => {
  const { passages } = parseRecording("0 > 01\n 02\n5.5   <03\n9\n");
  expect(passages.map(({ at, sent, bytes }) => [at, sent, ...bytes])).toEqual([
    [0, true, 1, 2],
    [5.5, false, 3],
  ]);
});

/** A wire with the recording on it; requests are sent at 1 ms a byte. */
function answering(text: string): { ask: (...request: number[]) => number[][] } {
  const clock = new Clock();
  const wire = new Wire(clock, { baud: 10_000 });
  const played = replay(clock, wire.bms, parseRecording(text));
  onTestFinished(() => played.close());
  return {
    ask(...request) {
      const began = clock.now;
      const heard: number[][] = [];
      wire.board.onByte = (byte) => heard.push([clock.now - began, byte]);
      wire.board.send(Uint8Array.from(request));
      clock.runFor(100);
      return heard;
    },
  };
}

it("one in which the firmware has asked answers its requests as then, each time as the next time, and says nothing of its own", () => {
  const { ask } = answering("0 < 09\n10 > 01 02\n20 < 0A\n25 < 0B\n30 > 03\n40 > 01 02\n50 < 0C\n90\n");
  expect(ask()).toEqual([]);
  // So long after its last byte as the recording has from its first: nothing here knows how long a byte took.
  expect(ask(1, 2)).toEqual([
    [13, 0x0a],
    [18, 0x0b],
  ]);
  expect(ask(1, 2)).toEqual([[13, 0x0c]]);
  expect(ask(1, 2).map(([, byte]) => byte)).toEqual([0x0a, 0x0b]);
  expect(ask(3)).toEqual([]);
  expect(ask(1)).toEqual([]);
});

it("plays it at its times, over and over, until it is closed", () => {
  const clock = new Clock();
  const wire = new Wire(clock, { baud: 10_000 });
  const heard: number[][] = [];
  wire.board.onByte = (byte) => heard.push([clock.now, byte]);
  clock.runFor(100);
  const replay = new Replay(clock, wire.bms, parseRecording("0 01 02\n10 03\n50\n"));
  clock.runFor(70);
  expect(heard).toEqual([
    [101, 1],
    [102, 2],
    [111, 3],
    [151, 1],
    [152, 2],
    [161, 3],
  ]);
  replay.close();
  clock.runFor(100);
  expect(heard).toHaveLength(6);
});

it("the recording of two packs holds the captured frames, each whole", () => {
  const all = twoPacks().passages.map(({ bytes }) => hex(bytes));
  for (const [frame, acknowledgement] of [
    ["phinix-parallel_t02_addr0_master", "phinix-parallel_ack_1620_addr0"],
    ["phinix-parallel_t01_addr0_master", "phinix-parallel_ack_161E_addr0"],
    ["txubelaxu-sniffer_t01_addr1_PB", "trigger_ack_161E_addr1"],
  ] as const)
    expect(all).toContain(`${hex(capture(frame))} ${hex(capture(acknowledgement))}`);
  expect(all.find((text) => text.includes(hex(capture("txubelaxu-sniffer_t02_addr1_PB"))))).toMatch(
    /01 10 16 20 00 01 04 4B$/,
  );
  expect(all).toContain(hex(capture("phinix-parallel_req_1620_addr2")));
});

/** Reads from a terminal until it has so many acknowledgements of a trigger; prints whose they are. */
const LISTENER = `
import os, re, sys, tty
terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
tty.setraw(terminal)
print("ready", flush=True)
heard, told = b"", []
while len(told) < 8:
    heard += os.read(terminal, 1000)
    told = re.findall(rb"\\x55\\xaa\\xeb\\x90([\\x01\\x02]).{295}(.)\\x10\\x16", heard, re.S)
print(" ".join(f"{address[0]}:{kind[0]}" for kind, address in told))`;

it("another program hears it on a pseudo-terminal", async () => {
  const clock = new Clock();
  const wire = new Wire(clock, { baud: 115_200 });
  const pty = await openPty();
  bridge(clock, wire.board, pty);
  const child = spawn("/usr/bin/python3", ["-c", LISTENER, pty.path], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  const ended = new Promise((resolve) => child.once("close", resolve));
  await expect.poll(() => text).toContain("ready");
  const replay = new Replay(clock, wire.bms, twoPacks());
  clock.start(20);
  await ended;
  replay.close();
  clock.stop();
  await pty.close();
  expect(text).toContain("0:2 0:1 1:2 1:1 0:2 0:1 1:2 1:1");
});
