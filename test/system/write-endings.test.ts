/** A write whose reply is lost or damaged: what REST, MQTT and the metrics report, depending on what could be read back. */
import { afterEach, expect, it } from "vitest";
import type { FaultKind } from "../../host-sim/bms/faults";
import type { Request } from "../../host-sim/bms/request";
import type { Outcome } from "../../src/bms/outcomes";
import { ENDING_OUTCOMES } from "../../src/bms/write-counters";
import { startBroker, type TestBroker } from "../support/mqtt/broker";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { System, turn } from "../support/system/system";

const BASE = "jk-bms/02005e100001";
/** ms: each write has ended by then (docs/api.md). */
const WRITE_LIMIT = 5_000;
const HELD = 280;
const ASKED = 292;

let broker: TestBroker;
let system: System;

afterEach(async () => {
  system.stop();
  await broker.stop();
});

const isParameter = (request: Request): boolean => request.function === 0x10 && !request.trigger;

interface Case {
  readonly known: string;
  /** What happens beside the fault of the reply. */
  readonly prepare: () => void;
  readonly outcome: Outcome;
  readonly sentence: string;
}

const CASES: readonly Case[] = [
  {
    known: "was applied",
    prepare: () => {},
    outcome: "no-reply-applied",
    sentence: `capacity_ah ${ASKED} Ah: no confirming reply; the BMS holds ${ASKED} Ah, as asked.`,
  },
  {
    known: "was not applied",
    prepare: () => system.bms.faults.add({ kind: "ignore-write" }),
    outcome: "no-reply-not-applied",
    sentence: `capacity_ah ${ASKED} Ah: no confirming reply; the BMS holds ${HELD} Ah.`,
  },
  {
    known: "cannot be read back",
    prepare: () => {
      let written = false;
      system.bms.faults.add({
        kind: "no-answer",
        matching: (request) => !isParameter(request) && written,
      });
      system.bms.faults.add({ kind: "no-answer", times: 0, matching: (request) => (written ||= isParameter(request)) });
    },
    outcome: "no-reply",
    sentence: `capacity_ah ${ASKED} Ah: no confirming reply; the outcome is unknown.`,
  },
];
const SPOILT: readonly FaultKind[] = ["no-answer", "bad-crc", "truncated"];

it.each(SPOILT.flatMap((kind) => CASES.map((ending) => ({ kind, ...ending }))))(
  "$kind, and the write $known: told apart on REST, MQTT and the metrics",
  async ({ kind, prepare, outcome, sentence }) => {
    broker = await startBroker();
    const client = await broker.client(`${BASE}/#`);
    const mqtt = { enabled: true, host: "127.0.0.1", port: broker.port };
    system = await System.start({
      unpaced: true,
      bms: { evolving: false },
      board: { config: { settings: { mqtt } } },
    });
    system.keepUp = () => broker.beat().then(turn);
    system.bms.registers.write("CapBatCell", HELD * 1_000);
    await system.untilLoaded();
    await system.skipUntil("MQTT is connected", () => client.topics.has(`${BASE}/diagnostics`), 60);
    await system.pass(4_000);

    prepare();
    const repair = system.bms.faults.add({ kind, matching: isParameter });
    const results = (): unknown[] =>
      client.messages.filter(({ topic }) => topic === `${BASE}/result`).map(({ text }) => JSON.parse(text) as unknown);
    await client.publish(`${BASE}/setting/capacity_ah/set`, String(ASKED));
    await system.skipUntil("it is accepted", () => system.monitor().pending);
    const accepted = system.board.clock.now;
    await system.skipUntil("it has ended", () => !system.monitor().pending);
    expect(system.board.clock.now - accepted).toBeLessThanOrEqual(WRITE_LIMIT);
    repair();

    expect(await system.outcome()).toEqual({ lastCommand: sentence, lastCommandOk: false });
    await system.skipUntil("MQTT tells", () => results().length === 2);
    expect(results()[1]).toEqual({
      name: "capacity_ah",
      ok: false,
      status: "failed",
      code: outcome,
      message: sentence,
    });
    const families = parseExposition((await system.get("/metrics")).text);
    const counted = ENDING_OUTCOMES.filter((name) => sampleOf(families, "bms_writes_total", { outcome: name }));
    expect(counted).toEqual([outcome]);
  },
);
