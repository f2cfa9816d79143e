import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bankOf, type Bank } from "../../../host-sim/bms/packs";
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { Clock } from "../../../host-sim/clock";
import { Wire } from "../../../host-sim/wire";
import { bridge } from "../../../host-sim/bridge";
import { openPty, type Pty } from "../../../host-sim/pty";

/** Programs of others that speak Modbus RTU, against simulated packs on a pseudo-terminal (Debian: mbpoll, python3-pymodbus, socat). */
const run = promisify(execFile);

let clock: Clock;
let bank: Bank;
let bms: SimulatedBms;
let pty: Pty;

beforeEach(async () => {
  clock = new Clock();
  const wire = new Wire(clock, { baud: 115_200 });
  // The peers know nothing of the BMS's turnaround.
  bank = bankOf({ clock, wire, count: 3, turnaround: 0 });
  bms = bank.packs[0] as SimulatedBms;
  for (const { pack } of bank.packs) pack.current = 0;
  clock.runFor(1000);
  clock.start();
  pty = await openPty();
  bridge(clock, wire.board, pty);
});

afterEach(async () => {
  bank.close();
  clock.stop();
  await pty.close();
});

/** mbpoll with PDU addressing; its output, also when it ends with an error. */
async function mbpoll(options: string[], values: string[] = [], address = "1"): Promise<string> {
  const line = [
    "-m",
    "rtu",
    "-a",
    address,
    "-b",
    "115200",
    "-P",
    "none",
    "-0",
    "-1",
    "-o",
    "10",
    ...options,
    pty.path,
    ...values,
  ];
  try {
    const { stdout, stderr } = await run("mbpoll", line);
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: unknown };
    if (code === "ENOENT") throw new Error("mbpoll is missing: apt-get install mbpoll", { cause: error });
    return stdout + stderr;
  }
}

it("mbpoll reads cells, 32-bit settings and the switch word", async () => {
  const cells = await mbpoll(["-t", "4", "-r", "4608", "-c", "16"]);
  const voltages = Array.from(cells.matchAll(/^\[\d+\]:\s+(\d+)/gm), ([, value]) => Number(value));
  expect(voltages).toEqual(Array.from({ length: 16 }, (_, cell) => bms.registers.read("CellVol", cell)));
  expect(await mbpoll(["-t", "4:int", "-B", "-r", "4220", "-c", "1"])).toMatch(/^\[4220\]:\s+280000$/m);
  expect(await mbpoll(["-t", "4:hex", "-r", "4372", "-c", "1"])).toMatch(/^\[4372\]:\s+0x3300$/m);
});

it("mbpoll reads the serial number of each pack on the wire", async () => {
  for (const address of ["1", "2", "3"]) {
    const found = await mbpoll(["-t", "4:hex", "-r", "5200", "-c", "5"], [], address);
    const words = Array.from(found.matchAll(/^\[\d+\]:\s+0x([0-9A-F]{4})$/gm), ([, value]) => value).join("");
    expect(Buffer.from(words, "hex").toString()).toBe(`SIM000000${address}`);
  }
  expect(bank.packs.map(({ traffic }) => traffic.outcomes.answered)).toEqual([1, 1, 1]);
});

it("mbpoll writes a setting and switches", async () => {
  expect(await mbpoll(["-t", "4:int", "-B", "-r", "4100"], ["2800"])).toContain("Written 1 references.");
  expect(bms.registers.read("VolCellUV")).toBe(2800);
  expect(await mbpoll(["-t", "4:int", "-B", "-r", "4208"], ["0"])).toContain("Written 1 references.");
  expect(bms.registers.read("ChargeMos")).toBe(0);
});

it("mbpoll gets the BMS's exceptions", async () => {
  expect(await mbpoll(["-t", "4", "-r", "4609", "-c", "1"])).toContain("Illegal data address");
  expect(await mbpoll(["-t", "4:int", "-B", "-r", "4168"], ["2001"])).toContain("Illegal data value");
  expect(await mbpoll(["-t", "0", "-r", "1", "-c", "1"])).toContain("Illegal function");
  expect(bms.registers.read("CurBalanMax")).toBe(2000);
});

it("pymodbus reads, writes and gets exceptions too", async () => {
  const program = fileURLToPath(new URL("pymodbus-client.py", import.meta.url));
  const { stdout } = await run("/usr/bin/python3", [program, pty.path]);
  expect(JSON.parse(stdout)).toEqual({
    cells: Array.from({ length: 16 }, (_, cell) => bms.registers.read("CellVol", cell)),
    serials: bank.packs.map(({ registers }) => registers.text("SerialNumber").split("\0")[0]),
    ovp: [0, 3650],
    beyond: 2,
    written: 2,
    ovp_after: [0, 3600],
    too_high: 3,
    single: 2,
    coils: 1,
  });
});
