/** Two packs at one address: found by proof alone, of a bank's first, middle and last pack and of a single one, and nothing else is taken for it. */
import { afterEach, describe, expect, it } from "vitest";
import { bankOf, type Bank, type BankOptions } from "../../host-sim/bms/packs";
import { withCrc } from "../../host-sim/bms/codec";
import type { FaultOrder } from "../../host-sim/bms/faults";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import { common } from "../../src/conditions/set";
import { SHARED } from "../../src/conditions/rows";
import { SHARED_FOR, SHARED_WITHIN } from "../../src/packs/limits";
import type { PackRecord } from "../../src/packs/pack-record";
import { SharedAddresses } from "../../src/packs/shared-addresses";
import type { PackIdentity } from "../../src/packs/types";
import { bankTelemetry } from "../../src/relay/telemetry";
import type { BmsSettings } from "../../src/settings/types";
import { Random } from "../fuzz/random";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { lineBoard } from "../support/bms/line";
import { loseReplies } from "../support/bms/lossy-port";
import { PackOnLine } from "../support/bms/pack-on-line";
import { SoloMonitor } from "../support/bms/solo-monitor";
import { ADDRESSES } from "../support/places";
import { inTurn, isLong, sampled } from "../support/property";

const MINUTE = 60_000;
const WRITES = 100;
const MODES = ["registers", "frames"] as const;

class Bench {
  readonly board: SimulatedBoard;
  readonly bank: Bank;
  readonly monitor: SoloMonitor;
  /** Addresses of which it was proved, once for each time. */
  readonly proofs: number[] = [];

  constructor(
    count: number,
    bank: Partial<BankOptions> = {},
    settings: Partial<BmsSettings> = {},
    options: BoardOptions = {},
  ) {
    this.board = lineBoard(options);
    const { clock, wire } = this.board;
    this.bank = bankOf({ clock, wire, count, seed: 7, ...bank });
    let packs: PackIdentity[] = Array.from({ length: count }, (_, at) => ({ address: at + 1, name: "", serial: "" }));
    const all = { ...BANK_SETTINGS, ...settings };
    this.monitor = new SoloMonitor({ settings: all, opener: new PackOnLine(this.board), packs });
    const { shared } = this.monitor;
    const proved = shared.proved.bind(shared);
    shared.proved = (index, clock) => {
      this.proofs.push(index + 1);
      return proved(index, clock);
    };
    this.monitor.observe({
      packIdentified: (pack) => {
        packs = packs.map((known, index) => (index === pack.index ? { ...known, serial: pack.identifier } : known));
        this.monitor.reconfigure(all, packs);
      },
    });
    this.monitor.start();
  }

  stop(): void {
    this.monitor.close();
    this.bank.close();
  }

  run(ms: number): void {
    this.board.clock.runFor(ms);
  }

  get packs(): readonly PackRecord[] {
    return this.monitor.packs;
  }

  /** Addresses that two packs have, as is known. */
  get shared(): number[] {
    return this.packs.filter(({ isContested }) => isContested).map(({ identity }) => identity.address);
  }
}

let bench: Bench;
const start = (...options: ConstructorParameters<typeof Bench>): Bench => (bench = new Bench(...options));
afterEach(() => bench.stop());

