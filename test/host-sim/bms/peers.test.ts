import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { Clock } from "../../../host-sim/clock";
import { Wire } from "../../../host-sim/wire";
import { bridge } from "../../../host-sim/bridge";
import { openPty, type Pty } from "../../../host-sim/pty";

/** Programs of others that speak Modbus RTU, against the simulated BMS on a pseudo-terminal (Debian: mbpoll, python3-pymodbus, socat). */
const run = promisify(execFile);

let clock: Clock;
let bms: SimulatedBms;
let pty: Pty;

beforeEach(async () => {
  clock = new Clock();
  const wire = new Wire(clock, { baud: 115_200 });
  // The peers know nothing of the BMS's turnaround.
  bms = new SimulatedBms({ clock, wire: wire.bms, turnaround: 0 });
  bms.pack.current = 0;
  clock.runFor(1000);
  clock.start();
  pty = await openPty();
  bridge(clock, wire.board, pty);
});

afterEach(async () => {
  bms.close();
  clock.stop();
  await pty.close();
});

/** mbpoll with PDU addressing; its output, also when it ends with an error. */
async function mbpoll(options: string[], values: string[] = []): Promise<string> {
  const line = [
    "-m",
    "rtu",
    "-a",
    "1",
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
    ovp: [0, 3650],
    beyond: 2,
    written: 2,
    ovp_after: [0, 3600],
    too_high: 3,
    single: 2,
    coils: 1,
  });
});
