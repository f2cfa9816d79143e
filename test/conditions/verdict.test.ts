/** The verdict on several packs: a concern of any of them reaches what names no pack, whichever pack it is. */
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { JsonWriter } from "json/writer";
import { NONE, ofRow, type Conditions } from "../../src/conditions/set";
import { CONCERNS, DEVICE, DEVICE_CONDITIONS, severityOf } from "../../src/conditions/table";
import type { ConditionSource } from "../../src/conditions/types";
import { patternOf } from "../../src/health/pattern";
import { MetricsReader } from "../../src/metrics/metrics-reader";
import { writeState } from "../../src/mqtt/documents";
import type { Group } from "../../src/mqtt/topics";
import type { Sources } from "../../src/mqtt/types";
import { TestMonitor } from "../support/bms/bms-link";
import { StillMonitor } from "../support/bms/still-monitor";
import { NO_CONDITIONS } from "../support/fakes/no-conditions";
import { metricsParts } from "../support/fakes/metrics-parts";
import { mqttParts } from "../support/mqtt/mqtt-parts";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { poweredBoard } from "../support/system/simulated-board";

beforeEach(() => void poweredBoard());

class Troubled extends TestMonitor {
  bits = NONE;
  override get concerns(): Conditions {
    return this.bits;
  }
}

/** Three packs that are well, of which one is not. */
function bankWith(index: number, bits: Conditions): { monitor: StillMonitor; troubled: Troubled } {
  const packs = [0, 1, 2].map((at) => {
    const pack = Object.assign(new Troubled(), { index: at, label: at + 1 });
    pack.identity = { address: at + 1, name: "", serial: "" };
    pack.telemetry.set(FIELDS.soc, 50);
    return pack;
  });
  const troubled = packs[index]!;
  troubled.bits = bits;
  return { monitor: new StillMonitor(packs[0], ...packs.slice(1)), troubled };
}

function metrics(monitor: StillMonitor, pack = monitor.packs[0], whole = true): ReturnType<typeof parseExposition> {
  const parts = metricsParts();
  Object.assign(parts.monitor, { packs: monitor.packs });
  const into = new Uint8Array(200_000);
  const { length } = { length: new MetricsReader(pack, whole ? parts : undefined).read(into) };
  return parseExposition(Buffer.from(into.subarray(0, length)).toString());
}

function stateOf(group: Group, monitor: StillMonitor, index: number, sources?: Sources): object {
  const buffer = new Uint8Array(16_384);
  const json = new JsonWriter().begin(buffer);
  writeState(json, group, monitor.packs[index]!, sources);
  return JSON.parse(new TextDecoder().decode(buffer.subarray(0, json.end()))) as object;
}

const document = (monitor: StillMonitor, index: number): { well: boolean; concerns: string[] } =>
  stateOf("telemetry", monitor, index, index ? undefined : { ...mqttParts(), monitor }) as never;

/** `bits`: what is wrong with the device. */
const ofDevice = (bits: Conditions): ConditionSource => ({
  ...NO_CONDITIONS,
  presentOf: (index) => (index === DEVICE ? bits : NONE),
});

const led = ({ packs }: StillMonitor, bits = NONE): string =>
  patternOf({
    ...{ isConstructed: true, button: undefined, updater: { isRunning: false }, network: { accessPoint: "" } },
    monitor: { packs },
    conditions: ofDevice(bits),
  });

describe.each([0, 1, 2])("of pack %i of three", (index) => {
  it.each(CONCERNS.map((concern, bit) => [concern, bit] as const))(
    "%s reaches LED, MQTT and metrics",
    (concern, bit) => {
      const { monitor, troubled } = bankWith(index, ofRow(bit));
      const well = severityOf(concern) === "notice";
      expect(led(monitor)).toBe(well ? "well" : concern === "alarm" ? "alarm" : "attention");
      expect(document(monitor, 0)).toMatchObject({ well, concerns: [concern] });
      const all = metrics(monitor);
      expect([sampleOf(all, "bms_well"), sampleOf(all, "bms_concern", { concern })]).toEqual([Number(well), 1]);
      // Each pack's own verdict stays its own.
      for (const at of [1, 2]) expect(document(monitor, at).well).toBe(well || at !== index);
      const own = monitor.packs.map((pack) => sampleOf(metrics(monitor, pack, false), "bms_well"));
      expect(own).toEqual([0, 1, 2].map((at) => (at === index && !well ? 0 : 1)));
      troubled.bits = NONE;
      expect([led(monitor), document(monitor, 0).well, sampleOf(metrics(monitor), "bms_well")]).toEqual([
        "well",
        true,
        1,
      ]);
    },
  );

  it("silence is attention while others answer, and all of them silent is silence", () => {
    const { monitor, troubled } = bankWith(index, ofRow(CONCERNS.indexOf("offline")));
    troubled.online = false;
    expect(led(monitor)).toBe("attention");
    for (const pack of monitor.packs) Object.assign(pack, { online: false });
    expect(led(monitor)).toBe("silent");
  });
});

describe.each(DEVICE_CONDITIONS.map((code, row) => [code, row] as const))("%s of the device", (code, row) => {
  const conditions = ofDevice(ofRow(row));

  it("reaches the LED, unless it is a notice, and never hides what is wrong with a pack", () => {
    const { monitor, troubled } = bankWith(1, NONE);
    expect(led(monitor, ofRow(row))).toBe(severityOf(code) === "notice" ? "well" : "attention");
    troubled.bits = ofRow(CONCERNS.indexOf("alarm"));
    expect(led(monitor, ofRow(row))).toBe("alarm");
  });

  it("reaches MQTT's diagnostics and the metrics, and no verdict on packs", () => {
    const { monitor } = bankWith(1, NONE);
    const parts = Object.assign(metricsParts(), { conditions });
    Object.assign(parts.monitor, { packs: monitor.packs });
    const into = new Uint8Array(200_000);
    const text = new TextDecoder().decode(into.subarray(0, new MetricsReader(monitor.packs[0], parts).read(into)));
    const samples = parseExposition(text);
    for (const concern of DEVICE_CONDITIONS)
      expect(sampleOf(samples, "bms_monitor_concern", { concern })).toBe(Number(concern === code));
    expect([sampleOf(samples, "bms_well"), sampleOf(samples, "bms_bank_well")]).toEqual([1, 1]);
    const sources = { ...mqttParts(), monitor, conditions };
    expect(stateOf("diagnostics", monitor, 0, sources)).toMatchObject({ concerns: [code] });
    expect(stateOf("telemetry", monitor, 0, sources)).toMatchObject({ well: true, concerns: [] });
  });
});
