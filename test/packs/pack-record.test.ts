/** What is known of one pack: what needs attention, which pack it is, its log, and which of its documents have changed. */
import * as FIELDS from "jk-bms/field-table";
import { DEVICE_INFO, FURTHER, LOG, SERIAL, SETUP, TELEMETRY } from "jk-bms/types";
import { beforeEach, describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import { plus, common, hasAny, NONE, type Conditions } from "../../src/conditions/set";
import {
  CONTRADICTION,
  ENERGY_SHORT,
  LATE,
  LINK,
  LINK_WEAK,
  OTHER_MASTER,
  SAME_IDENTITY,
  SHARED,
  SWAPPED,
} from "../../src/conditions/rows";
import type { Comparison } from "../../src/packs/comparison";
import type { EnergyGaps } from "../../src/packs/energy-gaps";
import { IDENTITY_PERIOD, LOG_PERIOD, MAX_TRUST, OFFLINE_POLLS, TRUST_LOST, TRUSTED } from "../../src/packs/limits";
import type { LinkQuality } from "../../src/packs/link-quality";
import { PackRecord, type PackOwner } from "../../src/packs/pack-record";
import { lineBoard } from "../support/bms/line";
import { TestLink } from "../support/bms/bms-link";
import { table } from "../support/table";

let board: SimulatedBoard;
let link: TestLink;
let pack: PackRecord;
/** What the owner was told. */
let told: string[];
const WELL = {
  poor: false,
  short: false,
  weak: false,
  contested: false,
  compared: NONE,
  disturbed: false,
  listening: false,
};
const facts = { ...WELL };

/** A bus of so many packs; `pack` is at the second place, or the only one. */
function connect(count: number, serial = ""): void {
  const say =
    (what: string) =>
    ({ index }: PackRecord): void =>
      void told.push(`${what} ${index}`);
  const index = Math.min(count - 1, 1);
  const of = (place: number, fact: boolean): boolean => place === index && fact;
  const owner: PackOwner = {
    packs: new Array<unknown>(count),
    quality: {
      isPoor: (place: number) => of(place, facts.poor),
      isWeak: (place: number) => of(place, facts.weak || facts.poor),
    } as LinkQuality,
    shared: {
      alternates: () => false,
      proved: () => false,
      stands: (place: number) => of(place, facts.contested),
    } as unknown as PackOwner["shared"],
    gaps: { isShort: (place: number) => of(place, facts.short) } as EnergyGaps,
    comparison: { concernsOf: (place: number) => (place === index ? facts.compared : NONE) } as Comparison,
    get uptime() {
      return Math.floor(board.clock.now / 1_000);
    },
    cycle: 1_000,
    get listening() {
      return facts.listening;
    },
    get isDisturbed() {
      return facts.disturbed;
    },
    patience: () => Infinity,
    foreignBlock: () => undefined,
    packOnlineChanged: say("online"),
    packIdentified: say("identified"),
    packSwapped: say("swapped"),
    packUnanswered: say("unanswered"),
    settingChanged: say("changed"),
    packSettled: say("settled"),
  };
  pack = new PackRecord(owner, index, { address: 7, name: "", serial });
  link = new TestLink();
  pack.connect(link);
}

/** It replies with a telemetry. */
function reply(): void {
  link.telemetry.set(FIELDS.packVoltage, 52_000);
  pack.telemetryChanged();
  pack.polled(true, 0);
}

/** Its device information is read, with this serial number. */
function readInfo(serial: string): void {
  link.deviceInfo.set(FIELDS.serialNumber, serial);
  pack.identified(DEVICE_INFO, true);
}

beforeEach(() => {
  board = lineBoard();
  told = [];
  Object.assign(facts, WELL);
});

describe("what needs attention", () => {
  type Change = Partial<typeof facts>;
  const LINKED = [LINK, LINK_WEAK, OTHER_MASTER, SWAPPED, SHARED, SAME_IDENTITY, ENERGY_SHORT].reduce(plus);
  const found = (change: Change): Conditions => {
    Object.assign(facts, change);
    pack.changed();
    return common(pack.concerns, LINKED);
  };

  table([
    ["nothing", {}, 0, 0],
    ["a poor link", { poor: true, weak: true }, LINK, 0],
    ["a weak link", { weak: true }, LINK_WEAK, 0],
    ["gaps in its energy", { short: true }, ENERGY_SHORT, 0],
    ["what is seen beside the others", { compared: SAME_IDENTITY }, SAME_IDENTITY, 0],
    ["another master", { disturbed: true }, OTHER_MASTER, OTHER_MASTER],
    ["a shared address", { contested: true }, SHARED, SHARED],
  ] as const)("is said while it is online, and of the bus also while it is not", (_, change, online, offline) => {
    Object.assign(facts, WELL);
    connect(3);
    expect(found(change)).toBe(offline);
    reply();
    expect(found(change)).toBe(online);
  });

  it("is judged anew when something has changed, and not before", () => {
    connect(3);
    reply();
    expect(common(pack.concerns, LINK_WEAK)).toBe(0);
    facts.weak = true;
    expect(common(pack.concerns, LINK_WEAK)).toBe(0);
    pack.telemetryChanged();
    expect(common(pack.concerns, LINK_WEAK)).toBe(LINK_WEAK);
  });

  it("is a contradiction that its settings or its serial number cannot be, once they count", () => {
    connect(3);
    reply();
    link.deviceInfo.set(FIELDS.model, "JK");
    link.setup.set(FIELDS.cellCount, 16).set(FIELDS.capacity, 280_000).set(FIELDS.cellOvpVoltage, 3_650);
    const judge = (): Conditions => {
      pack.blockEnded(SETUP, true);
      return common(pack.concerns, CONTRADICTION);
    };
    expect(judge()).toBe(0);
    link.setup.set(FIELDS.cellUvpVoltage, 3_650);
    expect(judge()).toBe(CONTRADICTION);
    link.setup.set(FIELDS.cellUvpVoltage, 2_600);
    expect(judge()).toBe(0);
    readInfo("S\x01");
    expect(judge()).toBe(CONTRADICTION);
    readInfo("S1");
    expect(judge()).toBe(0);
    facts.listening = true;
    link.deviceInfo.set(FIELDS.serialNumber, "S\x01");
    pack.take(DEVICE_INFO, true);
    expect(common(pack.concerns, CONTRADICTION)).toBe(0);
    pack.take(DEVICE_INFO);
    expect(common(pack.concerns, CONTRADICTION)).toBe(CONTRADICTION);
  });

  it("is another pack at its address, until the expected one is back", () => {
    connect(3, "A");
    reply();
    readInfo("B");
    expect([pack.isSwapped, common(pack.concerns, SWAPPED)]).toEqual([true, SWAPPED]);
    readInfo("A");
    expect([pack.isSwapped, common(pack.concerns, SWAPPED)]).toEqual([false, 0]);
    expect(told).toEqual(["online 1", "swapped 1"]);
  });
});

describe("which pack it is", () => {
  it("is noted at the first serial number, of several packs; of one alone nobody asks", () => {
    connect(3);
    reply();
    readInfo("A");
    expect(told).toEqual(["online 1", "identified 1"]);
    connect(1);
    reply();
    readInfo("A");
    expect(told).toEqual(["online 1", "identified 1", "online 0"]);
  });

  it("is asked for at once after a failed poll, since it may have been replaced", () => {
    connect(3, "A");
    reply();
    readInfo("A");
    const before = pack.identifiedAt;
    pack.polled(false, 0);
    expect(pack.identifiedAt).toBe(before);
    board.clock.runFor(10);
    pack.polled(true, 0);
    expect(before + 10 - pack.identifiedAt).toBe(IDENTITY_PERIOD);
  });

  it("another one's setup, device information and log are read, all of them anew", () => {
    connect(3, "A");
    reply();
    readInfo("A");
    pack.blockEnded(SETUP, true);
    pack.blockEnded(FURTHER, true);
    pack.blockEnded(LOG, true);
    expect([pack.slow.due, pack.systemLog]).toEqual([undefined, link.systemLog]);
    link.deviceInfo.set(FIELDS.serialNumber, "A");
    pack.identified(SERIAL, true);
    expect([pack.slow.due, pack.systemLog]).toEqual([undefined, link.systemLog]);
    link.deviceInfo.set(FIELDS.serialNumber, "B");
    // It was asked in vain: the same as before.
    pack.identified(SERIAL, false);
    expect(pack.isSwapped).toBe(false);
    pack.identified(SERIAL, true);
    expect([pack.isSwapped, pack.slow.due, pack.systemLog]).toEqual([true, DEVICE_INFO, undefined]);
    readInfo("B");
    expect(pack.slow.due).toBe(SETUP);
    pack.blockEnded(SETUP, true);
    expect(pack.slow.due).toBe(LOG);
  });

  it("does not follow from a device information that could not be read", () => {
    connect(3, "A");
    reply();
    pack.blockEnded(DEVICE_INFO, true);
    link.deviceInfo.set(FIELDS.serialNumber, "B");
    pack.blockEnded(DEVICE_INFO, false);
    expect(pack.isSwapped).toBe(false);
  });

  table([
    ["one without a serial number, whose name is part of it", "\tx", "", false, true],
    ["one with a serial number", "A", "A", false, false],
    ["one that is not known yet", "", "", false, false],
    ["another pack than expected", "A", "B", true, false],
  ] as const)("is noted anew when its Bluetooth name was written", (_, serial, shown, swapped, expected) => {
    connect(3, serial);
    reply();
    link.deviceInfo.set(FIELDS.bluetoothName, "old");
    if (shown) link.deviceInfo.set(FIELDS.serialNumber, shown);
    pack.blockEnded(DEVICE_INFO, shown !== "");
    expect(pack.isSwapped).toBe(swapped);
    told = [];
    pack.renamed();
    expect(told).toEqual(expected ? ["identified 1"] : []);
  });
});

describe("its log", () => {
  it("is known once it has been read, with its age, and asked for again after LOG_PERIOD, also if it could not be", () => {
    connect(3, "A");
    reply();
    readInfo("A");
    pack.blockEnded(SETUP, true);
    pack.blockEnded(FURTHER, true);
    expect([pack.slow.due, pack.systemLog, pack.systemLogAge]).toEqual([LOG, undefined, 0]);
    pack.blockEnded(LOG, false);
    expect([pack.systemLog, pack.systemLogAge]).toEqual([undefined, 0]);
    board.clock.runFor(5_000);
    pack.blockEnded(LOG, true);
    expect([pack.systemLog, pack.systemLogAge]).toEqual([link.systemLog, 0]);
    board.clock.runFor(7_000);
    expect(pack.systemLogAge).toBe(7);
    pack.connect(undefined);
    expect(pack.systemLog).toBeUndefined();
    pack.connect(link);
    board.clock.runFor(LOG_PERIOD - 7_000);
    reply();
    // Before it come the blocks, whose periods are shorter.
    pack.blockEnded(DEVICE_INFO, true);
    pack.blockEnded(SETUP, true);
    pack.blockEnded(FURTHER, true);
    expect(pack.slow.due).toBe(LOG);
  });

  it("is unknown again after the pack was offline", () => {
    connect(1);
    reply();
    pack.blockEnded(LOG, true);
    expect(pack.systemLog).toBe(link.systemLog);
    pack.wentOffline();
    pack.wentOnline();
    expect([pack.systemLog, pack.systemLogAge]).toEqual([undefined, 0]);
  });
});

describe("a missed reply", () => {
  const missed = (): void => pack.polled(false, 0);

  it("makes a pack silent at once, unless it has answered TRUSTED polls before", () => {
    connect(3);
    expect(pack.isSilent).toBe(true);
    for (let poll = 1; poll < TRUSTED + TRUST_LOST; poll++) reply();
    expect([pack.isSilent, pack.isTrusted]).toEqual([false, true]);
    missed();
    expect([pack.isSilent, pack.isTrusted]).toEqual([true, false]);
    for (let poll = 1; poll < TRUSTED; poll++) reply();
    expect([pack.isSilent, pack.isTrusted]).toEqual([false, false]);
    reply();
    expect([pack.isSilent, pack.isTrusted]).toEqual([false, true]);
    missed();
    expect([pack.isSilent, pack.isTrusted]).toEqual([true, false]);
  });

  it("of one that answered many, and one since the last, does not", () => {
    connect(3);
    for (let poll = 0; poll < 2 * MAX_TRUST; poll++) reply();
    for (let turn = 0; turn < 2; turn++) {
      missed();
      reply();
    }
    expect([pack.isSilent, pack.isTrusted]).toEqual([false, true]);
  });

  it("is late once a reply has come late, until one comes in time", () => {
    connect(3);
    reply();
    expect(pack.hasBeenLate).toBe(false);
    pack.onLateReply();
    expect(pack.hasBeenLate).toBe(true);
    // It may have answered the first of two requests.
    pack.polled(true, 0, true);
    expect(pack.hasBeenLate).toBe(true);
    reply();
    expect(pack.hasBeenLate).toBe(false);
  });

  it("of one that answered many does not, and a second one does", () => {
    connect(3);
    for (let poll = 0; poll < 2 * MAX_TRUST; poll++) reply();
    missed();
    expect([pack.isSilent, pack.isTrusted]).toEqual([false, true]);
    missed();
    expect([pack.isSilent, pack.isTrusted]).toEqual([true, false]);
  });

  it("is reported from the third one in a row on, each kind once until it answers", () => {
    connect(1);
    for (let poll = 1; poll < OFFLINE_POLLS; poll++) pack.polled(false, 0);
    expect(told).toEqual([]);
    pack.polled(false, 0);
    pack.polled(false, 1);
    pack.polled(false, 0);
    expect([told, pack.noReply]).toEqual([["unanswered 0", "unanswered 0"], "silence"]);
    reply();
    expect(pack.noReply).toBeUndefined();
  });
});

describe("an answer that comes too late", () => {
  const missed = (): string => {
    pack.telemetryChanged();
    pack.polled(false, 0);
    return `${pack.noReply}${hasAny(pack.concerns, LATE) ? " and found" : ""}`;
  };

  it("counts with the second, is over after three polls without one, and each change is told", () => {
    connect(1);
    for (let poll = 0; poll < OFFLINE_POLLS; poll++) missed();
    pack.onLateReply();
    expect(missed()).toBe("silence");
    pack.onLateReply();
    expect(missed()).toBe("late and found");
    for (let times = 0; times < 5; times++) pack.onLateReply();
    expect([missed(), missed(), missed()]).toEqual(["late and found", "late and found", "silence"]);
    expect(told).toEqual(Array(3).fill("unanswered 0"));
  });

  it("is none where every third poll has one, nor of a pack that is online, nor after one in time", () => {
    connect(1);
    for (let poll = 0; poll < 12; poll++) {
      if (poll % 3 === 0) pack.onLateReply();
      expect(missed()).toBe("silence");
    }
    pack.onLateReply();
    pack.onLateReply();
    reply();
    expect([pack.noReply, common(pack.concerns, LATE)]).toEqual([undefined, 0]);
    expect(missed()).toBe("silence");
    // What is asked twice is answered twice.
    pack.onLateReply();
    pack.onLateReply();
    expect(missed()).toBe("silence");
    pack.onLateReply();
    expect(missed()).toBe("late");
  });

  it.each([
    ["another master is listened to", () => pack.listeningChanged()],
    ["the bus has been closed", () => pack.forget()],
  ])("is forgotten once %s", (_, change) => {
    connect(1);
    for (let poll = 0; poll < OFFLINE_POLLS; poll++) missed();
    for (let poll = 0; poll < 2; poll++) {
      pack.onLateReply();
      missed();
    }
    expect(common(pack.concerns, LATE)).toBe(LATE);
    change();
    expect(common(pack.concerns, LATE)).toBe(0);
  });
});

describe("its documents", () => {
  it.each<[string, () => void, telemetry: number, setup: number]>([
    ["a reply", () => pack.telemetryChanged(), 1, 0],
    ["a block that was read", () => pack.blockEnded(SETUP, true), 1, 1],
    ["another way to read", () => pack.listeningChanged(), 1, 1],
    ["a write", () => pack.written(SETUP), 1, 1],
    ["another name", () => pack.rename({ address: 7, name: "B", serial: "" }), 1, 1],
  ])("have changed after %s", (_, change, revision, setupRevision) => {
    connect(1);
    const before = [pack.revision, pack.setupRevision] as const;
    change();
    expect([pack.revision - before[0], pack.setupRevision - before[1]]).toEqual([revision, setupRevision]);
  });
});

it("how old its setup is, is since it was read", () => {
  connect(1);
  reply();
  pack.blockEnded(SETUP, true);
  board.clock.runFor(3_000);
  expect(pack.setupAge).toBe(3);
});

it("what another master was answered counts while it is listened to, the settings also before it is online", () => {
  facts.listening = true;
  connect(1);
  pack.take(SETUP);
  expect(pack.configurationLoaded).toBe(false);
  link.telemetry.set(FIELDS.packVoltage, 52_000);
  pack.take(TELEMETRY);
  expect([pack.online, pack.configurationLoaded]).toEqual([true, true]);
});

it("is not written to while the bus is closed", () => {
  connect(1);
  pack.connect(undefined);
  expect(() => pack.write("cellOvpVoltage" as never, 1, 1_000, () => undefined, "")).toThrow("the bus is closed");
});