describe.each(MODES)("read by %s", (readMode) => {
  it.each(ADDRESSES)("of %i packs that at %i: two replies to one request", (count, address) => {
    const { bank, monitor } = start(count, { twins: [address] }, { readMode });
    const [twin] = bank.twins;
    bench.run(15_000);
    expect(bench.shared).toEqual([address]);
    const pack = bench.packs[address - 1] as PackRecord;
    expect(common(pack.concerns, SHARED)).toBe(SHARED);
    expect(pack.online).toBe(true);
    // Nothing is written to either.
    const before = [bank.packs[address - 1]!.registers.read("VolCellOV"), twin!.registers.read("VolCellOV")];
    expect(monitor.parameter("cell_ovp_voltage", 3.61, pack)).toEqual({
      reason: "other-pack",
      message: "Two packs answer at this address: nothing is written to them until one has another address.",
    });
    expect(monitor.command("balance", true, pack)?.reason).toBe("other-pack");
    expect([bank.packs[address - 1]!.registers.read("VolCellOV"), twin!.registers.read("VolCellOV")]).toEqual(before);
    const { soc, voltage } = bankTelemetry(bench.packs);
    expect([soc, voltage]).toEqual([NaN, NaN]);
    for (const other of bench.packs)
      if (other !== pack) {
        expect(monitor.command("balance", true, other)).toBeUndefined();
        bench.run(6_000);
        expect(monitor.writes.lastOf(other)?.outcome).toBe("confirmed");
      }

    // It is over a while after the last proof.
    twin!.setOnline(false);
    const { length } = bench.proofs;
    bench.run(1000 * (SHARED_FOR - 5));
    expect([bench.shared, bench.proofs.length]).toEqual([[address], length]);
    bench.run(20_000);
    expect(bench.shared).toEqual([]);
    expect(common(pack.concerns, SHARED)).toBe(0);
    expect(monitor.parameter("cell_ovp_voltage", 3.61, pack)).toBeUndefined();
  });

  it.each(ADDRESSES)("of %i packs that at %i: the values are one's and another's in turn", (count, address) => {
    const { bank, board } = start(count, { twins: [address], evolving: false }, { readMode });
    const [twin] = bank.twins;
    const one = bank.packs[address - 1]!;
    twin!.registers.write("RunTime", one.registers.read("RunTime") + 3_600);
    twin!.setOnline(false);
    bench.run(20_000);
    // The second one's, back, the second one's again: a proof; back again: another. Of frames the same bit of two may be wrong.
    for (let turn = 0; turn < (readMode === "frames" ? 6 : 4); turn++) {
      expect(bench.shared).toEqual([]);
      one.setOnline(turn % 2 === 1);
      twin!.setOnline(turn % 2 === 0);
      bench.run(readMode === "frames" ? 6_000 : 3_000);
    }
    expect(bench.shared).toEqual([address]);
    expect(board.wire.collisions).toBe(0);
  });
});

it.each(ADDRESSES)("of %i packs that at %i: it was so before a restart, until it is disproved", (count, address) => {
  const { bank, monitor } = start(count, { twins: [address] });
  const [twin] = bank.twins;
  twin!.setOnline(false);
  const pack = bench.packs[address - 1] as PackRecord;
  pack.resume(SHARED);
  expect(bench.shared).toEqual([address]);
  bench.run(20_000);
  expect([pack.online, bench.shared, common(pack.concerns, SHARED)]).toEqual([true, [address], SHARED]);
  expect(monitor.parameter("cell_ovp_voltage", 3.61, pack)?.reason).toBe("other-pack");
  expect(bankTelemetry(bench.packs).soc).toBeNaN();
  // Its next proof is no second one that has to agree.
  twin!.setOnline(true);
  bench.run(15_000);
  twin!.setOnline(false);
  expect(bench.proofs).toContain(address);
  bench.run(1000 * (SHARED_FOR - 20));
  expect(bench.shared).toEqual([address]);
  bench.run(40_000);
  expect([bench.shared, common(pack.concerns, SHARED)]).toEqual([[], 0]);
  expect(monitor.parameter("cell_ovp_voltage", 3.61, pack)).toBeUndefined();
});

it("a reply that begins before the one that is valid has ended is one too many", () => {
  // The second one drowns the first.
  const { bank, board } = start(3, { twins: [2] });
  const [, one] = bank.packs;
  const [twin] = bank.twins;
  twin!.setOnline(false);
  bench.run(20_000);
  expect(bench.proofs).toEqual([]);
  let cut = 0;
  const port = board.wire.ports[2]!;
  const send = port.send.bind(port);
  port.send = (bytes) => {
    if (bytes.length > 200) cut++;
    send(bytes.length > 200 ? Uint8Array.from([...bytes.subarray(0, 23), ...bytes]) : bytes);
  };
  bench.run(10_000);
  expect(one!.answering && cut > 5).toBe(true);
  expect(bench.shared).toEqual([2]);
});

