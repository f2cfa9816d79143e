import type { WriteResult } from "jk-bms/types";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { COMMANDS_TABLE } from "../../src/catalogue/commands.ts";
import { BACKSTOP_RESERVE, LINK_RESERVE, MAX_SENTENCE, WRITE_TIMEOUT } from "../../src/bms/limits.ts";
import { WRITE_MINIMUM } from "../../src/packs/limits.ts";
import { PARAMETERS_TABLE, type ParameterRow } from "../../src/catalogue/parameters.ts";
import { ENDING_OUTCOMES, REFUSAL_REASONS, WriteCounters } from "../../src/bms/write-counters.ts";
import { reportOf, sentenceOf, type Ending, type Write } from "../../src/bms/write-report.ts";
import { TestLink } from "../support/bms/bms-link.ts";
import { poweredBoard } from "../support/system/simulated-board.ts";
import type { SimulatedBoard } from "../../host-sim/board.ts";
import { QueueBench, QueuePack } from "../support/bms/queue-bench.ts";
import { table } from "../support/table.ts";
import Timer from "../../host-sim/io/timer.ts";

const traced: string[] = [];
let board: SimulatedBoard;

function powerOn(ticks = 0): void {
  traced.length = 0;
  board = poweredBoard({ ticks, console: (text) => traced.push(text) });
}

const BACKSTOP = WRITE_TIMEOUT - BACKSTOP_RESERVE;

/** The pack that is written to: alone, and first, in the middle and last of three. */
const PLACES = [
  { index: 0, count: 1 },
  { index: 0, count: 3 },
  { index: 1, count: 3 },
  { index: 2, count: 3 },
];
let place = PLACES[0];

function setUp(state: { online?: boolean; configurationLoaded?: boolean } = {}) {
  const bench = new QueueBench(new TestLink(), place);
  Object.assign(bench.pack, state);
  return bench;
}

beforeEach(() => {
  powerOn();
});

/** A test of each place: each of them one more row. */
function everywhere(name: string, test: (where: (typeof PLACES)[number]) => void): void {
  table(PLACES, () => powerOn())(name, (where) => {
    place = where;
    test(where);
  });
}

const run = (duration: number): void => board.clock.runFor(duration);

function rowOf(name: string): ParameterRow {
  const row = PARAMETERS_TABLE.find((candidate) => candidate.name === name);
  if (!row) throw new Error(name);
  return row;
}

table([0, 1])("a write of a setting for all packs does not end that to the next pack by a late result", (late) => {
  const bench = new QueueBench(new TestLink(), { count: 3 });
  const { link, packs, queue } = bench;
  expect(queue.parameterToAll("cell_ovp_voltage", 3.6, "API")).toBeUndefined();
  for (let at = 0; at < late; at++) {
    queue.job!.next();
    queue.start();
    run(100);
  }
  link.writeAnswer = { result: { outcome: "confirmed" }, after: BACKSTOP + 200 };
  queue.job!.next();
  queue.start();
  run(BACKSTOP);
  expect(queue.lastOf(packs[late]!)?.outcome).toBe("timeout");
  queue.job!.next();
  run(200);
  expect(packs[late]!.read).toHaveLength(1);
  expect([queue.waiting, queue.lastOf(packs[late + 1]!)]).toEqual([true, undefined]);
});

