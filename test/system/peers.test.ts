import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { Clock } from "../../host-sim/clock";
import { Wire } from "../../host-sim/wire";
import { bridge } from "../../host-sim/bridge";
import { openPty, type Pty } from "../../host-sim/pty";
import { bootOn, ENGINE } from "../support/system/engines";
import { TOKEN } from "../support/system/system";

const PYMODBUS_BMS = fileURLToPath(new URL("../peers/pymodbus-bms.py", import.meta.url));
const BAUD = 115_200;
const BLOCKS = { [0x1000]: 1, [0x1200]: 2, [0x1400]: 3 } as const;

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** The three blocks of a simulated pack as FC03 has them. */
function imagesOfPack(): Record<string, string> {
  const clock = new Clock();
  const { registers } = new SimulatedBms({ clock, wire: new Wire(clock, { baud: BAUD }).bms, evolving: false });
  return Object.fromEntries(
    Object.keys(BLOCKS).map((base) => {
      const words = [...Array(2).keys()].map((half) =>
        registers.registers(Number(base) + half * 0xf0, half ? 26 : 120),
      );
      return [base, words.map((part) => Buffer.from(part ?? []).toString("hex")).join("")];
    }),
  );
}

/** ms of virtual time at a time, and of real time between. */
const STEP = 2;
const PAUSE = 1;

/** Virtual time advances except while the other program owes an answer, so that a busy machine causes no timeout. */
function paceByAnswers(clock: Clock, pty: Pty): NodeJS.Timeout {
  let owed = false;
  const write = pty.write.bind(pty);
  const { onBytes } = pty;
  pty.write = (bytes) => {
    owed = true;
    write(bytes);
  };
  pty.onBytes = (bytes) => {
    owed = false;
    onBytes?.(bytes);
  };
  return setInterval(() => !owed && clock.runFor(STEP), PAUSE);
}

it("the firmware's master polls a pymodbus RTU server over a pseudo-terminal, and writes to it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pymodbus-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const images = join(folder, "images.json");
  writeFileSync(images, JSON.stringify(imagesOfPack()));

  const pty = await openPty();
  cleanUps.push(() => pty.close());
  const slave = spawn("/usr/bin/python3", [PYMODBUS_BMS, pty.path, String(BAUD), "1", images], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanUps.push(() => slave.kill("SIGKILL"));
  let printed = "";
  let words = "";
  slave.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  slave.stderr.setEncoding("utf8").on("data", (text: string) => (words += text));
  await expect.poll(() => printed + words).toContain("ready");

  const clock = new Clock();
  const board = new SimulatedBoard({
    clock,
    seed: 1,
    console: () => undefined,
    config: { httpPort: 0, settings: { api: { token: TOKEN }, bms: { readMode: "registers" } } },
  });
  cleanUps.push(() => {
    clock.stop();
    board.powerOff();
  });
  bridge(clock, board.wire.bms, pty);
  const { probes } = await bootOn(ENGINE, board);
  const run = paceByAnswers(clock, pty);
  cleanUps.push(() => clearInterval(run));

  await expect.poll(() => probes.monitor().configurationLoaded).toBe(true);
  expect(probes.writeParameter("cell_ovp_voltage", 3.603)).toBeUndefined();
  await expect.poll(() => probes.monitor().pending).toBe(false);
  expect(probes.monitor()).toMatchObject({ lastCommandOk: true });
  await expect.poll(() => printed).toContain(`write ${0x100c} 00000e13`);
  expect(probes.monitor().statistics).toMatchObject({ crcErrors: 0, exceptions: 0 });
});
