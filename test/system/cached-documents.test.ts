/** A document that is sent from the cache is the one that would be rendered now, byte for byte, whatever has changed, and when. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { ENGINE } from "../support/system/engines";
import fc from "../support/property";
import { System, TOKEN } from "../support/system/system";

const READER = "fedcba9876543210fedcba9876543210";
const UNUSED = { name: "", write: false, hash: "" };
const TOKENS = [
  { name: "reader", write: false, hash: createHash("sha256").update(READER).digest("hex") },
  UNUSED,
  UNUSED,
  UNUSED,
] as const;
const PATHS = ["/api", "/api/bms/status"];
const RUNS = ENGINE === "xs" ? 4 : 30;
const STEPS = 30;

const small = fc.constantFrom(
  0,
  1,
  9,
  10,
  11,
  99,
  100,
  101,
  999,
  1000,
  3300,
  9999,
  10_000,
  52_700,
  99_999,
  100_000,
  1_000_000,
);
const NAMES = fc.constantFrom("a", "Garage", "x".repeat(32), 'quoted "\\"', "\u20ac");

/** Each a change of something that the documents show, apart from the network. */
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      register: fc.constantFrom(
        "BatVol",
        "BatWatt",
        "BatCurrent",
        "SOC",
        "SOCCycleCount",
        "TempMos",
        "TempBat1",
        "Alarms",
        "TempSensors",
        "ChargeMos",
        "BalanSta",
        "RunTime",
        "CellSta",
        "CellType",
        "CellType",
      ),
      value: fc.oneof(small, fc.nat({ max: 0xffff }), fc.integer({ min: -100_000, max: -1 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ cell: fc.nat({ max: 15 }), value: fc.oneof(small, fc.nat({ max: 4500 })) }) },
  {
    weight: 2,
    arbitrary: fc.record({ analog: fc.nat({ max: 3 }), millivolts: fc.nat({ max: 3300 }) }),
  },
  { weight: 1, arbitrary: fc.record({ input: fc.nat({ max: 1 }), level: fc.constantFrom(0 as const, 1 as const) }) },
  { weight: 1, arbitrary: fc.record({ relay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ device: NAMES }) },
  { weight: 1, arbitrary: fc.record({ fitted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ answers: fc.boolean() }) },
);
const network = fc.oneof(
  fc.record({ cable: fc.boolean() }),
  fc.record({ dns: fc.constantFrom([], ["10.0.0.1"], ["10.0.0.1", "192.168.100.200"]) }),
);
const stepOf = <Change>(changes: fc.Arbitrary<Change>, ...waits: number[]) =>
  fc.record({
    changes: fc.array(changes, { maxLength: 4 }),
    wait: fc.constantFrom(...waits),
    token: fc.constantFrom(TOKEN, TOKEN, TOKEN, READER),
  });

type Change = typeof change | typeof network extends fc.Arbitrary<infer One> ? One : never;

function apply(system: System, what: Change): void {
  const { bms, board, probes } = system;
  const { temperature, voltages, inputs } = WT32_PINS;
  if ("register" in what) bms.registers.write(what.register, what.value);
  else if ("cell" in what) bms.registers.write("CellVol", what.value, what.cell);
  else if ("analog" in what) board.setAnalog([temperature, ...voltages][what.analog]!, what.millivolts / 1000);
  else if ("input" in what) board.pin(inputs[what.input]!).drive(what.level);
  else if ("relay" in what) probes.switchRelay(what.relay);
  else if ("device" in what) probes.configure("device", { name: what.device });
  else if ("fitted" in what) probes.configure("monitoring", { fitted: what.fitted });
  else if ("cable" in what) board.ethernet.cable = what.cable;
  else if ("dns" in what) board.network.dns = [...what.dns];
  else bms.setOnline(what.answers);
}

/** Of the network what a document shows may be a second old. */
it.each([
  ["at any time", stepOf(change, 0, 0, 1, 20, 50, 90, 249, 251, 400, 1000)],
  [
    "a second later",
    stepOf(
      fc.oneof({ weight: 8, arbitrary: change }, { weight: 1, arbitrary: network }),
      1000,
      1001,
      1250,
      3000,
      20_000,
      90_000,
    ),
  ],
] as const)(`cached documents are those rendered now, %s, on ${ENGINE}`, { timeout: 300_000 }, (_, step) =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
      const system = await System.start({
        unpaced: true,
        bms: { evolving: false },
        board: { config: { settings: { access: { guest: "", tokens: TOKENS } } } },
      });
      try {
        await system.untilLoaded();
        for (const { changes, wait, token } of steps) {
          for (const one of changes) apply(system, one);
          if (wait) system.skip(wait);
          for (const path of PATHS) {
            const [cached, rendered] = system.probes.documents(path, token);
            expect(cached).toBe(rendered);
          }
        }
      } finally {
        system.stop();
      }
    }),
    { numRuns: RUNS },
  ),
);