describe("checks", () => {
  everywhere("run in the API's order: unknown, invalid, offline, not loaded, pending", () => {
    const bench = setUp({ online: false, configurationLoaded: false });
    const { pack } = bench;
    expect(bench.parameter("nothing", 99)).toEqual({ reason: "unknown", message: "Parametro nao suportado" });
    expect(bench.command("nothing", true)).toEqual({ reason: "unknown", message: "Comando nao suportado" });
    expect(bench.parameter("cell_ovp_voltage", 99)).toEqual({
      reason: "invalid",
      message: "cell_ovp_voltage must be a number from 0 to 5 V.",
    });
    expect(bench.parameter("cell_ovp_voltage", 3.65)).toEqual({ reason: "offline", message: "BMS indisponivel." });
    expect(bench.command("charge_mos", true)).toEqual({ reason: "offline", message: "BMS indisponivel." });
    pack.online = true;
    expect(bench.parameter("cell_ovp_voltage", 3.65)).toEqual({
      reason: "not-loaded",
      message: "The settings of the BMS have not been read yet; try again in a few seconds.",
    });
    expect(bench.proceeded).toBe(0);
    expect(bench.command("charge_mos", true)).toBeUndefined();
    expect(bench.proceeded).toBe(1);
    // Pending comes last, whatever the others say.
    expect(bench.parameter("cell_ovp_voltage", 3.65)?.reason).toBe("not-loaded");
    pack.configurationLoaded = true;
    expect(bench.parameter("cell_ovp_voltage", 3.65)?.reason).toBe("pending");
    expect(bench.command("charge_mos", true)).toEqual({
      reason: "pending",
      message: "Another write is pending; try again when it has ended.",
    });
    expect(bench.parameter("cell_ovp_voltage", 99)?.reason).toBe("invalid");
    expect(bench.command("nothing", true)?.reason).toBe("unknown");
    pack.online = false;
    expect(bench.command("charge_mos", true)?.reason).toBe("offline");
    expect(bench.proceeded).toBe(1);
  });

  everywhere("are not fooled by the names that every object has", () => {
    for (const name of ["__proto__", "constructor", "toString"]) {
      const bench = setUp();
      expect(bench.command(name, true)?.reason, name).toBe("unknown");
      expect(bench.parameter(name, 1)?.reason, name).toBe("unknown");
    }
  });

  everywhere("refuse a boolean for a parameter that is not a switch", () => {
    expect(setUp().parameter("cell_ovp_voltage", true)?.reason).toBe("invalid");
  });

  everywhere("leave no trace of a refused write", () => {
    const bench = setUp({ online: false });
    const { queue } = bench;
    bench.command("charge_mos", true);
    expect([queue.pending, queue.waiting, bench.lastCommand, bench.lastCommandOk]).toEqual([false, false, "", false]);
  });
});

