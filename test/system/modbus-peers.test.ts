/** Programs of others that speak Modbus TCP: mbpoll, pymodbus, jsmodbus; and Wireshark's dissector. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import jsmodbus from "jsmodbus";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { type Sent, writeCapture } from "../support/modbus/pcap";
import { evccBlock, pysunspec2, refusal } from "../support/modbus/sunspec-clients";
import { PATIENCE } from "../support/patience";
import { runProgram } from "../support/run-program";
import { System } from "../support/system/system";

const PYMODBUS = fileURLToPath(new URL("../peers/pymodbus-tcp.py", import.meta.url));

let system: System;
let port: number;

beforeEach(async () => {
  port = await freePort();
  system = await System.start({ board: { config: { settings: { modbus: { enabled: true, port } } } } });
  await system.untilLoaded();
});

afterEach(() => system.stop());

it("mbpoll reads what docs/modbus.md says, by its lines", async () => {
  const lines = readFileSync("docs/modbus.md", "utf8").match(/^mbpoll .*#=> .*$/gm) ?? [];
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const [command = "", expected = ""] = line.split(/\s+#=> /);
    const { stdout } = await runProgram("mbpoll", command.replace("1502", `${port}`).split(/\s+/).slice(1));
    expect(stdout).toContain(expected);
  }
});

it("pymodbus reads both maps, and is refused what is refused", async () => {
  const { stdout } = await runProgram("/usr/bin/python3", [PYMODBUS, `${port}`]);
  expect(JSON.parse(stdout)).toEqual({
    ...{ suns: [0x5375, 0x6e53], charge: 55, end: [0xffff, 0] },
    ...{ nowhere: 2, unit: 11, write: 1, writes: 1 },
  });
});

it("jsmodbus reads 802 and the own block, and is refused what is refused", async () => {
  const socket = connect(port, "127.0.0.1");
  const client = new jsmodbus.client.TCP(socket, 1, PATIENCE);
  await new Promise((resolve) => socket.once("connect", resolve));
  const read = async (register: number, quantity: number): Promise<Buffer> =>
    (await client.readHoldingRegisters(register, quantity)).response.body.valuesAsBuffer;
  const battery = await read(40_070, 64);
  expect([0, 2, 22, 2 * 56].map((at) => battery.readInt16BE(at))).toEqual([802, 62, 550, -1]);
  const own = await client.readInputRegisters(1_000, 40);
  expect(own.response.body.valuesAsBuffer.readInt32BE(0)).toBe(550);
  expect(own.response.body.valuesAsBuffer.equals(await read(1_000, 40))).toBe(true);
  const refused = async (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => "not refused",
      (error: { response?: { body: { code: number } } }) => error.response?.body.code,
    );
  expect(await refused(client.readHoldingRegisters(0, 3))).toBe(2);
  expect(await refused(client.writeSingleRegister(40_080, 20))).toBe(1);
  expect(await refused(client.writeMultipleRegisters(40_080, [20]))).toBe(1);
  socket.destroy();
});

/** What Wireshark's dissector sees of a connection, a line a frame: what it objects to first, then function, exception and length. */
async function dissected(sent: readonly Sent[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "capture-"));
  try {
    const file = join(folder, "modbus.pcap");
    writeCapture(file, sent);
    const fields = ["_ws.expert.message", "_ws.malformed", "modbus.func_code", "modbus.exception_code", "mbtcp.len"];
    const { code, stdout } = await runProgram("tshark", [
      ...["-r", file, "-n", "-Y", "tcp.len > 0", "-T", "fields", "-E", "separator=|"],
      ...fields.flatMap((field) => ["-e", field]),
    ]);
    expect(code).toBe(0);
    return stdout.trimEnd().split("\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("Wireshark's dissector has no objection to a session, and would have one to a length that lies", async () => {
  const client = await ModbusClient.open(port);
  await pysunspec2(client, 1);
  await pysunspec2(client, 101);
  await evccBlock(client, 1, 802);
  await client.read(1, 1_000, 40, 4);
  expect(await refusal(client.read(99, 40_000, 2))).toBe(11);
  expect(await client.ask(1, [6, 0x9c, 0x90, 0, 0xc8])).toEqual(Buffer.of(0x86, 1));
  expect(await client.ask(1, [16, 0x9c, 0x90, 0, 1, 2, 0, 0xc8])).toEqual(Buffer.of(0x90, 1));
  const lines = await dissected(client.sent);
  client.close();
  expect(lines).toHaveLength(client.sent.length);
  const clean = client.sent.map(({ bytes }) => {
    const code = bytes[7] as number;
    const length = ((bytes[4] as number) << 8) | (bytes[5] as number);
    return `||${code & 0x7f}|${code & 0x80 ? bytes[8] : ""}|${length}`;
  });
  expect(lines).toEqual(clean);
  // An exception has no byte count that says the same.
  const at = client.sent.findIndex(({ byDevice, bytes }) => byDevice && (bytes[7] as number) & 0x80);
  const [request, refused] = client.sent.slice(at - 1) as [Sent, Sent];
  const reply = Buffer.from(refused.bytes);
  reply[5] = (reply[5] ?? 0) - 1;
  expect((await dissected([request, { byDevice: true, bytes: reply }]))[1]).not.toMatch(/^\|\|/);
});
