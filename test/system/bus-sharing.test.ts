/** The firmware on a bus with other masters, through a pseudo-terminal: the recorded bus of two packs, mbpoll and pymodbus. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { bankOf } from "../../host-sim/bms/packs";
import { bridge } from "../../host-sim/bridge";
import { Clock } from "../../host-sim/clock";
import { openPty } from "../../host-sim/pty";
import { parseRecording, Replay } from "../../host-sim/replay";
import { openSerialPort } from "../../host-sim/serial-port";
import { Wire } from "../../host-sim/wire";
import { capture } from "../support/bms/captures";
import { bootOn, ENGINE } from "../support/system/engines";
import type { Probes } from "../support/system/probes";

const RECORDING = fileURLToPath(new URL("../fixtures/recordings/two-packs.txt", import.meta.url));
const PYMODBUS = fileURLToPath(new URL("../host-sim/bms/pymodbus-client.py", import.meta.url));
const DRAIN =
  "import os, sys, termios; termios.tcflush(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), termios.TCIFLUSH)";
const BAUD = 115_200;
const run = promisify(execFile);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function firmware(address: number): Promise<{ board: SimulatedBoard; clock: Clock; probes: () => Probes }> {
  const clock = new Clock();
  const config = { httpPort: 0, settings: { bms: { address } } };
  const board = new SimulatedBoard({ clock, seed: 1, console: () => undefined, config });
  cleanUps.push(() => {
    clock.stop();
    board.powerOff();
  });
  const booted = await bootOn(ENGINE, board);
  return { board, clock, probes: () => booted.probes };
}

/** mV, in a captured frame of the telemetry. */
const packVoltage = (name: string): number => new DataView(capture(name).slice().buffer).getUint32(6 + 0x90, true);

it.each([
  [0, "phinix-parallel_t02_addr0_master"],
  [1, "txubelaxu-sniffer_t02_addr1_PB"],
])(
  "a recorded bus, replayed on a pseudo-terminal, shows the pack at address %i, and not one byte is sent",
  async (address, name) => {
    const pty = await openPty();
    cleanUps.push(() => pty.close());
    const port = await openSerialPort(pty.path, BAUD);
    cleanUps.push(() => port.close());
    const { board, clock, probes } = await firmware(address);
    probes().watchPackVoltage();
    bridge(clock, board.wire.bms, port);
    const wire = new Wire(clock, { baud: BAUD });
    bridge(clock, wire.board, pty);
    let sent = 0;
    pty.onBytes = ({ length }) => (sent += length);
    const replay = new Replay(clock, wire.bms, parseRecording(readFileSync(RECORDING, "utf8")));
    cleanUps.push(() => replay.close());

    // Time passes only when the terminal has carried everything, so that a busy machine tears no frame.
    let carried = 0;
    const { onBytes } = port;
    const write = pty.write.bind(pty);
    pty.write = (bytes) => {
      carried += bytes.length;
      write(bytes);
    };
    port.onBytes = (bytes) => {
      carried -= bytes.length;
      onBytes?.(bytes);
    };
    const steps = setInterval(() => !carried && clock.runFor(10), 1);
    cleanUps.push(() => clearInterval(steps));

    await expect.poll(() => probes().monitor().configurationLoaded).toBe(true);
    const voltages = new Set<number>();
    await expect
      .poll(() => {
        for (const millivolts of probes().packVoltages()) voltages.add(millivolts);
        return voltages.size;
      })
      .toBeGreaterThan(0);
    expect([...voltages]).toContain(packVoltage(name));
    expect(probes().monitor()).toMatchObject({ online: true, statistics: { requests: 0, crcErrors: 0 } });
    expect([sent, board.uart.sent]).toEqual([0, 0]);
  },
);

it.each([
  [
    "mbpoll",
    (path: string, words: number) =>
      run("mbpoll", [..."-m rtu -a 2 -b 115200 -P none -0 -1 -o 10 -t 4 -r 4608".split(" "), "-c", `${words}`, path]),
    1,
  ],
  // The acknowledgement of its write is none of those counted: the firmware has itself written there a moment before.
  ["pymodbus", (path: string) => run("/usr/bin/python3", [PYMODBUS, path]), 9],
])("%s is noticed, and from then on left alone", async (_, ask, requests) => {
  const { board, clock, probes } = await firmware(1);
  // The peers know nothing of the BMS's turnaround.
  const bank = bankOf({ clock, wire: board.wire, count: 3, turnaround: 0 });
  cleanUps.push(() => bank.close());
  const pty = await openPty();
  cleanUps.push(() => pty.close());
  clock.runFor(5_000);
  expect(probes().monitor()).toMatchObject({ online: true, statistics: { foreign: 0 } });
  bridge(clock, board.wire.join(), pty);
  clock.start();

  // What is left in the terminal goes first, and no two in a row ask for the same number of words: one that failed because it found something
  // else there leaves its reply, which the next must not take for its own, to end before its request is on the bus.
  let words = 0;
  const asked = async () => {
    clock.runFor(100);
    await run("/usr/bin/python3", ["-c", DRAIN, pty.path]);
    return ask(pty.path, 1 + (words++ % 60));
  };
  // The first request may meet one of the firmware's.
  await expect
    .poll(async () => {
      await asked().catch(() => undefined);
      return probes().monitor().statistics?.foreign;
    })
    .toBeGreaterThan(0);
  // What the terminal still holds of the firmware's own polls spoils an answer.
  await expect.poll(() => asked().then(Boolean, () => false)).toBe(true);
  const { sent } = board.uart;
  expect(sent).toBeGreaterThan(0);
  // The peer has its answer with the last byte, the firmware only when its port reports the silence after it: some virtual time later, of
  // which none may have passed yet.
  const foreign = (): number => {
    clock.runFor(100);
    return probes().monitor().statistics!.foreign;
  };
  const heard = foreign();
  for (let times = 1; times <= 3; times++) {
    await asked();
    expect(foreign()).toBe(heard + times * requests);
  }
  expect(board.uart.sent).toBe(sent);
});