describe("a write", () => {
  everywhere("reaches the link with the table's name and the raw value, and ends confirmed", () => {
    const bench = setUp();
    const { queue, link, pack } = bench;
    expect(bench.parameter(" CellOVP ", "3.6505")).toBeUndefined();
    expect([queue.pending, queue.waiting]).toEqual([true, true]);
    queue.start();
    expect([queue.pending, queue.waiting]).toEqual([true, false]);
    expect(link.log).toEqual([{ at: 0, what: "cell_ovp_voltage", value: 3651, timeout: WRITE_TIMEOUT - LINK_RESERVE }]);
    run(30);
    expect(queue.pending).toBe(false);
    expect(bench.lastCommandOk).toBe(true);
    expect(bench.lastCommand).toBe("cell_ovp_voltage 3.651 V: confirmed by the BMS.");
    expect(pack.read).toHaveLength(1);
  });

  everywhere("tells its caller once how it ended; a caller that throws holds up nobody", () => {
    const bench = setUp();
    const { queue } = bench;
    const told: unknown[] = [];
    bench.command("charge_mos", true, (report, sentence) => {
      told.push([report.outcome, sentence.replace(/^Pack \d: /, ""), queue.pending]);
      throw new Error("the caller's own");
    });
    queue.start();
    run(30);
    expect(told).toEqual([["confirmed", "charge_mos on: confirmed by the BMS.", false]]);
    expect(bench.command("charge_mos", false)).toBeUndefined();
    queue.start();
    run(30);
    expect(bench.lastCommand).toBe("charge_mos off: confirmed by the BMS.");
    expect(told).toHaveLength(1);
    expect(traced).toEqual(["bms: the callback of a write failed: Error: the caller's own\n"]);
  });

  everywhere("may name its parameter by the row of the table", () => {
    const bench = setUp();
    const { queue, link } = bench;
    expect(bench.parameter(rowOf("cell_count"), 15)).toBeUndefined();
    queue.start();
    expect(link.log[0]).toMatchObject({ what: "cell_count", value: 15 });
  });

  everywhere("is passed to the link once, however often the queue is started", () => {
    const bench = setUp();
    const { queue, link } = bench;
    bench.command("charge_mos", true);
    queue.start();
    queue.start();
    expect(link.log).toHaveLength(1);
    run(30);
    queue.start();
    expect(link.log).toHaveLength(1);
    expect(bench.lastCommandOk).toBe(true);
  });

  everywhere("of each command switches on and off", () => {
    for (const { name } of COMMANDS_TABLE)
      for (const state of [true, false]) {
        const bench = setUp({ configurationLoaded: false });
        const { queue, link } = bench;
        expect(bench.command(name, state)).toBeUndefined();
        queue.start();
        expect(link.log[0]).toMatchObject({ what: name, value: state ? 1 : 0 });
        run(30);
        expect(bench.lastCommand).toBe(`${name} ${state ? "on" : "off"}: confirmed by the BMS.`);
      }
  });

  everywhere("gives the link the remaining time, and is not started when too little is left", () => {
    for (const [waited, started] of [
      [1000, true],
      [WRITE_TIMEOUT - LINK_RESERVE - WRITE_MINIMUM, true],
      [WRITE_TIMEOUT - LINK_RESERVE - WRITE_MINIMUM + 1, false],
    ] as const) {
      const bench = setUp();
      const { queue, link } = bench;
      bench.command("charge_mos", false);
      run(waited);
      queue.start();
      expect(link.log.map(({ timeout }) => timeout)).toEqual(started ? [WRITE_TIMEOUT - LINK_RESERVE - waited] : []);
      expect(queue.pending).toBe(started);
      if (!started) expect(bench.lastCommand).toBe("charge_mos off: not sent: the line was busy, or was closed.");
      run(WRITE_TIMEOUT);
    }
  });

  everywhere("that is never started ends with the backstop, not earlier", () => {
    const bench = setUp();
    const { queue } = bench;
    bench.command("charge_mos", true);
    run(BACKSTOP - 1);
    expect(queue.pending).toBe(true);
    run(1);
    expect(queue.pending).toBe(false);
    expect(bench.lastCommandOk).toBe(false);
    expect(bench.lastCommand).toBe("charge_mos on: not sent: the line was busy, or was closed.");
  });

  everywhere("that the link never answers ends with the backstop, across the tick wrap too", () => {
    powerOn(0x7fffffff - 2000);
    const bench = setUp();
    const { queue, link } = bench;
    link.writeAnswer = "never";
    bench.command("charge_mos", true);
    run(1500);
    queue.start();
    run(BACKSTOP - 1501);
    expect(queue.pending).toBe(true);
    run(1);
    expect(queue.pending).toBe(false);
    expect(bench.lastCommand).toBe("charge_mos on: no result in time; the outcome is unknown.");
  });

  everywhere("started after the wrap still gets the right remaining time", () => {
    powerOn(0x7fffffff - 500);
    const bench = setUp();
    const { queue, link } = bench;
    bench.command("charge_mos", true);
    run(1000);
    queue.start();
    expect(link.log[0]?.timeout).toBe(WRITE_TIMEOUT - LINK_RESERVE - 1000);
  });

  everywhere("whose result comes too late does not affect the next one", () => {
    const bench = setUp();
    const { queue, link, pack } = bench;
    link.writeAnswer = { result: { outcome: "confirmed" }, after: BACKSTOP + 200 };
    bench.command("charge_mos", true);
    queue.start();
    run(BACKSTOP);
    expect(queue.pending).toBe(false);
    expect(bench.command("discharge_mos", false)).toBeUndefined();
    run(200);
    expect(link.busy).toBe(false);
    expect(pack.read).toHaveLength(1);
    expect(queue.waiting).toBe(true);
    expect(bench.lastCommandOk).toBe(false);
    expect(bench.lastCommand).toBe("charge_mos on: no result in time; the outcome is unknown.");
  });

  everywhere("to a pack that another answers for, too, or alone, is refused and counted", () => {
    for (const doubt of ["isSwapped", "isContested"] as const) {
      const bench = setUp();
      bench.pack[doubt] = true;
      expect(bench.parameter("cell_count", 16)?.reason).toBe("other-pack");
      expect(bench.queue.counters.refusals[REFUSAL_REASONS.indexOf("other-pack")]).toBe(1);
    }
  });

  everywhere("whose result comes too late does not confirm a repeat of the same command", () => {
    const bench = setUp();
    const { queue, link } = bench;
    link.writeAnswer = { result: { outcome: "confirmed" }, after: BACKSTOP + 200 };
    bench.command("charge_mos", true);
    queue.start();
    run(BACKSTOP);
    bench.command("charge_mos", true);
    run(200);
    expect(queue.waiting).toBe(true);
    expect(bench.lastCommandOk).toBe(false);
  });

  everywhere("with a late result is not resolved again by its own backstop", () => {
    const bench = setUp();
    const { queue } = bench;
    bench.command("charge_mos", true);
    queue.start();
    run(100);
    // The first one's backstop would be due in the middle of the second one.
    run(BACKSTOP - 200);
    bench.command("balance", true);
    run(200);
    expect(queue.waiting).toBe(true);
    expect(bench.lastCommand).toBe("charge_mos on: confirmed by the BMS.");
  });

  everywhere("ends when the BMS goes offline: waiting as not sent, executing as lost", () => {
    for (const [state, ending] of [
      ["waiting", "not sent: the BMS did not answer."],
      ["executing", "connection to the BMS lost; the outcome is unknown."],
    ]) {
      const bench = setUp();
      const { queue, link, pack } = bench;
      link.writeAnswer = { result: { outcome: "confirmed" }, after: 500 };
      bench.parameter("bluetooth_name", "Bank 1");
      if (state === "executing") queue.start();
      pack.online = false;
      pack.readMode = "registers";
      bench.abandon();
      expect(queue.pending).toBe(false);
      expect(bench.lastCommand).toBe(`bluetooth_name "Bank 1": ${ending}`);
      run(1000);
      expect(bench.lastCommandOk).toBe(false);
      expect(bench.lastCommand).toBe(`bluetooth_name "Bank 1": ${ending}`);
    }
  });

  everywhere("that the pack has not sent yet ends as not sent", () => {
    for (const how of ["lost", "timeout"]) {
      const bench = setUp();
      const { queue, link, pack } = bench;
      pack.mayHaveBeenSent = false;
      pack.readMode = "registers";
      link.writeAnswer = { result: { outcome: "confirmed" }, after: 2 * WRITE_TIMEOUT };
      bench.parameter("bluetooth_name", "Bank 1");
      queue.start();
      if (how === "lost") bench.abandon();
      else run(WRITE_TIMEOUT);
      expect(queue.pending, how).toBe(false);
      expect(bench.lastCommand, how).toBe('bluetooth_name "Bank 1": not sent: the BMS did not answer.');
    }
  });

  everywhere("that does not exist can be abandoned and started without effect", () => {
    const bench = setUp();
    const { queue, link } = bench;
    bench.abandon();
    queue.start();
    expect(bench.lastCommand).toBe("");
    expect(link.log).toEqual([]);
  });

  everywhere("that the link cannot start ends at once, and the next one is accepted", () => {
    const bench = setUp();
    const { queue, link } = bench;
    link.writeAnswer = "throw";
    bench.command("charge_mos", true);
    queue.start();
    expect(queue.pending).toBe(false);
    expect(bench.lastCommand).toBe("charge_mos on: failed inside the monitor; the outcome is unknown.");
    expect(traced).toEqual(["bms: cannot start a write: Error: ordered by the test\n"]);
    link.writeAnswer = { result: { outcome: "confirmed" }, after: 30 };
    expect(bench.command("charge_mos", true)).toBeUndefined();
    queue.start();
    run(30);
    expect(bench.lastCommandOk).toBe(true);
  });

  everywhere("does not take the slot when no backstop can be set", () => {
    const bench = setUp();
    const { queue } = bench;
    const set = vi.spyOn(Timer, "set").mockImplementationOnce(() => {
      throw new Error("add failed");
    });
    expect(() => bench.command("charge_mos", true)).toThrow("add failed");
    set.mockRestore();
    expect(queue.pending).toBe(false);
    expect(bench.command("charge_mos", true)).toBeUndefined();
  });
});

