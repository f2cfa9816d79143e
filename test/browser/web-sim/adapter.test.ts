/** The station that is an adapter, with a port as the specification has it and a simulated BMS behind: in virtual time, without a browser. */
import { expect, it, onTestFinished, vi } from "vitest";
import { withCrc } from "../../../host-sim/bms/codec";
import { SimulatedBms, type SimulatedBmsOptions } from "../../../host-sim/bms/simulated-bms";
import { SimulatedBoard } from "../../../host-sim/board";
import { Wire } from "../../../host-sim/wire";
import main, { type Firmware } from "../../../src/main";
import { Adapter, type AdapterState } from "../../../web-sim/adapter";
import { Recorder } from "../../../web-sim/recorder";
import { onlyReads } from "../../../web-sim/requests";
import { TestPort, TestSerial, type LineError } from "../../support/web/test-port";
import { turn } from "../../support/system/system";

const LONG = 60_000;
const KIND = { usbVendorId: 0x1a86, usbProductId: 0x7523 };
const READS = "Connected, 115,200 baud, only reads.";

interface Bench {
  readonly firmware: Firmware;
  readonly bms: SimulatedBms;
  readonly adapter: Adapter;
  readonly port: TestPort;
  readonly recorder: Recorder;
  /** The last that was told. */
  readonly state: AdapterState;
  /** How many requests that change something the BMS has seen. */
  readonly writes: number;
  readonly pass: (ms: number) => Promise<void>;
  readonly until: (what: () => boolean) => Promise<void>;
}

/** The firmware polls through the adapter; the BMS is at the other end of a wire of its own. */
async function start(
  options: Partial<SimulatedBmsOptions> = {},
  ports?: (port: TestPort) => TestPort[],
): Promise<Bench> {
  const board = new SimulatedBoard({ seed: 1, console: () => undefined, config: { httpPort: 0, snmpPort: 0 } });
  const { clock } = board;
  const recorder = new Recorder();
  let state: AdapterState = { isOpen: false, writes: false, text: "" };
  const tell = (told: AdapterState): void => void (state = told);
  const adapter = new Adapter({ clock, board: board.wire.board, end: board.wire.bms, recorder, tell });
  const far = new Wire(clock, { baud: options.baud ?? 115_200 });
  const bms = new SimulatedBms({ clock, wire: far.bms, timeFactor: 0, ...options });
  const port = new TestPort({ clock, end: far.board });
  vi.stubGlobal("navigator", { serial: new TestSerial(ports?.(port) ?? [port]) });
  let firmware: Firmware | undefined;
  await board.boot(() => (firmware = main()));
  onTestFinished(() => {
    board.powerOff();
    vi.unstubAllGlobals();
  });
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed++) {
      clock.runFor(1);
      await turn();
    }
  };
  const bench: Bench = {
    firmware: firmware as unknown as Firmware,
    ...{ bms, adapter, port, recorder },
    get state() {
      return state;
    },
    get writes() {
      return bms.traffic.log.filter(({ function: code, trigger }) => code === 0x10 && !trigger).length;
    },
    pass,
    async until(what) {
      for (let passed = 0; !what(); passed++) {
        expect(passed).toBeLessThan(LONG);
        await pass(1);
      }
    },
  };
  return bench;
}

/** Connected, and its values are there. */
async function online(options: Partial<SimulatedBmsOptions> = {}): Promise<Bench> {
  const bench = await start(options);
  await bench.adapter.connect(KIND);
  await bench.until(() => bench.firmware.monitor.packs[0]?.online === true);
  expect(bench.state).toEqual({ isOpen: true, writes: false, text: READS });
  return bench;
}

/** Outcome of a change that the firmware is told to make. */
async function change({ firmware, until }: Bench, on: boolean): Promise<string | undefined> {
  const { writes, packs } = firmware.monitor;
  const [pack] = packs;
  if (!pack) throw new Error("no pack");
  expect(writes.command(pack, "charge_mos", on, "page")).toBeUndefined();
  await until(() => !writes.pending);
  return writes.lastOf(pack)?.outcome;
}

/** Polls that have been answered since. */
async function polls({ bms, until }: Bench, count: number): Promise<void> {
  const before = bms.traffic.outcomes.answered;
  await until(() => bms.traffic.outcomes.answered >= before + count);
}

const REFUSED = /^Connected, 115,200 baud, only reads\. Not sent to the BMS/;

