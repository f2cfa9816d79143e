import { beforeEach, describe, expect, it } from "vitest";
import { appendCrc } from "modbus/crc";
import { RESET } from "../../host-sim/board";
import { keepAbort } from "../../host-sim/abort";
import { RELAY_RESTARTS, SAFE_RESTARTS } from "../../src/health/limits";
import { ABORT_AT, ABORT_BYTES, HEADER_BYTES, START_AT, START_BYTES, VERSION } from "../../src/runtime/retained";
import { REASONS } from "../../src/health/reasons";
import { StartRecord } from "../../src/health/start";
import type { Cause } from "../../src/health/types";
import { FaultyStorage } from "../support/fakes/storage";

let storage: FaultyStorage;
let record: StartRecord;
beforeEach(() => {
  storage = new FaultyStorage();
  record = new StartRecord(storage);
});

const stored = (): string | undefined => storage.get("state", "restarts");

/** The chip starts anew, for `reason`. */
function reset(reason: number): StartRecord {
  const { board } = storage;
  const kept = reason === RESET.powerOn ? undefined : board.kept.slice();
  board.powerOff();
  board.powerOn();
  if (kept) board.kept.set(kept);
  Object.defineProperty(board, "resetReason", { configurable: true, value: reason });
  return (record = new StartRecord(storage));
}

const crash = (): StartRecord => reset(RESET.panic);

it("the first start is a power-on, with nothing retained or stored", () => {
  expect(record).toMatchObject({
    reason: "power-on",
    restarts: 0,
    where: "",
    intact: false,
    restless: false,
    safe: false,
  });
  expect(stored()).toBeUndefined();
});

it("names every reset reason of the chip, and says when it is unknown", () => {
  REASONS.forEach((reason, code) => expect(reset(code).reason).toBe(reason));
  expect(reset(REASONS.length).reason).toBe("unknown");
});

it("a platform that throws ends no start: the relay stays off, or the crash is counted although its place cannot be read", () => {
  const { board } = storage;
  const refuse = (name: "kept" | "crash"): void =>
    void Object.defineProperty(board, name, {
      configurable: true,
      get() {
        throw new Error("no memory");
      },
    });
  const { kept } = board;
  refuse("kept");
  expect(new StartRecord(storage)).toMatchObject({ reason: "unknown", intact: false, restless: true, safe: false });
  Object.defineProperty(board, "kept", { configurable: true, value: kept });
  refuse("crash");
  expect(crash()).toMatchObject({ reason: "panic", restarts: 1, where: "" });
  expect(crash()).toMatchObject({ restarts: 2, restless: true });
});

it("counts restarts until the power goes", () => {
  for (let count = 1; count <= 300; count++) expect(reset(RESET.software).restarts).toBe(count);
  expect(reset(RESET.powerOn).restarts).toBe(0);
});

it.each<Cause>([
  "ordered",
  "update",
  "update-rejected",
  "factory-reset",
  "no-poll",
  "no-listener",
  "low-memory",
  "no-wifi",
])("reports its own restart, %s, once and only after a software reset", (cause) => {
  record.note(cause);
  expect(reset(RESET.software).reason).toBe(cause);
  expect(reset(RESET.software).reason).toBe("software");
  record.note(cause);
  expect(crash().reason).toBe("panic");
});

it("reports where it crashed until that is forgotten, which the constructor leaves to its caller", () => {
  storage.board.crash = "task main, pc 0x400d1a2b";
  expect(crash().where).toBe("task main, pc 0x400d1a2b");
  expect(crash().where).toBe("task main, pc 0x400d1a2b");
  record.forgetCrash();
  expect(crash().where).toBe("");
  storage.board.crash = "an old one";
  expect(reset(RESET.powerOn).where).toBe("");
});

describe("a script that XS ended", () => {
  const abort = (why: string): void => keepAbort(storage.board.kept, why);

  it("is a crash, with its reason and exception, once", () => {
    abort("unhandled exception: TypeError: no\n    at poll (main)");
    expect(reset(RESET.software)).toMatchObject({
      reason: "script-aborted",
      where: "unhandled exception: TypeError: no at poll (main)",
    });
    expect(reset(RESET.software)).toMatchObject({ reason: "software", where: "" });
  });

  it("says so even if the firmware had noted a restart of its own, and counts", () => {
    record.note("ordered");
    abort("memory full");
    expect(reset(RESET.software).reason).toBe("script-aborted");
    for (let done = 1; done < SAFE_RESTARTS; done++) {
      expect(record.safe).toBe(false);
      abort("memory full");
      reset(RESET.software);
    }
    expect(record.safe).toBe(true);
  });

  it("is forgotten when the chip restarts for another reason, without touching the core dump's place", () => {
    abort("memory full");
    storage.board.crash = "main, pc 0x400d1a2b";
    expect(crash()).toMatchObject({ reason: "panic", where: "main, pc 0x400d1a2b" });
    expect(reset(RESET.software).reason).toBe("software");
    abort("memory full");
    reset(RESET.software).forgetCrash();
    expect(storage.board.crash).toBe("main, pc 0x400d1a2b");
  });

  it("leaves at most what fits", () => {
    abort("x".repeat(ABORT_BYTES - 3));
    expect(reset(RESET.software).where).toHaveLength(ABORT_BYTES - 3);
    abort("x".repeat(ABORT_BYTES));
    expect(reset(RESET.software).where).toHaveLength(ABORT_BYTES - 3);
  });

  it.each([0, 1, 20, ABORT_BYTES - 1])("byte %d of its record damaged: a restart by software", (at) => {
    abort("memory full");
    storage.board.kept[ABORT_AT + at] = (storage.board.kept[ABORT_AT + at] as number) ^ 0x10;
    expect(reset(RESET.software)).toMatchObject({ reason: "software", where: "" });
  });
});

