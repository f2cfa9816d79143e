/** The monitor on the real bus, over a simulated wire, to a BMS that answers with captured bytes. */
import type { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it } from "vitest";
import { writeConfiguration, writeStatus } from "../../src/catalogue/document.ts";
import type { Pack } from "../../src/catalogue/pack.ts";
import type { BmsSettings } from "../../src/settings/types.ts";
import { FakeBms } from "../support/bms/fake-bms";
import { lineBoard } from "../support/bms/line";
import { PackOnLine } from "../support/bms/pack-on-line";
import type { SimulatedBoard } from "../../host-sim/board.ts";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { jsonText } from "../support/json-text.ts";

const traced: string[] = [];
let board: SimulatedBoard;

function setUp(readMode: BmsSettings["readMode"]) {
  const bms = new FakeBms(board);
  const monitor = new SoloMonitor({
    settings: { address: 1, baud: 115200, interval: 1000, readMode, gap: 75, mode: "poll" },
    opener: new PackOnLine(board),
  });
  monitor.start();
  return { bms, monitor };
}

const document = (write: (json: JsonWriter, pack: Pack) => void, pack: Pack): Record<string, unknown> =>
  JSON.parse(jsonText((json) => write(json, pack))) as Record<string, unknown>;

const run = (duration: number): void => board.clock.runFor(duration);

beforeEach(() => {
  board = lineBoard({ console: (text) => traced.push(text) });
  traced.length = 0;
});

describe.each(["registers", "frames"] as const)("by %s", (readMode) => {
  it("comes online, loads the settings, writes a setting and shows it as soon as it is no longer pending", () => {
    const { monitor } = setUp(readMode);
    run(1900);
    expect([monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([true, true]);
    expect(document(writeStatus, monitor.pack)).toMatchObject({
      online: true,
      name: "BB02",
      batteryType: "LiFePO4",
      cellCount: 16,
      info: { maxCells: 16 },
    });
    expect(monitor.parameter("cellovp", "3.5505")).toBeUndefined();
    for (let ms = 0; monitor.writes.pending && ms < 5000; ms++) run(1);
    expect(monitor.lastCommand).toBe("cell_ovp_voltage 3.551 V: confirmed by the BMS.");
    expect(monitor.lastCommandOk).toBe(true);
    expect(document(writeConfiguration, monitor.pack)).toMatchObject({ protections: { cellOvpVoltage: 3.551 } });
    run(5000);
    expect(document(writeConfiguration, monitor.pack)).toMatchObject({
      loaded: true,
      protections: { cellOvpVoltage: 3.551 },
    });
    expect(traced).toEqual([]);
  });

  it("reports the value read back when the BMS ignores a write", () => {
    const { monitor, bms } = setUp(readMode);
    run(1900);
    bms.ignoresWrites = true;
    monitor.parameter("cell_count", 15);
    run(5000);
    expect(monitor.lastCommandOk).toBe(false);
    expect(monitor.lastCommand).toBe("cell_count 15 cells: acknowledged, but not applied: read back 16 cells.");
    expect(document(writeConfiguration, monitor.pack)).toMatchObject({ battery: { cellCount: 16 } });
  });

  it("goes offline and resolves the pending write when the BMS falls silent, and recovers", () => {
    const { monitor, bms } = setUp(readMode);
    run(1900);
    bms.instead = () => null;
    monitor.command("charge_mos", false);
    run(4999);
    expect(monitor.writes.pending).toBe(false);
    expect(monitor.lastCommandOk).toBe(false);
    run(15_000);
    expect([monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([false, false]);
    expect(document(writeStatus, monitor.pack)).toMatchObject({ online: false, cellCount: 16, name: "BB02" });
    bms.instead = undefined;
    run(10_000);
    expect([monitor.pack.online, monitor.pack.configurationLoaded]).toEqual([true, true]);
    expect(traced).toEqual([]);
  });
});
