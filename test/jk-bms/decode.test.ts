/** `npm run decode`, as a person runs it. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capture, captureNames, capturePath, captureText, expectable, expected } from "../support/bms/captures";
import { concat, frame as frameOf, sealed } from "../support/bms/fake-bms";
import { hex } from "../support/hex";

let program: string;
let folder: string;

beforeAll(async () => {
  // A variable, for TypeScript would look for types of the script.
  const script = "../../scripts/bundle.mjs";
  const { bundle } = (await import(script)) as { bundle: (entry: string, out: string) => Promise<string> };
  program = await bundle("host-sim/decode.ts", "test-decode");
  folder = mkdtempSync(join(tmpdir(), "decode-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

const run = (...parameters: string[]): Run =>
  spawnSync(process.execPath, [program, ...parameters], { encoding: "utf8" });

function decode(content: string | Uint8Array, ...parameters: string[]): Run {
  const file = join(folder, "input.hex");
  writeFileSync(file, typeof content === "string" ? content : `# made by a test\n${hex(content)}\n`);
  return run(file, ...parameters);
}

const FRAME = "dbus-sb_t02_addr3_PB2A16S20P_15.41";
const ACKNOWLEDGEMENT = capture("dbus-sb_ack_1620_addr3");

const parsed = (stdout: string): unknown => expectable(JSON.parse(stdout) as object);

const frame = (type: number, payload = new Uint8Array(293)): Uint8Array => frameOf(type, payload);

/** Entries by their places in the ring: running time and code. */
function logFrame(count: number, newest: number, entries: readonly (readonly [number, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(293));
  view.setUint32(0, count, true);
  view.setUint8(4, newest);
  entries.forEach(([uptime, code], place) => {
    view.setUint32(5 + 5 * place, uptime, true);
    view.setUint8(9 + 5 * place, code);
  });
  return frame(5, new Uint8Array(view.buffer));
}

describe("decodes the BMS's own log", () => {
  interface Log {
    readonly type: string;
    readonly entries: readonly { readonly uptimeSeconds: number; readonly code: number }[];
  }
  const log = (content: string | Uint8Array): Log => JSON.parse(decode(content).stdout) as Log;

  it("of a capture that has been written over six times, entry by entry", () => {
    const { type, entries } = log(captureText("batmonfork_t05_systemlog_addr1"));
    expect([type, entries.length]).toEqual(["systemLog", 50]);
    // The bytes 3D DB 5B 01 04 at place 8 come last, those behind them, 8E 0E 92 00 06, are the oldest.
    expect(entries.slice(0, 3)).toEqual([
      { uptimeSeconds: 0x015bdb3d, code: 4, event: "app_charging_on" },
      { uptimeSeconds: 0x015bdb3c, code: 3, event: "app_charging_off" },
      { uptimeSeconds: 0x015bdb37, code: 4, event: "app_charging_on" },
    ]);
    expect(entries[8]).toEqual({ uptimeSeconds: 0x01418bea, code: 59, event: "clock_set" });
    expect(entries[9]).toEqual({ uptimeSeconds: 0x01418bea, code: 59, event: "clock_set" });
    expect(entries.at(-1)).toEqual({ uptimeSeconds: 0x00920e8e, code: 6, event: "app_discharging_on" });
    const times = entries.map(({ uptimeSeconds }) => uptimeSeconds);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  it("as it grows, wraps and is erased", () => {
    const entry = (at: number) => [100 * at, 1 + (at % 60)] as const;
    for (const count of [0, 1, 2, 49, 50, 51, 99, 100, 101, 309]) {
      const ring: [number, number][] = [];
      for (let at = 0; at < count; at++) ring[at % 50] = [...entry(at)];
      const wanted = Array.from({ length: Math.min(count, 50) }, (_, back) => entry(count - 1 - back));
      const { entries } = log(logFrame(count, count ? (count - 1) % 50 : 0, ring));
      expect(entries.map(({ uptimeSeconds, code }) => [uptimeSeconds, code])).toEqual(wanted);
    }
    // Of syssi/esphome-jk-bms 116, the beginning: four entries, and what was there before the erase.
    const left = logFrame(4, 3, [
      [497_855, 1],
      [580_503, 1],
      [585_063, 0x1b],
      [585_121, 0x1c],
      [497_842, 0xd3],
    ]);
    expect(log(left).entries.map(({ code }) => code)).toEqual([0x1c, 0x1b, 1, 1]);
    // An entry that is younger than its successor ends it.
    expect(
      log(
        logFrame(3, 2, [
          [900, 1],
          [100, 2],
          [200, 3],
        ]),
      ).entries.map(({ code }) => code),
    ).toEqual([3, 2]);
  });
});

describe("decodes", () => {
  it("a probe that is not there as null, not as -200 °C", () => {
    const payload = capture("dbus-sb_t02_addr3_PB2A16S20P_15.41").slice(6, 299);
    new DataView(payload.buffer).setInt16(0x9e, -2_000, true);
    const { temperatures } = JSON.parse(decode(frameOf(2, payload)).stdout) as { temperatures: object };
    expect(temperatures).toMatchObject({ battery1: expect.any(Number) as number, battery2: null });
  });

  it("what is set in the vendor's app, and the switches that are on", () => {
    const { others, switchesOn } = JSON.parse(run(capturePath("dbus-sb_t01_addr3_PB2A16S20P_15.41")).stdout) as {
      others: object;
      switchesOn: string[];
    };
    expect(others).toEqual({
      ...{ smartSleepVoltage: 3.5, soc100Voltage: 3.445, soc0Voltage: 2.9, cellRfvVoltage: 3.35 },
      ...{ maxChargeCurrent: 60, chargeOcpDelay: 3, chargeOcpRelease: 60 },
      ...{ maxDischargeCurrent: 100, dischargeOcpDelay: 300, dischargeOcpRelease: 60 },
      ...{ shortCircuitRelease: 5, shortCircuitDelay: 1_500, deviceAddress: 3, prechargeTime: 0 },
      ...{ heatingStart: 0, heatingStop: 10, smartSleepTime: 24 },
    });
    expect(switchesOn).toEqual(["timedStoredData", "floatMode", "dischargeOcp2", "dischargeOcp3"]);
  });

  it("balancing, MOSFETs and heating", () => {
    const bytes = capture(FRAME);
    const outputs = (): unknown => (JSON.parse(decode(bytes).stdout) as Record<string, unknown>)["outputs"];
    const still = { charging: true, discharging: true, balancing: false, balanceCurrent: 0, heating: false };
    expect(outputs()).toEqual({ ...still, heatingCurrent: 0 });
    for (const [offset, value] of [
      [170, 0xc6],
      [171, 0x07],
      [172, 1],
      [198, 0],
      [215, 1],
      [236, 0x10],
    ] as const)
      bytes[offset] = value;
    bytes[299] = bytes.subarray(0, 299).reduce((sum, byte) => sum + byte, 0) & 0xff;
    expect(outputs()).toEqual({
      charging: false,
      discharging: true,
      balancing: true,
      balanceCurrent: 1.99,
      heating: true,
      heatingCurrent: 0.016,
    });
  });

  // One of each type: all of them are decoded by the same code in captures.test.ts.
  it.each(["dbus-sb_t01_addr3_PB2A16S20P_15.41", FRAME, "syssi-ble-v15_t03"])("%s", (name) => {
    expect(captureNames).toContain(name);
    const { status, stdout, stderr } = run(capturePath(name));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(parsed(stdout)).toEqual(expected(name));
  });

  it.each([
    ["308 bytes", concat(capture(FRAME), ACKNOWLEDGEMENT)],
    ["310 bytes", concat(capture(FRAME), Uint8Array.of(0), ACKNOWLEDGEMENT, Uint8Array.of(0))],
    ["a bus master's", concat(capture(FRAME), capture("phinix-parallel_ack_1620_addr0"))],
  ])("a whole trigger answer of %s", (_, bytes) => {
    expect(parsed(decode(bytes).stdout)).toEqual(expected(FRAME));
  });

  it.each([
    ["recon_fc03_1000x100_reply", "settings"],
    ["recon_fc03_1200x120_reply", "realtime"],
    ["recon_fc03_1400x80_reply", "deviceInfo"],
    ["phinix-uart1-fc03_reply_addr0_0", "settings"],
  ])("the register reply %s, and finds its block by its bytes", (name, type) => {
    expect(JSON.parse(run(capturePath(name)).stdout)).toMatchObject({ type });
  });

  it("a register reply from --start onwards", () => {
    for (const start of [["--start", "0x1114"], ["--start=0x1114"], ["--start", "4372"]])
      expect(JSON.parse(run(capturePath("recon_fc03_1114x1_reply"), ...start).stdout)).toEqual({
        type: "settings",
        switchWord: 0x3200,
        switchesOn: ["floatMode", "dischargeOcp2", "dischargeOcp3"],
      });
    expect(JSON.parse(run("--start", "0x12F0", capturePath("recon_fc03_12F0x16_reply")).stdout)).toMatchObject({
      detailLogsCount: 36,
    });
  });

  it("limits for discharging in the cold, of a pack that uses them", () => {
    const bytes = capture("dbus-sb_t01_addr3_PB2A16S20P_15.41");
    const { temperature } = JSON.parse(decode(bytes).stdout) as { temperature: object };
    expect(temperature).not.toHaveProperty("dischargeUtp");
    bytes.set([0xec, 0], 296);
    bytes[299] = bytes.subarray(0, 299).reduce((sum, byte) => (sum + byte) & 255, 0);
    expect(JSON.parse(decode(bytes).stdout)).toMatchObject({
      temperature: { ...temperature, dischargeUtp: -20, dischargeUtpr: 0 },
    });
  });

  it("hex without blanks, in lower case, with # comments anywhere", () => {
    const text = `\n # one\r\n${hex(capture(FRAME)).replaceAll(" ", "").toLowerCase()}\r\n# two`;
    expect(parsed(decode(text).stdout)).toEqual(expected(FRAME));
  });

  it("without showing passwords", () => {
    const bytes = capture("syssi-ble-v15_t03").fill(0x5a, 62, 78).fill(0x5a, 118, 134);
    bytes[299] = bytes.subarray(0, 299).reduce((sum, byte) => (sum + byte) & 255, 0);
    expect(decode(bytes).stdout).not.toContain("ZZ");
  });
});

describe("reports errors and exits with 1:", () => {
  const usual = capture(FRAME);
  const changed = (at: number): Uint8Array => Uint8Array.from(usual, (byte, index) => (index === at ? byte ^ 1 : byte));
  const reply = captureText("recon_fc03_1200x120_reply");

  it.each([
    ["a wrong checksum", changed(100), [], "bad checksum"],
    ["a wrong last byte", changed(299), [], "bad checksum"],
    ["a frame cut short", usual.subarray(0, 299), [], "300 bytes, here are only 299"],
    ["a wrong acknowledgement", concat(usual, changed(0).subarray(0, 8)), [], "bad checksum"],
    ["something behind the acknowledgement", concat(usual, ACKNOWLEDGEMENT, Uint8Array.of(1)), [], "bad checksum"],
    ["half an acknowledgement", concat(usual, ACKNOWLEDGEMENT.subarray(0, 7)), [], "bad checksum"],
    ["a fault record", frame(6), [], "unknown frame: type 6"],
    ["a damaged system log", logFrame(12, 12, []), [], "elsewhere than its count"],
    ["an acknowledgement", ACKNOWLEDGEMENT, [], "unknown frame"],
    ["a read request", captureText("recon_fc03_1200x120_req"), [], "unknown frame"],
    ["noise", "DE AD BE EF", [], "unknown frame"],
    ["one byte", "01", [], "unknown frame"],
    ["an exception", captureText("recon_exc_1038_out_of_range"), [], "exception 3 (illegal data value)"],
    ["a reply with a wrong CRC", sealed(1, 3, 2, 0x32, 0).fill(9, 6), [], "bad checksum"],
    ["a reply cut short", reply.slice(0, -6), [], "unknown frame"],
    ["a reply that could be anywhere", captureText("recon_fc03_1114x1_reply"), [], "--start 0x1200"],
    ["a reply too long for its place", reply, ["--start", "0x12FE"], "longer than the block"],
    ["--start with a frame", usual, ["--start", "0x1200"], "--start is for register replies"],
    ["--start odd", reply, ["--start", "0x1201"], "--start 0x1201 is not"],
    ["--start nowhere", reply, ["--start", "0x0FFE"], "--start 0x0FFE is not"],
    ["--start without a register", reply, ["--start"], "--start  is not"],
    ["no hex", "55 AA GG", [], 'not hexadecimal: it has "G"'],
    ["half a byte", "55 AA E", [], "half a byte"],
    ["an empty file", "", [], "no bytes"],
    ["only # lines", "# 55 AA\n#\n", [], "no bytes"],
  ])("%s", (_, content, parameters, message) => {
    const { status, stdout, stderr } = decode(content, ...parameters);
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  });

  it("no file, two files, a missing file", () => {
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") as string });
    expect(run("a", "b")).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") as string });
    expect(run("--wrong")).toMatchObject({ status: 1, stderr: expect.stringContaining("Usage") as string });
    expect(run(join(folder, "none"))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot be read: ENOENT") as string,
    });
  });

  it("but --help is not an error", () => {
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage") as string });
  });
});

describe("decodes a recording, message by message", () => {
  const messages = (text: string): unknown[] => JSON.parse(decode(text).stdout) as unknown[];
  const read = hex(sealed(3, 3, 0x14, 0x18, 0, 4));
  const reply = hex(sealed(3, 3, 8, ...[..."15.41"].map((one) => one.charCodeAt(0)), 0, 0, 0));

  it("with time, direction and what was asked for", () => {
    const recorded = [
      `0 > ${read}`,
      `12.5 < ${reply.slice(0, 12)}`,
      `20 < ${reply.slice(12)}`,
      `30 > ${hex(sealed(3, 16, 0x16, 0x20, 0, 1, 2, 0, 0))}`,
      `40 < ${hex(concat(capture(FRAME), ACKNOWLEDGEMENT))}`,
      `50 > ${hex(sealed(3, 3, 0x10, 0, 0, 9))}`,
      `60 < ${hex(sealed(3, 0x83, 2))} FF EE`,
      "100",
    ];
    expect(messages(recorded.join("\n"))).toMatchObject([
      { at: 0, sent: true, address: 3, request: "read 0x1418, 4 words" },
      { at: 12.5, sent: false, address: 3, answer: { type: "deviceInfo", softwareVersion: "15.41" } },
      { at: 30, sent: true, address: 3, request: "write 0x1620: 0000" },
      { at: 40, sent: false, answer: { type: "realtime", soc: 55 } },
      { at: 40, sent: false, address: 3, answer: "written 0x1620" },
      { at: 50, sent: true, request: "read 0x1000, 9 words" },
      { at: 60, sent: false, address: 3, answer: "exception 2 (illegal data address)" },
      { at: 60, sent: false, noise: "FFEE" },
    ]);
  });

  it("says why what is whole cannot be decoded, and what was not asked for", () => {
    expect(messages(`0 ${reply}\n10 ${hex(frame(9))}\n20\n`)).toEqual([
      { at: 0, address: 3, answer: expect.stringContaining("does not say which registers") as string },
      { at: 10, answer: expect.stringContaining("unknown frame: type 9") as string },
    ]);
  });
});