it("serial numbers that come in turn are two packs'", () => {
  const { bank } = start(3, { evolving: false });
  bench.run(90_000);
  const [, , last] = bank.packs;
  for (let turn = 0; turn < 4; turn++) {
    last!.registers.writeText("SerialNumber", turn % 2 ? "SIM0000003\x00000" : "OTHER\x00000");
    bench.run(65_000);
    expect(bench.packs[2]!.isSwapped).toBe(turn % 2 === 0);
    expect(bench.shared).toEqual(turn < 3 ? [] : [3]);
  }
});

describe("is not told", () => {
  /** ms for each bench: a third of the requests is struck. */
  const LONG = (isLong ? 15 : 5) * MINUTE;
  const FAULTS: readonly Omit<FaultOrder, "matching">[] = [
    ...(
      ["bad-crc", "noise", "truncated", "torn", "wrong-address", "no-answer", "stale", "echo", "refuse"] as const
    ).map((kind) => ({ kind })),
    // Later than is waited for: the request is sent again.
    ...[300, 480, 1_500].map((ms) => ({ kind: "delay" as const, ms })),
  ];

  it.each(FAULTS.flatMap((fault, at) => inTurn(MODES, at).map((mode) => ({ ...fault, mode }))))(
    "by what one pack does: $kind $ms, by $mode",
    ({ mode, ...fault }) => {
      for (const count of [1, 3]) {
        const { bank } = start(count, {}, { readMode: mode });
        bench.run(20_000);
        const random = new Random(3);
        for (const pack of bank.packs) pack.faults.add({ ...fault, matching: () => random.once(3) });
        bench.run(LONG);
        expect([count, bench.proofs, bench.shared]).toEqual([count, [], []]);
        if (count === 1) bench.stop();
      }
    },
  );

  it("by one pack alone that garbles, which a bad stub does too", () => {
    const { bank, monitor } = start(4);
    bank.packs[1]!.faults.add({ kind: "bad-crc", every: 3 });
    bench.run(LONG);
    expect(monitor.bus!.statistics.crcErrors).toBeGreaterThan(60);
    expect([bench.proofs, bench.shared]).toEqual([[], []]);
  });

  it("by an adapter's echo of the requests", () => {
    start(3, {}, {}, { echo: true });
    bench.run(LONG);
    expect([bench.proofs, bench.packs.every(({ online }) => online)]).toEqual([[], true]);
  });

  it.each(sampled([0, 10, 20, 30, 40]))("on a line that loses or damages %i percent of the replies", (lost) => {
    const { board } = start(4);
    const random = new Random(lost);
    for (const port of board.wire.ports) if (port !== board.wire.board) loseReplies(port, random, () => 10 * lost);
    bench.run(LONG);
    expect([bench.proofs, bench.shared]).toEqual([[], []]);
  });

  it.each(MODES.flatMap((mode) => [0, 30].map((lost) => [mode, lost] as const)))(
    "beside another master that asks the same packs, by %s, while %i percent of all is lost",
    (readMode, lost) => {
      const { board, monitor } = start(3, { master: readMode === "frames" }, { readMode });
      const { clock, wire } = board;
      const random = new Random(5);
      const master = wire.join();
      // What this device asks, too: a reply to the one could be one to the other.
      const ask = (): void => {
        const request = withCrc([1 + random.below(3), 3, 0x12, 0, 0, 120]);
        if (readMode === "registers") master.send(request);
        clock.after(200 + random.below(2_000), ask);
      };
      ask();
      for (const port of wire.ports) if (port !== wire.board) loseReplies(port, random, () => 10 * lost);
      bench.run(LONG);
      expect(monitor.bus!.statistics.foreign).toBeGreaterThan(50);
      expect([bench.proofs, bench.shared]).toEqual([[], []]);
    },
  );
});