describe("restarts in quick succession", () => {
  it.each([
    [RELAY_RESTARTS - 1, false, false],
    [RELAY_RESTARTS, true, false],
    [SAFE_RESTARTS - 1, true, false],
    [SAFE_RESTARTS, true, true],
    [SAFE_RESTARTS + 300, true, true],
  ])("%d: relay off %s, safe mode %s", (count, restless, safe) => {
    for (let done = 0; done < count; done++) crash();
    expect([record.restless, record.safe]).toEqual([restless, safe]);
  });

  it.each([RESET.panic, RESET.taskWatchdog, RESET.brownOut, RESET.software])(
    "counts a reset of reason %d",
    (reason) => {
      for (let done = 0; done < SAFE_RESTARTS; done++) reset(reason);
      expect(record.safe).toBe(true);
    },
  );

  it("counts the supervisor's restarts", () => {
    for (let done = 0; done < SAFE_RESTARTS; done++) {
      record.note("no-poll");
      reset(RESET.software);
    }
    expect(record.safe).toBe(true);
  });

  it("end after a good run", () => {
    for (let done = 0; done < SAFE_RESTARTS - 1; done++) crash();
    record.settle();
    for (let done = 0; done < SAFE_RESTARTS - 1; done++) crash();
    expect(record.safe).toBe(false);
  });

  it("keep safe mode through good runs, power cuts and more crashes, until somebody orders a restart", () => {
    for (let done = 0; done < SAFE_RESTARTS; done++) crash();
    record.settle();
    for (const reason of [RESET.powerOn, RESET.panic, RESET.powerOn]) expect(reset(reason).safe).toBe(true);
    record.note("ordered");
    expect(reset(RESET.software)).toMatchObject({ safe: false, restless: false });
    expect(stored()).toBe("0");
  });

  it("are remembered across a power cut, which itself does not count", () => {
    for (let done = 0; done < SAFE_RESTARTS; done++) {
      expect(record.safe).toBe(false);
      crash();
      reset(RESET.powerOn);
    }
    expect(record.safe).toBe(true);
  });

  it("stop writing to flash once in safe mode", () => {
    for (let done = 0; done < SAFE_RESTARTS; done++) crash();
    const { writes } = storage;
    for (let done = 0; done < 100; done++) crash();
    expect(storage.writes).toBe(writes);
  });
});

describe("damage", () => {
  it.each(Array.from({ length: START_BYTES }, (_, at) => at))("byte %d of the retained record: it is ignored", (at) => {
    for (let done = 0; done < 3; done++) crash();
    storage.board.kept[START_AT + at] = (storage.board.kept[START_AT + at] as number) ^ 0x10;
    expect(crash()).toMatchObject({ intact: false, restarts: 0, reason: "panic" });
  });

  it.each(Array.from({ length: HEADER_BYTES }, (_, at) => at))(
    "byte %d of the map's mark: all counts as empty",
    (at) => {
      for (let done = 0; done < 3; done++) crash();
      storage.board.kept[at] = (storage.board.kept[at] as number) ^ 0x10;
      keepAbort(storage.board.kept, "memory full");
      expect(reset(RESET.software)).toMatchObject({ intact: false, restarts: 0, reason: "software", where: "" });
      expect(crash()).toMatchObject({ intact: true, restarts: 1 });
    },
  );

  it.each([VERSION - 1, VERSION + 1, 0xffff])(
    "another version of the map, %d, with a valid check: it counts as empty",
    (version) => {
      crash();
      const { kept } = storage.board;
      new DataView(kept.buffer).setUint16(4, version);
      appendCrc(kept.subarray(0, HEADER_BYTES), HEADER_BYTES - 2);
      expect(crash()).toMatchObject({ intact: false, restarts: 0 });
    },
  );

  it.each(["", "x", "-1", "6", "1e9"])("a stored count of %j is ignored", (text) => {
    storage.put("state", "restarts", text);
    reset(RESET.powerOn);
    expect([record.restless, record.safe]).toEqual([false, false]);
  });

  it("a storage that cannot be used: the retained memory alone counts", () => {
    storage.failsToOpen = true;
    for (let done = 0; done < SAFE_RESTARTS; done++) crash();
    expect(record.safe).toBe(true);
  });
});