it("reads values, settings and the log, and sends nothing that changes the BMS", async () => {
  const bench = await online();
  const [pack] = bench.firmware.monitor.packs;
  await bench.until(() => Boolean(pack?.setup.valid && pack.deviceInfo.valid));
  await bench.pass(15_000);
  expect(bench.bms.traffic.writes.has(0x1624)).toBe(true);
  expect([bench.writes, bench.bms.traffic.outcomes.damaged]).toEqual([0, 0]);
});

it("a change is refused and says so, until the owner allows it, and again at the next connection", async () => {
  const bench = await online();
  const { adapter, bms, port } = bench;
  expect(await change(bench, false)).toBe("refused");
  expect(bench.state.text).toMatch(REFUSED);
  // It stays, while polls go on.
  await polls(bench, 3);
  expect(bench.state.text).toMatch(REFUSED);
  expect([bench.writes, bms.registers.read("BatChargeEN")]).toEqual([0, 1]);

  adapter.allow(true);
  expect(bench.state).toEqual({ isOpen: true, writes: true, text: "Connected, 115,200 baud, changes allowed." });
  expect(await change(bench, false)).toBe("confirmed");
  expect(bms.registers.read("BatChargeEN")).toBe(0);
  adapter.allow(false);
  expect(await change(bench, true)).toBe("refused");

  adapter.allow(true);
  await adapter.connect(KIND);
  expect(bench.state).toEqual({ isOpen: true, writes: false, text: READS });
  await polls(bench, 2);
  expect(await change(bench, true)).toBe("refused");
  expect(bms.registers.read("BatChargeEN")).toBe(0);

  adapter.allow(true);
  port.unplug();
  await bench.until(() => !bench.state.isOpen);
  port.plugIn();
  await adapter.connect(KIND);
  expect(bench.state).toEqual({ isOpen: true, writes: false, text: READS });
  await bench.until(() => bench.firmware.monitor.packs[0]?.online === true);
  expect(await change(bench, true)).toBe("refused");
  expect(bms.registers.read("BatChargeEN")).toBe(0);
});

/** With its CRC, by the simulator's own code. */
const sealed = (...bytes: number[]): number[] => [...withCrc(bytes)];
const READ = sealed(1, 3, 0x12, 0, 0, 57);

it.each<[what: string, bytes: number[], passes: boolean]>([
  ["a read", READ, true],
  ["the trigger of the device information", sealed(1, 16, 0x16, 0x1c, 0, 1, 2, 0, 0), true],
  ["of the settings", sealed(15, 16, 0x16, 0x1e, 0, 1, 2, 0, 0), true],
  ["of the telemetry", sealed(0, 16, 0x16, 0x20, 0, 1, 2, 0, 0), true],
  ["of the log", sealed(1, 16, 0x16, 0x24, 0, 1, 2, 0, 0), true],
  ["of the fault records", sealed(1, 16, 0x16, 0x22, 0, 1, 2, 0, 0), false],
  ["the upgrade", sealed(1, 16, 0x16, 0x26, 0, 1, 2, 0, 0), false],
  ["a chemistry preset", sealed(1, 16, 0x16, 0x0c, 0, 1, 2, 0, 0), false],
  ["a trigger with a value", sealed(1, 16, 0x16, 0x20, 0, 1, 2, 0, 1), false],
  ["a trigger and the register behind it", sealed(1, 16, 0x16, 0x20, 0, 2, 4, 0, 0, 0, 0), false],
  ["two registers in the bytes of one", sealed(1, 16, 0x16, 0x20, 0, 2, 2, 0, 0), false],
  ["a trigger with more behind it", sealed(1, 16, 0x16, 0x20, 0, 1, 2, 0, 0, 0, 1), false],
  ["a read with more behind it", sealed(1, 3, 0x12, 0, 0, 57, 1), false],
  ["a switch", sealed(1, 16, 0x10, 0x70, 0, 2, 4, 0, 0, 0, 1), false],
  ["function 6", sealed(1, 6, 0x16, 0x20, 0, 0), false],
  ["another function", sealed(1, 0x17, 0x12, 0, 0, 1, 0x10, 0x70, 0, 1, 2, 0, 0), false],
  ["a read with a write behind it", [...READ, ...sealed(1, 16, 0x10, 0x70, 0, 2, 4, 0, 0, 0, 1)], false],
  ["a read with a wrong CRC", [...READ.slice(0, -1), 0], false],
  ["nothing", [], false],
])("without leave passes what only reads: %s", (_, bytes, passes) => {
  expect(onlyReads(Uint8Array.from(bytes))).toBe(passes);
});

it("nothing can be allowed while no adapter is connected", async () => {
  const bench = await start();
  bench.adapter.allow(true);
  await bench.adapter.connect(KIND);
  expect(bench.state).toEqual({ isOpen: true, writes: false, text: READS });
});