describe("messages", () => {
  const report = (write: Write, ending: Ending): string => sentenceOf(reportOf(write, ending));

  const parameter = (name: string, value: number | string): Write => ({ parameter: rowOf(name), value });
  const ovp = parameter("cell_ovp_voltage", 3650);

  const sentences: [Write, Ending, string][] = [
    [ovp, { outcome: "confirmed" }, "cell_ovp_voltage 3.65 V: confirmed by the BMS."],
    [
      ovp,
      { outcome: "refused", exception: 3 },
      "cell_ovp_voltage 3.65 V: refused by the BMS, exception 3 (illegal data value).",
    ],
    [
      ovp,
      { outcome: "refused", exception: 99 },
      "cell_ovp_voltage 3.65 V: refused by the BMS, exception 99 (unknown).",
    ],
    [ovp, { outcome: "refused" }, "cell_ovp_voltage 3.65 V: refused by the BMS, exception 0 (unknown)."],
    [
      ovp,
      { outcome: "refused-applied", exception: 3 },
      "cell_ovp_voltage 3.65 V: refused by the BMS, exception 3 (illegal data value), but it holds 3.65 V.",
    ],
    [
      ovp,
      { outcome: "mismatch" },
      "cell_ovp_voltage 3.65 V: the reply does not match the write; the outcome is unknown.",
    ],
    [
      ovp,
      { outcome: "mismatch", readBack: 3650 },
      "cell_ovp_voltage 3.65 V: the reply does not match the write; the BMS holds 3.65 V.",
    ],
    [ovp, { outcome: "no-reply" }, "cell_ovp_voltage 3.65 V: no confirming reply; the outcome is unknown."],
    [
      parameter("capacity_ah", 292_000),
      { outcome: "no-reply-applied" },
      "capacity_ah 292 Ah: no confirming reply; the BMS holds 292 Ah, as asked.",
    ],
    [
      parameter("capacity_ah", 292_000),
      { outcome: "no-reply-not-applied", readBack: 280_000 },
      "capacity_ah 292 Ah: no confirming reply; the BMS holds 280 Ah.",
    ],
    [
      ovp,
      { outcome: "not-applied", readBack: 3600 },
      "cell_ovp_voltage 3.65 V: acknowledged, but not applied: read back 3.6 V.",
    ],
    [ovp, { outcome: "unverified" }, "cell_ovp_voltage 3.65 V: acknowledged, but it could not be read back."],
    [
      parameter("bluetooth_name", "New"),
      { outcome: "not-applied", readBack: "O\u0001d\u00e9" },
      'bluetooth_name "New": acknowledged, but not applied: read back "O?d?".',
    ],
    [
      parameter("bluetooth_name", "~New~"),
      { outcome: "not-applied", readBack: "~0123456789abcdefgh" },
      'bluetooth_name "~New~": acknowledged, but not applied: read back "~0123456789abcde".',
    ],
    [
      parameter("balance_enabled", 1),
      { outcome: "not-applied", readBack: 0 },
      "balance_enabled on: acknowledged, but not applied: read back off.",
    ],
    [parameter("charge_utp", -205), { outcome: "confirmed" }, "charge_utp -20.5 °C: confirmed by the BMS."],
    [parameter("cell_count", 16), { outcome: "confirmed" }, "cell_count 16 cells: confirmed by the BMS."],
  ];

  table(sentences)("name write, outcome and what the BMS holds", (write, ending, sentence) => {
    expect(report(write, ending)).toBe(sentence);
  });

  table([
    [1, "illegal function"],
    [2, "illegal data address"],
    [4, "server device failure"],
    [5, "acknowledge"],
    [6, "server device busy"],
  ])("name each exception", (exception, name) => {
    expect(report(ovp, { outcome: "refused", exception })).toContain(`exception ${exception} (${name})`);
  });

  it("begin with the pack where there are several, and the report names it", () => {
    const of = (pack?: number) => reportOf(ovp, { outcome: "confirmed" }, pack);
    const alone = {
      name: "cell_ovp_voltage",
      value: "3.65",
      unit: "V",
      outcome: "confirmed",
      detail: "",
      origin: undefined,
      pack: undefined,
    };
    expect(of()).toStrictEqual(alone);
    expect(of(0)).toStrictEqual({ ...alone, pack: 0 });
    expect(sentenceOf(of(0))).toBe("Pack 0: cell_ovp_voltage 3.65 V: confirmed by the BMS.");
    expect(sentenceOf(of(12))).toBe("Pack 12: cell_ovp_voltage 3.65 V: confirmed by the BMS.");
  });

  it("are cut off rather than too long", () => {
    const long = { ...reportOf(ovp, { outcome: "confirmed" }), name: "n".repeat(MAX_SENTENCE) };
    expect(sentenceOf(long)).toBe(long.name);
  });

  it("are short for every write and outcome, and say ok only if confirmed", () => {
    const endings: Ending[] = [
      ...(["confirmed", "mismatch", "no-reply", "no-reply-applied", "not-sent", "unverified"] as const).map(
        (outcome): WriteResult => ({ outcome }),
      ),
      ...(["lost", "timeout", "failed"] as const).map((outcome) => ({ outcome })),
      ...[1, 2, 3, 4, 5, 6, 255].map((exception): WriteResult => ({ outcome: "refused", exception })),
    ];
    const writes: Write[] = [
      ...COMMANDS_TABLE.map((command): Write => ({ command, value: 1 })),
      ...PARAMETERS_TABLE.map((row): Write => ({
        parameter: row,
        value: row.quantity.kind === "text" ? "W".repeat(12) : row.quantity.max,
      })),
    ];
    for (const write of writes) {
      const readBack = typeof write.value === "string" ? "W".repeat(99) : -2147483648;
      const held = (["not-applied", "no-reply-not-applied", "mismatch"] as const).map((outcome): WriteResult => ({
        outcome,
        readBack,
      }));
      for (const ending of [...endings, ...held]) {
        const sentence = report(write, ending);
        expect(sentence.startsWith((write.command ?? write.parameter).name)).toBe(true);
        expect(sentence.length).toBeLessThan(MAX_SENTENCE);
        expect(sentence.endsWith(".")).toBe(true);
        expect(sentence.includes("confirmed by the BMS")).toBe(ending.outcome === "confirmed");
      }
    }
  });
});

