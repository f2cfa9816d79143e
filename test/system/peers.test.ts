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
import type { ConfiguredSettings } from "../../src/settings/settings";
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

/** ms from a request's end to the first byte of its reply, of fifteen slaves. */
const ANSWER = 30;
/** Address, function, number of bytes and CRC of a read's reply. */
const FRAMING = 5;
/** ms of virtual time in one go. */
const MOST = 50;
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

/** A pymodbus server with these slaves on a new pseudo-terminal, and what it prints. */
async function serve(slaves: readonly number[]): Promise<{ pty: Pty; printed: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), "pymodbus-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const images = join(folder, "images.json");
  writeFileSync(images, JSON.stringify(imagesOfPack()));
  const pty = await openPty();
  cleanUps.push(() => pty.close());
  const slave = spawn("/usr/bin/python3", [PYMODBUS_BMS, pty.path, String(BAUD), slaves.join(), images], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanUps.push(() => slave.kill("SIGKILL"));
  let printed = "";
  let words = "";
  slave.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  slave.stderr.setEncoding("utf8").on("data", (text: string) => (words += text));
  await expect.poll(() => printed + words).toContain("ready");
  return { pty, printed: () => printed };
}

async function firmwareOn(settings: ConfiguredSettings, connect: (clock: Clock, board: SimulatedBoard) => void) {
  const clock = new Clock();
  const board = new SimulatedBoard({
    clock,
    seed: 1,
    console: () => undefined,
    config: { httpPort: 0, settings: { ...settings, api: { token: TOKEN } } },
  });
  cleanUps.push(() => {
    clock.stop();
    board.powerOff();
  });
  connect(clock, board);
  const { probes } = await bootOn(ENGINE, board);
  return { clock, probes };
}

it("the firmware's master polls a pymodbus RTU server over a pseudo-terminal, and writes to it", async () => {
  const { pty, printed } = await serve([1]);
  const { clock, probes } = await firmwareOn({ bms: { readMode: "registers" } }, (clock, board) => {
    bridge(clock, board.wire.bms, pty);
  });
  const run = paceByAnswers(clock, pty);
  cleanUps.push(() => clearInterval(run));

  await expect.poll(() => probes.monitor().configurationLoaded).toBe(true);
  expect(probes.writeParameter("cell_ovp_voltage", 3.603)).toBeUndefined();
  await expect.poll(() => probes.monitor().pending).toBe(false);
  expect(probes.monitor()).toMatchObject({ lastCommandOk: true });
  await expect.poll(printed).toContain(`write ${0x100c} 00000e13`);
  // The log of the BMS, which comes as a frame: this server refuses the trigger.
  await expect.poll(() => probes.monitor().statistics?.exceptions).toBe(1);
  expect(probes.monitor().statistics).toMatchObject({ crcErrors: 0 });
});

it("reads fifteen pymodbus slaves on one pseudo-terminal in 2.18 s, while each answers within 30 ms", async () => {
  const addresses = Array.from({ length: 15 }, (_, index) => index + 1);
  const { pty } = await serve(addresses);
  const further = addresses.slice(1).map((address) => ({ address, name: `Pack ${address}` }));
  /** By address: when its telemetry was asked for, ms. */
  const asked = addresses.map((): number[] => []);
  /** The other program owes an answer: virtual time stands still until all of it has come. */
  let owed = false;
  const { clock, probes } = await firmwareOn(
    { bms: { readMode: "registers" }, packs: { first: "Pack 1", further } },
    (clock, board) => {
      bridge(clock, board.wire.bms, pty);
      const { onBytes } = pty;
      const write = pty.write.bind(pty);
      let reply: number[] = [];
      pty.onBytes = (bytes) => {
        reply.push(...bytes);
        const [, code = 0, count = Infinity] = reply;
        // An exception has its code where a reply has its count.
        if (reply.length < FRAMING + (code & 0x80 ? 0 : count)) return;
        const whole = Uint8Array.from(reply);
        reply = [];
        owed = false;
        clock.after(ANSWER, () => onBytes?.(whole));
      };
      pty.write = (bytes) => {
        const [address = 0, code, high, low] = bytes;
        if (code === 3 && high === 0x12 && !low) asked[address - 1]?.push(clock.now);
        owed = true;
        write(bytes);
      };
    },
  );
  const run = setInterval(() => {
    for (let ms = 0; ms < MOST && !owed; ms++) clock.runFor(1);
  }, 0);
  cleanUps.push(() => clearInterval(run));
  // All of them are known then, with their settings and logs.
  const known = clock.now + 120_000;
  await expect.poll(() => clock.now).toBeGreaterThan(known + 40_000);
  clearInterval(run);
  for (const times of asked) {
    const late = times.filter((at) => at >= known);
    const rounds = late.length - 1;
    expect(rounds).toBeGreaterThan(15);
    expect(((late.at(-1) as number) - (late[0] as number)) / rounds).toBeLessThanOrEqual(2_180);
  }
  // The log of each, as above.
  expect(probes.monitor().statistics).toMatchObject({ crcErrors: 0, exceptions: 15, timeouts: 0 });
});