it.each<LineError>(["BufferOverrunError", "BreakError", "FramingError", "ParityError"])(
  "reads on after a %s, and says it while it lasts",
  async (name) => {
    const bench = await online();
    const texts = {
      BufferOverrunError: "too busy",
      BreakError: "held low",
      FramingError: "damaged",
      ParityError: "damaged",
    };
    bench.port.fail(name);
    await bench.until(() => bench.state.text.includes(texts[name]));
    await bench.until(() => bench.state.text === READS);
    await polls(bench, 3);
    expect(bench.firmware.monitor.packs[0]?.online).toBe(true);
  },
);

it("is told when it is unplugged, also while nobody reads, and works again after it was plugged in", async () => {
  const bench = await online();
  bench.port.unplug();
  await bench.until(() => !bench.state.isOpen);
  expect(bench.state).toEqual({
    isOpen: false,
    writes: false,
    text: expect.stringContaining("was unplugged") as string,
  });
  await bench.until(() => bench.firmware.monitor.packs[0]?.online === false);
  await bench.adapter.connect(KIND);
  expect(bench.state.text).toContain("not there any more");
  bench.port.plugIn();
  await bench.adapter.connect(KIND);
  await bench.until(() => bench.firmware.monitor.packs[0]?.online === true);
});

it("says who has it, and takes it once it is free", async () => {
  const bench = await start();
  bench.port.isBusy = true;
  await bench.adapter.connect(KIND);
  expect(bench.state).toMatchObject({
    isOpen: false,
    text: expect.stringContaining("Another program or tab") as string,
  });
  bench.port.isBusy = false;
  await bench.port.open({ baudRate: 9_600 });
  await bench.adapter.connect(KIND);
  expect(bench.state).toMatchObject({
    isOpen: false,
    text: expect.stringContaining("open in this tab already") as string,
  });
  await bench.port.close();
  await bench.adapter.connect(KIND);
  expect(bench.state.text).toBe(READS);
  await bench.adapter.close();
  expect(bench.port.isOpen).toBe(false);
});

it("takes the port of the kind that was chosen", async () => {
  const other = new TestPort({
    clock: new SimulatedBoard().clock,
    end: new Wire(new SimulatedBoard().clock, { baud: 115_200 }).board,
    info: { usbVendorId: 1, usbProductId: 2 },
  });
  const bench = await start({}, (port) => [other, port]);
  await bench.adapter.connect(KIND);
  expect([other.isOpen, bench.port.isOpen]).toEqual([false, true]);
});

it("says where a worker has no serial ports", async () => {
  const bench = await start();
  vi.stubGlobal("navigator", {});
  await bench.adapter.connect(KIND);
  expect(bench.state).toMatchObject({ isOpen: false, text: expect.stringContaining("not to their workers") as string });
});

it.each([
  ["silence", { isDeaf: true }],
  ["echo", { isDeaf: true, echoes: true }],
] as const)("an adapter that is connected to nothing: the firmware says %s", async (noReply, wrong) => {
  const bench = await start();
  Object.assign(bench.port, wrong);
  await bench.adapter.connect(KIND);
  await bench.until(() => bench.firmware.monitor.packs[0]?.noReply !== undefined);
  expect(bench.firmware.monitor.packs[0]?.noReply).toBe(noReply);
  expect(bench.state.text).toBe(READS);
});

it("polls through an adapter that echoes", async () => {
  const bench = await start();
  bench.port.echoes = true;
  await bench.adapter.connect(KIND);
  await bench.until(() => bench.firmware.monitor.packs[0]?.online === true);
  await polls(bench, 5);
  expect(bench.firmware.monitor.packs[0]?.online).toBe(true);
});

it("a search follows the firmware to the other baud rate, finds the pack there, and comes back", async () => {
  const bench = await start({ address: 7, baud: 9_600 });
  await bench.adapter.connect(KIND);
  const { monitor } = bench.firmware;
  await bench.until(() => monitor.packs[0]?.noReply !== undefined);
  expect(monitor.startSearch()).toBeUndefined();
  await bench.until(() => monitor.search?.isRunning === false);
  const found: unknown[] = [];
  monitor.search?.forEach(({ address, baud }) => found.push([address, baud]));
  expect(found).toEqual([[7, 9_600]]);
  await bench.until(() => bench.port.opened.length === 3);
  expect(bench.port.opened).toEqual([115_200, 9_600, 115_200]);
  expect(bench.writes).toBe(0);
});