describe("what is known of the last write", () => {
  everywhere("is how it ended, as codes, and who asked for it", (where) => {
    const bench = setUp();
    const { ended, queue, pack, packs } = bench;
    expect(queue.lastOf(pack)).toBeUndefined();
    queue.parameter(pack, "cell_ovp_voltage", 3.65, "MQTT");
    queue.start();
    expect(queue.lastOf(pack)).toBeUndefined();
    run(30);
    const report = {
      ...{ name: "cell_ovp_voltage", value: "3.65", unit: "V", outcome: "confirmed", detail: "", origin: "MQTT" },
      ...(where.count > 1 && { pack: where.index + 1 }),
    };
    expect(packs.map((each) => queue.lastOf(each))).toEqual(packs.map((each) => (each === pack ? report : undefined)));
    expect(ended).toEqual([report]);
    // Forgotten once the pack has left the bus, and not before.
    queue.packsChanged();
    expect(queue.lastOf(pack)).toEqual(report);
    bench.packs = packs.filter((each) => each !== pack);
    queue.packsChanged();
    expect(queue.lastOf(pack)).toBeUndefined();
  });

  it("is nothing to a pack that has left the bus, which is no longer written to", () => {
    place = PLACES[1];
    const { queue, missed } = setUp();
    const gone = new QueuePack(1, 2, new TestLink());
    expect(queue.command(gone, "charge_mos", true, "API")?.reason).toBe("offline");
    expect(missed).toEqual([]);
  });

  everywhere("a refusal since a pack is offline makes it be tried sooner", () => {
    const bench = setUp({ online: false });
    bench.command("charge_mos", true);
    expect(bench.missed).toEqual([bench.pack]);
  });
});