it.each(ADDRESSES)("of %i packs that at %i: no write is confirmed once it is known", (count, address) => {
  const { bank, monitor } = start(count, { twins: [address] });
  const both = [bank.packs[address - 1]!, bank.twins[0]!];
  const random = new Random(11);
  const endings: Record<string, number> = {};
  const note = (ending: string): void => void (endings[ending] = (endings[ending] ?? 0) + 1);
  bench.run(5_000);
  while (!bench.shared.length) bench.run(100);
  const values = both.map(({ registers }) => registers.read("VolCellOV"));
  for (let write = 0; write < WRITES; write++) {
    const pack = bench.packs[address - 1] as PackRecord;
    const refusal = random.once(2)
      ? monitor.command("balance", random.once(2), pack)
      : monitor.parameter("cell_ovp_voltage", 3.4 + random.below(200) / 1_000, pack);
    note(refusal?.reason ?? "accepted");
    bench.run(500 + random.below(3_000));
  }
  expect(endings).toEqual({ "other-pack": WRITES });
  expect(both.map(({ registers }) => registers.read("VolCellOV"))).toEqual(values);
});

it("a write that is under way when it becomes known is not confirmed", () => {
  const { bank, monitor } = start(1);
  bench.run(20_000);
  let outcome = "";
  monitor.writes.parameter(
    bench.monitor.pack,
    "cell_ovp_voltage",
    3.61,
    "API",
    (report) => void ({ outcome } = report),
  );
  monitor.pack.onSecondReply();
  monitor.pack.onSecondReply();
  bench.run(5_000);
  expect([outcome, bank.packs[0]!.registers.read("VolCellOV")]).toEqual(["exchanged", 3_610]);
});

it.each(ADDRESSES)(
  "of %i packs that at %i: it stays known in another place, and of no other pack",
  (count, address) => {
    const { monitor } = start(count, { twins: [address] });
    bench.run(5_000);
    while (!bench.shared.length) bench.run(100);
    const others = monitor.packs.map(({ identity }) => identity).reverse();
    const added = { address: count + 1, name: "", serial: "" };
    for (const packs of [[added, ...others], others.slice(0, -1).concat(added, others.at(-1)!), others]) {
      monitor.reconfigure(BANK_SETTINGS, packs);
      expect(bench.shared).toEqual([address]);
    }
    if (count === 1) return;
    monitor.reconfigure(
      BANK_SETTINGS,
      others.filter((pack) => pack.address !== address),
    );
    expect(bench.shared).toEqual([]);
    monitor.reconfigure(BANK_SETTINGS, others);
    expect(bench.shared).toEqual([]);
  },
);

it("two proofs have to agree within a time, and the last one counts", () => {
  start(1);
  const shared = new SharedAddresses(2);
  expect([shared.proved(1, { uptime: 10 }), shared.stands(1, { uptime: 10 })]).toEqual([false, false]);
  expect([shared.proved(1, { uptime: 10 + SHARED_WITHIN }), shared.stands(1, { uptime: 10 + SHARED_WITHIN })]).toEqual([
    false,
    false,
  ]);
  const at = 10 + 2 * SHARED_WITHIN - 1;
  expect([
    shared.proved(1, { uptime: at }),
    shared.stands(1, { uptime: at }),
    shared.stands(0, { uptime: at }),
  ]).toEqual([true, true, false]);
  expect([shared.stands(1, { uptime: at + SHARED_FOR - 1 }), shared.stands(1, { uptime: at + SHARED_FOR })]).toEqual([
    true,
    false,
  ]);
  expect(shared.proved(1, { uptime: at + SHARED_FOR })).toBe(false);
});
