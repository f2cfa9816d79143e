/**
 * What needs attention of a bank: every concern, of the first, the middle or the last pack (in `npm run soak` of each), by every interface. The packs say
 * so on the wire; the page's lines are made of the device's /web/packs by the page's own code, how they look is tested in
 * test/browser/bank.test.ts, that each of the messages has its pack in test/notify/bank.test.ts.
 */
import { createSocket, type Socket } from "node:dgram";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TAIL } from "jk-bms/plans";
import { hashPassword } from "../../host-sim/password";
import type { FaultOrder } from "../../host-sim/bms/faults";
import { serialNumberAt, type SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { hasAny } from "../../src/conditions/set";
import { bit, CONCERNS, EVENTS, MESSAGES, severityOf, unitOf, type Concern, holdOf } from "../../src/conditions/table";
import { LINK_QUALITY_PERIOD, LINK_QUALITY_PERIODS, SHARED_FOR } from "../../src/packs/limits";
import { inTurn } from "../support/property";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { GET, parse, request } from "../support/peers/snmp";
import { System, turn } from "../support/system/system";
import { Webhook } from "../support/peers/webhook";
import { WebClient } from "../support/web/web-client";
import { bankLines, bankVerdict } from "../../web/bank";
import type { BankDocument } from "../../web/documents";
import { en } from "../../web/texts/en";
import type { State } from "../../web/verdict";

const BASE = "jk-bms/02005e100001";
const OURS = "1.3.6.1.4.1.8072.9999.9999.485";
const COMMUNITY = "public";
const PASSWORD = "Lítio 280 Ah";
const HASH = hashPassword(PASSWORD, 100);
const NAMES = ["Top", "Middle", "Bottom"] as const;
/** Virtual seconds: link quality is that of five minutes, a further pack is told after five at most. */
const PATIENCE = 900;
/** Virtual ms between two looks, of which each asks the device and the broker: no concern comes and goes within it. */
const STRIDE = 500;
/** First register of the settings; and the trigger for their frame, since a pack that lost replies may be read so. */
const SETTINGS = 0x1000;
const SETTINGS_FRAME = 0x161e;
const CELLS = 16;

interface Trouble {
  /** Makes it so; `others`: the packs beside it; `twin`: another one, which has its address and does not answer. */
  readonly begin: (pack: SimulatedBms, others: readonly SimulatedBms[], twin: SimulatedBms) => void;
  readonly end: (pack: SimulatedBms, others: readonly SimulatedBms[], twin: SimulatedBms) => void;
  /** In the sentence to the owner, if there is one. */
  readonly said?: RegExp;
  readonly led?: string;
  /** What is judged, and its limit. */
  readonly value?: readonly [number, number | null];
  /** It is in the settings, which are read again after a write. */
  readonly isSetting?: boolean;
  /** It is known for so many seconds longer. */
  readonly lasts?: number;
  /** It is a share of what came in the last five minutes. */
  readonly isShare?: boolean;
}

const setting = (name: string, bad: number, good: number, index = 0): Pick<Trouble, "begin" | "end"> => ({
  begin: ({ registers }) => registers.write(name, bad, index),
  end: ({ registers }) => registers.write(name, good, index),
});
/** What belongs together: the cells and their sum, the charge and its ampere-hours. */
const cells =
  (first: number, others = first): ((pack: SimulatedBms) => void) =>
  ({ registers }) => {
    for (let cell = 0; cell < CELLS; cell++) registers.write("CellVol", cell ? others : first, cell);
    registers.write("BatVol", first + (CELLS - 1) * others);
  };
const charge =
  (percent: number): ((pack: SimulatedBms) => void) =>
  ({ registers }) => {
    registers.write("SOC", percent);
    registers.write("SOCCapRemain", (Number(registers.read("SOCFullChargeCap")) * percent) / 100);
  };
const faulty = (order: FaultOrder): Pick<Trouble, "begin" | "end"> => ({
  begin: ({ faults }) => void faults.add(order),
  end: ({ faults }) => faults.clear(),
});

/** mA into a pack at rest otherwise. */
const current =
  (milliamperes: number) =>
  ({ registers }: SimulatedBms): void => {
    registers.write("BatCurrent", milliamperes);
    registers.write("BatWatt", Math.abs(Number(registers.read("BatVol")) * milliamperes) / 1_000);
  };

const named =
  (serial: string): ((pack: SimulatedBms) => void) =>
  ({ registers }) =>
    registers.writeText("SerialNumber", `${serial}\x00000`);

/** The link is judged by as many seconds. */
const JUDGED_FOR = (LINK_QUALITY_PERIODS * LINK_QUALITY_PERIOD) / 1_000;
/** Requests of a pack that loses one in six. */
let asked = 0;

/** What is there from the start on, or lasts for a day, is below. */
type FromStart = "other-master" | "no-identity" | "same-identity" | "energy-short";

const TROUBLES: Readonly<Record<Exclude<Concern, FromStart>, Trouble>> = {
  // First: a pack that was silent may be read by frames, which have everything.
  "tail-old": faulty({ kind: "refuse", matching: ({ register }) => register === TAIL.register }),
  offline: { begin: (pack) => pack.setOnline(false), end: (pack) => pack.setOnline(true), said: /stopped responding/ },
  late: faulty({ kind: "delay", ms: 2_500 }),
  alarm: { ...setting("Alarms", 1 << 11, 0), said: /Cell voltage too low/, led: "alarm" },
  emergency: { ...setting("TimeEmergency", 600, 0), value: [600, null] },
  "sensors-ignored": { ...setting("Switches", 1 << 1, 0), isSetting: true },
  "cell-high": { begin: cells(3_640), end: cells(3_300), value: [3.64, 3.577] },
  "cell-low": { begin: cells(2_610), end: cells(3_300), value: [2.61, 2.754] },
  "temperature-high": { ...setting("TempBat1", 780, 200), said: /78 °C/, value: [78, 33] },
  "temperature-low": { ...setting("TempBat1", 20, 200), value: [2, 7] },
  "discharging-off": { ...setting("BatDisChargeEN", 0, 1), isSetting: true },
  "discharging-blocked": setting("DischargeMos", 0, 1),
  "charging-off": { ...setting("BatChargeEN", 0, 1), isSetting: true },
  "charging-blocked": setting("ChargeMos", 0, 1),
  "low-charge": { begin: charge(3), end: charge(60), said: /3 %/, value: [3, 10] },
  spread: { begin: cells(3_000, 3_443), end: cells(3_300), said: /443 mV/, value: [0.443, 0.05] },
  wires: setting("CellWireResSta", 1, 0),
  contradiction: setting("BatVol", 40_000, CELLS * 3_300),
  // A quarter of the time, and never for as long as makes it offline.
  link: { ...faulty({ kind: "no-answer", matching: ({ at }) => at % 10_000 < 2_500 }), isShare: true },
  // Each is answered when it is repeated.
  "link-weak": { ...faulty({ kind: "no-answer", matching: () => ++asked % 6 === 0 }), isShare: true },
  "settings-unread": faulty({
    kind: "refuse",
    matching: ({ register = 0 }) =>
      (register >= SETTINGS && register < SETTINGS + 0x200) || register === SETTINGS_FRAME,
  }),
  "carries-nothing": {
    begin: (_, others) => others.forEach(current(-20_000)),
    end: (_, others) => others.forEach(current(0)),
    // A tenth of a third of 40 A.
    value: [0, 1.334],
  },
  "off-voltage": { begin: cells(3_330), end: cells(3_300), value: [0.48, 0.3] },
  "limits-differ": { ...setting("VolCellOV", 3_600, 3_650), isSetting: true },
  "cells-differ": { ...setting("CellCount", CELLS - 1, CELLS), isSetting: true },
  swapped: {
    begin: named("OTHER"),
    end: (pack) => named(serialNumberAt(pack.registers.read("DevAddr")))(pack),
  },
  "shared-address": {
    begin: (_pack, _others, twin) => twin.setOnline(true),
    end: (_pack, _others, twin) => twin.setOnline(false),
    lasts: SHARED_FOR,
  },
  // Last: it is over once it carries its share again, not at rest.
  behind: {
    begin: (pack, others) => {
      others.forEach(current(-60_000));
      current(-5_000)(pack);
    },
    end: (pack, others) => [pack, ...others].forEach(current(-40_000)),
    // Of a third of 125 A.
    value: [12, 25],
  },
};

/** What the page says of a concern. */
const sentenceOf = (concern: keyof typeof TROUBLES): string => {
  if (concern === "offline") return en.battery.offline;
  return concern === "alarm" ? en.alarms.cell_undervoltage.title : en.concerns[concern];
};

interface Verdict {
  readonly well: boolean;
  readonly concerns: readonly string[];
}

interface PackInShort extends Verdict {
  readonly conditions: readonly Condition[];
}

interface Condition {
  readonly pack: number;
  readonly code: string;
  readonly severity: string;
  readonly value: number | null;
  readonly limit: number | null;
}

class Bench {
  system!: System;
  broker!: TestBroker;
  client!: Listener;
  readonly service = new Webhook();
  readonly #udp: Socket = createSocket("udp4");
  #browser: WebClient | undefined;

  /** `prepare`: what the packs are, before the device meets them. */
  async start(master: boolean, prepare?: (packs: readonly SimulatedBms[]) => void): Promise<void> {
    this.broker = await startBroker();
    this.client = await this.broker.client();
    const mqtt = { enabled: true, host: "127.0.0.1", port: this.broker.port };
    await this.service.open();
    const addresses = NAMES.map((_, index) => index + 1);
    this.system = await System.start({
      bank: { count: NAMES.length, timeFactor: 0, evolving: false, master, twins: NAMES.map((_, index) => index + 1) },
      prepare: (_, bank) => {
        for (const twin of bank?.twins ?? []) twin.setOnline(false);
        prepare?.(bank?.packs ?? []);
      },
      board: {
        config: {
          settings: {
            ...{ mqtt, snmp: { enabled: true, community: COMMUNITY } },
            web: { password: HASH },
            // Ends are in test/notify/bank.test.ts: the messages of a day are limited.
            notify: {
              kind1: "webhook",
              url1: this.service.url,
              spread: 200,
              offlineAfter: 1,
              cleared: false,
            },
            packs: {
              first: NAMES[0],
              further: addresses.slice(1).map((address, index) => ({ address, name: NAMES[index + 1]! })),
            },
          },
        },
      },
    });
    this.system.keepUp = () => this.broker.beat().then(turn);
  }

  /** What the page says of the bank: its lines, and whether it shows the green tick. */
  async page(): Promise<{ lines: string[]; well: boolean }> {
    if (!this.#browser) {
      this.#browser = new WebClient(this.system);
      await this.#browser.signIn(PASSWORD);
    }
    const { data } = (await this.#browser.send("GET", "/web/packs")).json as { data: BankDocument };
    const state: State = { connected: true, foreign: false, failed: new Set(), old: false, documents: {} };
    const verdict = bankVerdict(state, data);
    return { lines: bankLines(data, en), well: verdict.well };
  }

  /** GET /api/conditions, without the device's own: its clock is not set. */
  async conditions(): Promise<Condition[]> {
    const { data } = (await this.system.get("/api/conditions")).json as { data: Condition[] };
    return data.filter(({ pack }) => pack !== undefined);
  }

  /** Those in the pack's own documents. */
  async own(index: number): Promise<(readonly Condition[])[]> {
    const pack = (await this.rest()).packs[index]!;
    const { data } = (await this.system.get(`/api/packs/${index + 1}/status`)).json as { data: typeof pack };
    return [pack.conditions, data.conditions];
  }

  /** The event is in the device's log. */
  async hasEvent(text: string): Promise<boolean> {
    return ((await this.#browser?.send("GET", "/web/log"))?.text ?? "").includes(JSON.stringify(text).slice(1, -1));
  }

  async stop(): Promise<void> {
    this.#udp.close();
    this.service.close();
    this.system.stop();
    await this.broker.stop();
  }

  /** Lets so many seconds pass. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.system.skip(1_000);
      await this.system.keepUp();
    }
  }

  /** @param lasting s, for which it has to last before it counts */
  async until(what: string, condition: () => boolean | Promise<boolean>, lasting = 0): Promise<void> {
    const { clock } = this.system.board;
    const patience = PATIENCE + lasting;
    const end = clock.now + patience * 1_000;
    while (!(await condition())) {
      if (clock.now > end) throw new Error(`${patience} s went by in vain until ${what}`);
      this.system.skip(STRIDE);
      await this.system.keepUp();
    }
  }

  async rest(): Promise<{ bank: Verdict; packs: PackInShort[] }> {
    return ((await this.system.get("/api/packs")).json as { data: { bank: Verdict; packs: PackInShort[] } }).data;
  }

  /** Writes what it is already. */
  async write(address: number): Promise<void> {
    const { status } = await this.system.post(`/api/packs/${address}/commands`, { command: "balance", state: true });
    expect(status).toBe(202);
  }

  /** A pack is silent until that is known. */
  async silence(index: number): Promise<void> {
    const pack = this.system.bank!.packs[index]!;
    pack.setOnline(false);
    await this.until("it is silent", async () => (await this.rest()).packs[index]!.concerns.includes("offline"));
    pack.setOnline(true);
  }

  mqtt(branch: string): Verdict {
    return JSON.parse(this.client.topics.get(`${BASE}/${branch}telemetry`) ?? '{"concerns":[]}') as Verdict;
  }

  async metrics(): Promise<ReturnType<typeof parseExposition>> {
    return parseExposition((await this.system.get("/metrics")).text);
  }

  /** A text by SNMP. */
  async snmp(name: string): Promise<string> {
    let value: unknown;
    this.#udp.once("message", (bytes) => (value = parse(bytes).bindings[0]?.value));
    const asked = request([`${OURS}.${name}`], { pdu: GET, version: 1, community: COMMUNITY });
    this.#udp.send(asked, this.system.probes.snmpPort(), "127.0.0.1");
    await this.until(`SNMP answers ${name}`, () => value !== undefined);
    return String(value);
  }
}

let bench: Bench;
const beginAnew = async (): Promise<void> => {
  bench = new Bench();
  await bench.start(false);
  for (const pack of bench.system.bank!.packs) {
    cells(3_300)(pack);
    charge(60)(pack);
    for (const name of ["Alarms", "BatCurrent", "BatWatt"]) pack.registers.write(name, 0);
    for (const name of ["TempBat1", "TempBat2", "TempMos"]) pack.registers.write(name, 200);
  }
  await bench.until("all is well", async () => (await bench.rest()).bank.well);
};

describe.each(NAMES.map((name, index) => [name, index] as const))("%s", (name, index) => {
  beforeAll(() => (bench ? undefined : beginAnew()));
  afterAll(() => (index === NAMES.length - 1 ? bench.stop() : undefined));
  const address = index + 1;
  const others = NAMES.map((_, other) => other).filter((other) => other !== index);

  const concerns = (Object.keys(TROUBLES) as (keyof typeof TROUBLES)[]).filter((_, at) =>
    inTurn(NAMES, at).includes(name),
  );
  it.each(concerns)("%s", async (concern) => {
    const { begin, end, said, led = "attention", isSetting, lasts, isShare, value } = TROUBLES[concern];
    const { system } = bench;
    const pack = system.bank!.packs[index]!;
    bench.service.messages.length = 0;
    const beside = others.map((other) => system.bank!.packs[other]!);
    const twin = system.bank!.twins[index]!;
    begin(pack, beside, twin);
    if (isSetting) await bench.write(address);
    // Settings that have been read stay known while the pack answers.
    if (concern === "settings-unread") await bench.silence(index);
    // At the limit it comes and goes.
    if (isShare) await bench.pass(JUDGED_FOR);
    const isWell = severityOf(concern) === "notice";
    const has = (verdict: Verdict | undefined): boolean => verdict?.concerns.includes(concern) === true;
    await bench.until(concern, async () => has((await bench.rest()).packs[index]));
    const { bank, packs } = await bench.rest();
    expect([has(bank), bank.well, packs[index]!.well]).toEqual([true, isWell, isWell]);
    for (const other of others) expect(packs[other]).toMatchObject({ well: true, concerns: [] });
    const { lines, well } = await bench.page();
    expect(well).toBe(isWell);
    expect(lines).toContain(`${name}: ${sentenceOf(concern)}`);
    expect(lines.filter((line) => !line.startsWith(`${name}: `))).toEqual([]);
    expect(system.probes.ledPattern()).toBe(isWell ? "well" : packs[index]!.concerns.includes("alarm") ? "alarm" : led);
    // The first device's document is on all packs.
    await bench.until("MQTT says so", () => has(bench.mqtt("")) && has(bench.mqtt("bank/")));
    if (index) await bench.until("MQTT names it", () => has(bench.mqtt(`pack/${address}/`)));
    for (const other of others) if (other) expect(bench.mqtt(`pack/${other + 1}/`)).toMatchObject({ well: true });
    const metrics = await bench.metrics();
    expect([
      sampleOf(metrics, "bms_well"),
      sampleOf(metrics, "bms_bank_well"),
      sampleOf(metrics, "bms_concern", { concern }),
    ]).toEqual([isWell ? 1 : 0, isWell ? 1 : 0, 1]);
    const wells = NAMES.map((label, at) => sampleOf(metrics, "bms_pack_well", { pack: String(at + 1), name: label }));
    expect(wells).toEqual(NAMES.map((_, at) => (at === index && !isWell ? 0 : 1)));
    expect((await bench.snmp("1.7.2.0")).split(" ")).toContain(concern);
    expect((await bench.snmp(`1.9.1.5.${address}`)).split(" ")).toContain(concern);
    for (const other of others) expect(await bench.snmp(`1.9.1.5.${other + 1}`)).toBe("");
    const words = said ?? (hasAny(MESSAGES, bit(concern)) ? sentenceOf(concern) : undefined);
    if (words)
      await bench.until("the owner is told", () =>
        bench.service.messages.some(
          ({ message, packs: those, state }) =>
            state !== "cleared" &&
            message.startsWith(`${name}: `) &&
            message.search(words) >= 0 &&
            those.length === 1 &&
            those[0] === address,
        ),
      );
    const hold = holdOf(CONCERNS.indexOf(concern));
    await bench.until(
      "the list has it",
      async () => (await bench.conditions()).some(({ code }) => code === concern),
      hold,
    );
    const listed = await bench.conditions();
    expect(listed.filter((row) => row.pack !== address)).toEqual([]);
    const row = listed.find(({ code }) => code === concern)!;
    expect(row.severity).toBe(severityOf(concern));
    const unit = unitOf(CONCERNS.indexOf(concern));
    expect([typeof row.value, typeof row.limit]).toEqual(
      unit ? ["number", concern === "emergency" ? "object" : "number"] : ["object", "object"],
    );
    if (value) expect([row.value, row.limit]).toEqual(value);
    for (const own of await bench.own(index))
      expect(own.map(({ code }) => code).sort()).toEqual(listed.map(({ code }) => code).sort());
    const isEvent = hasAny(EVENTS, bit(concern));
    if (isEvent) await bench.until("it is an event", () => bench.hasEvent(`condition-raised\t${concern}\t${address}`));
    end(pack, beside, twin);
    if (isSetting) await bench.write(address);
    if (lasts) await bench.pass(lasts);
    await bench.until("it is over", async () => !(await bench.rest()).bank.concerns.length, hold);
    expect((await bench.rest()).bank.well).toBe(true);
    if (isEvent) await bench.until("its end is one", () => bench.hasEvent(`condition-cleared\t${concern}\t${address}`));
    await bench.until("the list is empty", async () => !(await bench.conditions()).length);
    expect(system.probes.ledPattern()).toBe("well");
    expect(await bench.page()).toEqual({ lines: [], well: true });
  });
});

const FROM_START: readonly FromStart[] = ["other-master", "no-identity", "same-identity", "energy-short"];

it("has every concern, but what is there from the start on", () => {
  const rest = CONCERNS.filter((concern) => !(FROM_START as readonly Concern[]).includes(concern));
  expect(Object.keys(TROUBLES).sort()).toEqual(rest.sort());
});

it.each(NAMES.map((_, index) => index))(
  "number %i has no serial number, and is well, or that of another: both have the same",
  async (index) => {
    const other = (index + 1) % NAMES.length;
    const cases = [
      ["no-identity", "", [index]],
      ["same-identity", serialNumberAt(other + 1), [index, other]],
    ] as const;
    for (const [concern, serial, those] of inTurn(cases, index)) {
      const beside = new Bench();
      try {
        await beside.start(false, (packs) => named(serial)(packs[index] as SimulatedBms));
        await beside.until("it alone is found", async () => (await beside.rest()).bank.concerns.join() === concern);
        const { packs } = await beside.rest();
        const isWell = severityOf(concern) === "notice";
        for (const [at, { concerns, well }] of packs.entries())
          expect([at, concerns.includes(concern), well]).toEqual([
            at,
            those.includes(at),
            isWell || !those.includes(at),
          ]);
        await beside.until("it is listed", async () => {
          const listed = (await beside.conditions()).filter(({ code }) => code === concern);
          return [...listed.map(({ pack }) => pack - 1)].sort().join() === [...those].sort().join();
        });
        if (!isWell)
          await beside.until("the owner is told", () =>
            beside.service.messages.some(({ message }) => message.includes(en.concerns[concern])),
          );
      } finally {
        await beside.stop();
      }
    }
  },
);

it("another master on the bus is said of each pack, and of all", async () => {
  const beside = new Bench();
  try {
    await beside.start(true);
    await beside.until("another master is heard", async () =>
      (await beside.rest()).bank.concerns.includes("other-master"),
    );
    const { packs } = await beside.rest();
    for (const { concerns } of packs) expect(concerns).toContain("other-master");
    expect(beside.system.probes.ledPattern()).not.toBe("well");
    await beside.until("MQTT says so", () => beside.mqtt("").concerns.includes("other-master"));
    expect(sampleOf(await beside.metrics(), "bms_concern", { concern: "other-master" })).toBe(1);
    expect(await beside.snmp("1.7.2.0")).toContain("other-master");
    for (const at of [1, 2, 3]) expect(await beside.snmp(`1.9.1.5.${at}`)).toContain("other-master");
    await beside.until("the owner is told", () =>
      beside.service.messages.some(({ message }) => message.includes("Another master")),
    );
  } finally {
    await beside.stop();
  }
});

it("a quarter of an hour of silence is missing in the energy of each pack", async () => {
  const beside = new Bench();
  try {
    await beside.start(false);
    const bank = beside.system.bank!.packs;
    const silent = async (): Promise<number> =>
      (await beside.rest()).packs.filter(({ concerns }) => concerns.includes("offline")).length;
    await beside.until("all answer", async () => !(await silent()));
    for (const pack of bank) pack.setOnline(false);
    await beside.pass(920);
    for (const pack of bank) pack.setOnline(true);
    await beside.until("it is listed", async () => {
      const listed = (await beside.conditions()).filter(({ code }) => code === "energy-short");
      return listed.map(({ pack }) => pack).join() === "1,2,3";
    });
    const listed = (await beside.conditions()).filter(({ code }) => code === "energy-short");
    for (const { severity, value, limit } of listed) {
      expect([severity, limit]).toEqual(["notice", 1]);
      expect(value).toBeGreaterThan(1);
      expect(value).toBeLessThan(1.2);
    }
    const { packs } = await beside.rest();
    for (const { concerns } of packs) expect(concerns).toContain("energy-short");
    await beside.page();
    for (const address of [1, 2, 3])
      await beside.until("it is an event", () => beside.hasEvent(`condition-raised\tenergy-short\t${address}`));
    expect(sampleOf(await beside.metrics(), "bms_concern", { concern: "energy-short" })).toBe(1);
    for (const at of [1, 2, 3]) expect(await beside.snmp(`1.9.1.5.${at}`)).toContain("energy-short");
    await beside.until("MQTT says so", () => beside.mqtt("").concerns.includes("energy-short"));
    expect(beside.service.messages.filter(({ message }) => message.includes("energy-short"))).toEqual([]);
  } finally {
    await beside.stop();
  }
});