describe("a setting for all packs", () => {
  it("of which none can be written to is over at once", () => {
    place = PLACES[1];
    const { packs, queue, proceeded } = setUp();
    for (const pack of packs) pack.online = false;
    expect(queue.parameterToAll("cell_ovp_voltage", 3.65, "API")).toBeUndefined();
    expect(queue.job).toMatchObject({ setting: "cell_ovp_voltage", isRunning: false, problem: "" });
    expect([queue.pending, proceeded]).toEqual([false, 0]);
  });

  table([0, 1, 2])("begins at once, and goes on when a pack goes offline between two of its writes", (index) => {
    place = PLACES[1];
    const { packs, queue } = setUp();
    queue.parameterToAll("cell_ovp_voltage", 3.65, "API");
    expect([queue.pending, queue.job?.problem]).toEqual([true, ""]);
    queue.abandon(packs[index] as QueuePack);
    for (const pack of packs) {
      expect(queue.job?.next()).toBe(true);
      expect(queue.job?.next()).toBe(false);
      queue.start();
      run(30);
      expect(queue.job?.endingOf(pack)).toMatchObject({ outcome: "confirmed" });
    }
    expect(queue.job).toMatchObject({ isRunning: false, problem: "" });
    expect([queue.job?.next(), queue.pending]).toEqual([false, false]);
  });
});

describe("counters", () => {
  it("have a place for each outcome and reason", () => {
    const counters = new WriteCounters();
    for (const outcome of ENDING_OUTCOMES) counters.ended(outcome);
    for (const reason of REFUSAL_REASONS) counters.refused(reason);
    expect([...counters.endings]).toEqual(ENDING_OUTCOMES.map(() => 1));
    expect([...counters.refusals]).toEqual(REFUSAL_REASONS.map(() => 1));
  });
});
