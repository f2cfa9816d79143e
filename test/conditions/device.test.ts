/** Each condition of the device at its limit. */
import { describe, expect, it } from "vitest";
import { conditionsOf, deviceMeasurement, knownOf, type JudgedDevice } from "../../src/conditions/device";
import { WEAK_SIGNAL } from "../../src/conditions/limits";
import { ofRow, without } from "../../src/conditions/set";
import { DEVICE_ALL, DEVICE_CONDITIONS, DEVICE_ROW, deviceBit, deviceCodes, unitOf } from "../../src/conditions/table";

interface Changes {
  readonly type?: "Ethernet" | "Wi-Fi";
  readonly rssi?: number | undefined;
  readonly parts?: readonly string[];
  readonly problems?: readonly string[];
  readonly server?: string;
  readonly isDoubted?: boolean;
  readonly time?: number | undefined;
}

const device = (changes: Changes = {}): JudgedDevice => {
  const { type, rssi, parts, problems, server, isDoubted, time } = {
    ...{ type: "Wi-Fi", rssi: WEAK_SIGNAL, parts: [], problems: [], server: "a", isDoubted: false, time: 0 },
    ...changes,
  } as Required<Changes>;
  return {
    network: { type, rssi },
    parts: { problems: parts },
    settings: { problems, time: { server } },
    sntp: { isDoubted },
    time: () => time,
  };
};
const codes = (changes?: Changes): string[] => deviceCodes(conditionsOf(device(changes)));

it("nothing is wrong with one that knows the time, stores, hears its network, and whose parts work", () => {
  expect(codes()).toEqual([]);
  expect(knownOf(device())).toBe(DEVICE_ALL);
});

const FAILED = "part-failed\tmqtt\tno memory";
const HISTORY = "part-failed\thistory\tthe flash fails";

it.each<[string, Changes, string[]]>([
  ["the clock is not set", { time: undefined }, ["clock-unknown"]],
  ["without a time server neither", { time: undefined, server: "" }, ["clock-unknown"]],
  ["no answer of the time server is believed", { isDoubted: true }, ["clock-doubtful"]],
  ["which was taken out of the settings", { isDoubted: true, server: "" }, []],
  ["a group of settings is not stored", { problems: ["older\tbms", "unwritable\trelay"] }, ["storage-failed"]],
  ["what else is stored is not", { problems: ["unwritable-energy"] }, ["storage-failed"]],
  ["settings that could not be read, or were damaged", { problems: ["unreadable\tbms", "corrupt\tweb"] }, []],
  ["the history fails", { parts: [HISTORY] }, ["storage-failed"]],
  ["another part fails", { parts: [FAILED] }, ["part-failed"]],
  ["both fail", { parts: [FAILED, HISTORY] }, ["storage-failed", "part-failed"]],
  ["one dBm above the limit", { rssi: WEAK_SIGNAL + 1 }, []],
  ["one dBm below it", { rssi: WEAK_SIGNAL - 1 }, ["weak-wifi"]],
  ["the cable is in use", { rssi: WEAK_SIGNAL - 1, type: "Ethernet" }, []],
])("%s", (_, changes, expected) => expect(codes(changes)).toEqual(expected));

it("before the time is asked for nothing is said of the server", () => {
  expect(conditionsOf({ ...device(), sntp: undefined })).toBe(0);
});

describe("the signal", () => {
  const weak = deviceBit("weak-wifi");

  it("cannot be judged while no Wi-Fi is joined; with a cable it is no matter", () => {
    expect(knownOf(device({ rssi: undefined }))).toBe(without(DEVICE_ALL, weak));
    expect(conditionsOf(device({ rssi: undefined }))).toBe(0);
    expect(knownOf(device({ rssi: undefined, type: "Ethernet" }))).toBe(DEVICE_ALL);
  });

  it("is told beside its limit; of the others no number is judged", () => {
    const judged = device({ rssi: -93 });
    DEVICE_CONDITIONS.forEach((_, row) =>
      expect(deviceMeasurement(judged, ofRow(row))).toEqual(unitOf(DEVICE_ROW + row) ? [-93, WEAK_SIGNAL] : undefined),
    );
  });
});
