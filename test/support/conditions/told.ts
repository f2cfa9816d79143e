/**
 * The whole product on V8 with every interface on and a receiver at each: what each says of the packs, as lines, and what it has to say by the table.
 * A row or an interface more needs no edit of those who compare both.
 */
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import type { SimulatedBms } from "../../../host-sim/bms/simulated-bms";
import { hashPassword } from "../../../host-sim/password";
import { ALARMS_TABLE, faultsIn } from "../../../src/catalogue/alarms";
import { has, hasAny, NONE, plus, type Conditions } from "../../../src/conditions/set";
import { OFFLINE } from "../../../src/conditions/rows";
import {
  CONCERNS,
  DEVICE,
  DEVICE_CONDITIONS,
  DEVICE_EVENTS,
  DEVICE_MESSAGES,
  EVENTS,
  MESSAGES,
  severityOf,
} from "../../../src/conditions/table";
import { bankLines, bankVerdict } from "../../../web/bank";
import type { BankDocument, StatusDocument } from "../../../web/documents";
import { lines } from "../../../web/sentence";
import { en } from "../../../web/texts/en";
import { judge, staleReason, staleText, type State } from "../../../web/verdict";
import { freePort } from "../free-port";
import { ModbusClient, Refused } from "../modbus/modbus-client";
import { parseExposition } from "../peers/exposition";
import { GET, parse, request } from "../peers/snmp";
import { System } from "../system/system";
import { WebClient, type WebAnswer } from "../web/web-client";
import { Receivers } from "./receivers";

const BASE = "jk-bms/02005e100001";
const MIB = "1.3.6.1.4.1.8072.9999.9999.485.1";
const COMMUNITY = "public";
const PASSWORD = "Lítio 280 Ah";
const HASH = hashPassword(PASSWORD, 100);
const SECOND = 1_000;
/** Virtual ms between two turns of the sockets. */
const STRIDE = 500;
/** Seconds since 1970 at power-on. */
const BEGAN = 1_800_000_000;
const TRUE = 1;

/** What is wrong with a pack: its conditions and its alarm word. */
export interface There {
  readonly bits: Conditions;
  readonly word: number;
}

/** The beginning or end of a condition, or of an alarm, of the pack at this place, or of the device. */
export interface Edge {
  readonly at: number;
  readonly kind: "condition" | "alarm";
  readonly name: string;
  readonly how: "raised" | "cleared";
}

const isSet = (bits: number, row: number): boolean => ((bits >>> row) & 1) === 1;
const codesIn = (bits: Conditions): string[] => CONCERNS.filter((_, row) => has(bits, row));
const deviceCodesIn = (bits: Conditions): string[] => DEVICE_CONDITIONS.filter((_, row) => has(bits, row));
const isDeviceWell = (bits: Conditions): boolean => deviceCodesIn(bits).every((code) => severityOf(code) === "notice");
const alarmsIn = (word: number): string[] => ALARMS_TABLE.filter((_, row) => isSet(word, row)).map(({ name }) => name);
const isWell = (bits: Conditions): boolean => codesIn(bits).every((code) => severityOf(code) === "notice");
const isFault = (name: string): boolean => ALARMS_TABLE.find((row) => row.name === name)!.fault;
const all = (there: readonly There[]): Conditions => there.reduce((bits, one) => plus(bits, one.bits), NONE);
const verdict = (well: boolean, codes: readonly string[]): string =>
  [well ? "well" : "not well", ...[...codes].sort()].join(" ");
const verdictOf = (bits: Conditions): string => verdict(isWell(bits), codesIn(bits));
const isOffline = ({ bits }: There): boolean => hasAny(bits, OFFLINE);

interface Verdict {
  readonly well: boolean;
  readonly concerns: readonly string[];
}
interface Condition {
  readonly pack?: number;
  readonly code: string;
  readonly severity: string;
  readonly since?: number | null;
}
const shown = ({ well, concerns }: Verdict): string => verdict(well, concerns);
const listed = (conditions: readonly Condition[]): string =>
  conditions
    .map(({ code, severity }) => `${code} ${severity}`)
    .sort()
    .join(" ");
const listOf = ({ bits, word }: There): string =>
  listed([
    ...codesIn(bits).map((code) => ({ code, severity: severityOf(code) })),
    ...alarmsIn(word).map((code) => ({ code, severity: isFault(code) ? "fault" : "notice" })),
  ]);

/** An interface that is asked: its answer as lines, and the lines that are right. */
interface Asked {
  readonly said: (bench: Told) => Promise<readonly string[]> | readonly string[];
  readonly right: (there: readonly There[], bench: Told) => readonly string[];
}

const ofAll = (bench: Told, line: (address: number) => string): string[] => bench.addresses.map(line);
/** Only a bank has them. */
const ofSeveral = (there: readonly There[], lines: () => readonly string[]): readonly string[] =>
  there.length > 1 ? lines() : [];

/** Registers of events, alarms and conditions in 802 and 804, and in each string of 803. */
const OF_802 = [26, 30, 32];
const OF_804 = [28, 32, 34];
const OF_803 = [20, 24, 26];
const AT_802 = 40_070;
const AT_804 = 40_134;
const AT_803 = 40_163;
const HEAD_803 = 28;
const EACH_803 = 32;

/** Not implemented. */
const UNKNOWN = 0xffff_ffff;

/** What three pairs of registers say: whether there is an event, then alarms and conditions by name. */
function sunSpec(bytes: Buffer, offsets: readonly number[]): string {
  const [event = 0, word = 0, vendor = 0] = offsets.map((offset) => bytes.readUInt32BE(2 * offset));
  const bits = vendor as unknown as Conditions;
  if (word === UNKNOWN) return ["event", ...codesIn(bits)].join(" ");
  return [event ? "event" : "no event", ...alarmsIn(word).sort(), ...codesIn(bits).sort()].join(" ");
}
const sunSpecOf = (there: readonly There[]): string => {
  // A word whose highest bit is set is not in use, and there is none for further ones: docs/modbus.md.
  const bits = ((all(there) as unknown as number) & 0x7fff_ffff) as unknown as Conditions;
  const word = there.reduce((bits, one) => bits | one.word, 0);
  return [isWell(all(there)) ? "no event" : "event", ...alarmsIn(word).sort(), ...codesIn(bits).sort()].join(" ");
};

export const ASKED: Readonly<Record<string, Asked>> = {
  "GET /api/conditions": {
    async said(bench) {
      const { data } = (await bench.get("/api/conditions")).json as { data: Condition[] };
      return [undefined, ...bench.addresses].map((address) => {
        const own = data.filter(({ pack }) => pack === address);
        return `${listed(own)} since ${own.filter(({ since }) => since).length}`;
      });
    },
    right: (there, { hasRestarted, ofDevice }) => {
      // Since when there is what began before a restart only a device knows whose clock was right at its start.
      const since = (codes: readonly string[]): string => ` since ${hasRestarted ? 0 : codes.length}`;
      const own = deviceCodesIn(ofDevice);
      return [
        listed(own.map((code) => ({ code, severity: severityOf(code) }))) + since(own),
        ...there.map((one) => listOf(one) + since([...codesIn(one.bits), ...alarmsIn(one.word)])),
      ];
    },
  },
  "GET /api/packs": {
    async said(bench) {
      const { data } = (await bench.get("/api/packs")).json as {
        data: { bank: Verdict; packs: (Verdict & { conditions: Condition[] })[] };
      };
      return [shown(data.bank), ...data.packs.flatMap((pack) => [shown(pack), listed(pack.conditions)])];
    },
    right: (there) => [verdictOf(all(there)), ...there.flatMap((one) => [verdictOf(one.bits), listOf(one)])],
  },
  "GET /api/packs/{n}/status": {
    said: (bench) => bench.each((address) => bench.conditionsAt(`/api/packs/${address}/status`)),
    right: (there) => there.map(listOf),
  },
  "GET /api/bms/status": {
    said: async (bench) => [await bench.conditionsAt("/api/bms/status")],
    right: ([first]) => [listOf(first!)],
  },
  "the page": {
    async said(bench) {
      const state: State = { connected: true, foreign: false, failed: new Set(), old: false, documents: {} };
      const status = await bench.page<StatusDocument>("/web/status");
      const { device } = status;
      const own = `device ${device?.well ? "well" : "not well"} ${device?.concerns.map((code) => en.concerns[code]).join(" ")}`;
      if (bench.isOfSeveral) {
        const { data } = await bench.page<{ data: BankDocument }>("/web/packs");
        return [own, bankVerdict(state, data).well ? "well" : "not well", ...bankLines(data, en).sort()];
      }
      const one = { ...state, documents: { status } };
      const { well } = judge(one);
      const silence = staleText(staleReason(one), en);
      return [own, well ? "well" : "not well", ...(silence ? [silence] : []), ...lines(judge(one), en).sort()];
    },
    right(there, { isOfSeveral, ofDevice }) {
      const texts: Readonly<Record<string, string>> = en.concerns;
      const own = deviceCodesIn(ofDevice).map((code) => texts[code]);
      const whose = new Map<string, number[]>();
      there.forEach(({ bits, word }, at) => {
        const faults = alarmsIn(word).filter(isFault);
        const codes = codesIn(bits).filter((code) => code !== "alarm");
        const found = [
          ...faults.map((name) => en.alarms[name as keyof typeof en.alarms].title),
          ...codes.map((code) => (code === "offline" ? en.battery.offline : texts[code])),
        ];
        for (const text of found as string[]) whose.set(text, [...(whose.get(text) ?? []), at]);
      });
      const said = [...whose].map(([text, packs]) => {
        // What is the bus's is nobody's.
        if (!isOfSeveral || text === en.concerns["other-master"]) return text;
        return `${packs.length === there.length ? en.bank.all : packs.map(nameOf).join(", ")}: ${text}`;
      });
      return [
        `device ${isDeviceWell(ofDevice) ? "well" : "not well"} ${own.join(" ")}`,
        isWell(all(there)) ? "well" : "not well",
        ...said.sort(),
      ];
    },
  },
  "SNMP's objects": {
    async said(bench) {
      const { isOfSeveral } = bench;
      const [concerns, ofDevice] = await bench.snmp(["7.2.0", "7.3.0"]);
      const packs = await bench.each(async (address) => {
        const own = isOfSeveral ? [`9.1.5.${address}`] : [];
        const active = ALARMS_TABLE.map((_, row) =>
          isOfSeveral ? `11.1.5.${address}.${row + 1}` : `3.1.5.${row + 1}`,
        );
        const [first, ...rest] = await bench.snmp([...own, ...active]);
        const values = isOfSeveral ? rest : [first, ...rest];
        const raised = ALARMS_TABLE.filter((_, row) => values[row] === TRUE).map(({ name }) => name);
        return `${isOfSeveral ? words(first) : ""} | ${raised.join(" ")}`;
      });
      return [words(ofDevice), words(concerns), ...packs];
    },
    right: (there, { isOfSeveral, ofDevice }) => [
      deviceCodesIn(ofDevice).sort().join(" "),
      codesIn(all(there)).sort().join(" "),
      ...there.map(
        ({ bits, word }) => `${isOfSeveral ? codesIn(bits).sort().join(" ") : ""} | ${alarmsIn(word).join(" ")}`,
      ),
    ],
  },
  "MQTT's state": {
    said({ receivers: { topics }, addresses, isOfSeveral }) {
      const state = (branch: string): string => {
        const document = JSON.parse(topics.get(`${BASE}/${branch}telemetry`) ?? '{"concerns":[]}') as Verdict & {
          alarms?: string[];
        };
        return `${shown(document)} | ${document.alarms?.join(" ") ?? ""}`;
      };
      const further = addresses.slice(1).map((address) => state(`pack/${address}/`));
      const { concerns = [] } = JSON.parse(topics.get(`${BASE}/diagnostics`) ?? "{}") as Partial<Verdict>;
      return [concerns.join(" "), state(""), ...further, ...(isOfSeveral ? [state("bank/")] : [])];
    },
    right(there, { ofDevice }) {
      const ofAny = verdictOf(all(there));
      const [first, ...further] = there;
      return [
        deviceCodesIn(ofDevice).join(" "),
        `${ofAny} | ${alarmsIn(first!.word).join(" ")}`,
        ...further.map(({ bits, word }) => `${verdictOf(bits)} | ${alarmsIn(word).join(" ")}`),
        ...ofSeveral(there, () => [`${ofAny} | `]),
      ];
    },
  },
  metrics: {
    async said(bench) {
      const families = parseExposition((await bench.get("/metrics")).text);
      const holding = (name: string, label: string, pack?: number): string[] =>
        (families.get(name)?.samples ?? [])
          .filter(({ value, labels }) => value === 1 && (pack === undefined || labels["pack"] === String(pack)))
          .map(({ labels }) => labels[label] ?? "");
      const well = (name: string, pack?: number): boolean =>
        families
          .get(name)!
          .samples.some(({ value, labels }) => value === 1 && (pack === undefined || labels["pack"] === String(pack)));
      const line = (prefix: string, pack?: number): string =>
        `${verdict(well(`${prefix}well`, pack), holding(`${prefix}concern`, "concern", pack))} | ${holding(`${prefix}alarm`, "alarm", pack).join(" ")}`;
      const packs = bench.isOfSeveral ? ofAll(bench, (address) => line("bms_pack_", address)) : [];
      return [
        holding("bms_monitor_concern", "concern").join(" "),
        line("bms_"),
        ...packs,
        ...(bench.isOfSeveral ? [well("bms_bank_well") ? "well" : "not well"] : []),
      ];
    },
    right(there, { ofDevice }) {
      const bits = all(there);
      return [
        deviceCodesIn(ofDevice).join(" "),
        `${verdictOf(bits)} | ${alarmsIn(there[0]!.word).join(" ")}`,
        ...ofSeveral(there, () => there.map((one) => `${verdictOf(one.bits)} | ${alarmsIn(one.word).join(" ")}`)),
        ...ofSeveral(there, () => [isWell(bits) ? "well" : "not well"]),
      ];
    },
  },
  "Modbus TCP": {
    said: (bench) =>
      bench.modbus(async (client) => {
        const read = async (unit: number, at: number, offsets: readonly number[]): Promise<string> => {
          try {
            return sunSpec(await client.read(unit, at, offsets.at(-1)! + 2), offsets);
          } catch (error) {
            if (error instanceof Refused) return "refused";
            throw error;
          }
        };
        const found = [await read(1, AT_802, OF_802)];
        for (const [at, address] of bench.addresses.entries()) {
          found.push(await read(100 + address, AT_802, OF_802), await read(100 + address, AT_804, OF_804));
          found.push(await read(1, AT_803 + HEAD_803 + at * EACH_803, OF_803));
        }
        return found;
      }),
    right(there) {
      const refused = there.every(isOffline);
      return [
        refused ? "refused" : sunSpecOf(there),
        ...there.flatMap((one) => {
          const own = isOffline(one) ? "refused" : sunSpecOf([one]);
          // Of a bank that answers its strings have the conditions of the silent, too.
          return [own, own, refused ? "refused" : sunSpecOf([one])];
        }),
      ];
    },
  },
  "the LED": {
    said: ({ system }) => [system.probes.ledPattern()],
    right(there, { ofDevice }) {
      if (there.some(({ word }) => faultsIn(word))) return ["alarm"];
      if (isWell(all(there))) return [isDeviceWell(ofDevice) ? "well" : "attention"];
      return [there.every(isOffline) ? "silent" : "attention"];
    },
  },
};

/** An item of GET /api/events. */
interface Stored {
  readonly event: string;
  readonly parameters: readonly string[];
  readonly restarts: number;
  readonly uptime: number;
  readonly count: number;
  readonly pack: number;
}

/** An interface that tells: what it has told since the last look, as lines, and those that are right. */
interface Telling {
  readonly said: (bench: Told) => Promise<readonly string[]> | readonly string[];
  readonly right: (edges: readonly Edge[], bench: Told) => readonly string[];
}

const isIn = (bits: Conditions, ofDevice: Conditions, { at, name }: Edge): boolean =>
  at === DEVICE
    ? has(
        ofDevice,
        DEVICE_CONDITIONS.findIndex((code) => code === name),
      )
    : has(
        bits,
        CONCERNS.findIndex((code) => code === name),
      );
const isEvent = (edge: Edge): boolean => edge.kind === "alarm" || isIn(EVENTS, DEVICE_EVENTS, edge);
const isMessage = (edge: Edge): boolean =>
  edge.kind === "alarm" ? isFault(edge.name) : isIn(MESSAGES, DEVICE_MESSAGES, edge);
/** Of the first pack, too, what is the device's. */
const packOf = ({ at }: Edge): number => Math.max(at, 0) + 1;
/** RFC 5424. */
function syslogSeverity({ how, kind, name }: Edge): number {
  if (how === "cleared") return 5;
  if (kind === "alarm") return isFault(name) ? 2 : 5;
  return { fault: 3, warning: 4, notice: 5 }[severityOf(name)];
}
const eventOf = ({ how, kind, name }: Edge): string => `${kind}-${how} ${name}`;
const IS_EDGE = /^(condition|alarm)-/;

export const TELLING: Readonly<Record<string, Telling>> = {
  "the list of events": {
    async said(bench) {
      const { data } = await bench.page<{ data: { text: string }[] }>("/web/log");
      const { newest } = bench.system.firmware.events;
      // The oldest go.
      return data
        .slice(data.length - bench.since("log", newest))
        .flatMap(({ text }) => (IS_EDGE.test(text) ? text.replaceAll("\t", " ") : []));
    },
    right: (edges, { isOfSeveral }) =>
      edges.filter(isEvent).map((edge) => eventOf(edge) + (isOfSeveral && edge.at !== DEVICE ? ` ${edge.at + 1}` : "")),
  },
  "the stored events": {
    async said(bench) {
      const { data } = (await bench.get("/api/events")).json as {
        data: Stored[];
      };
      return bench
        .unstored(data)
        .flatMap(({ event, parameters, count, pack }) =>
          IS_EDGE.test(event) ? Array<string>(count).fill(`${event} ${parameters[0]} ${pack}`) : [],
        );
    },
    right: (edges) => edges.filter(isEvent).map((edge) => `${eventOf(edge)} ${packOf(edge)}`),
  },
  syslog: {
    said: (bench) =>
      bench
        .fresh(
          "syslog",
          bench.receivers.lines.filter(({ code }) => IS_EDGE.test(code)),
        )
        .map(({ severity, code, pack, parameters }) => `${severity} ${code} ${parameters[0]} ${pack}`),
    right: (edges) => edges.filter(isEvent).map((edge) => `${syslogSeverity(edge)} ${eventOf(edge)} ${packOf(edge)}`),
  },
  "SNMP's traps": {
    said: (bench) =>
      bench.fresh("traps", bench.receivers.traps).flatMap(({ what, pack = 1, text }) => {
        if (what !== "conditions") return `${what} ${text} ${pack}`.replace(" ", "-");
        const before = bench.trapped.get(pack) ?? [];
        // The first's has what is wrong with any.
        const now = text.split(" ").filter((code) => code && (pack !== 1 || bench.ofFirst.has(code)));
        bench.trapped.set(pack, now);
        if (now.join() === before.join()) return `nothing new ${pack}`;
        const began = now.filter((code) => !before.includes(code)).map((code) => `condition-raised ${code} ${pack}`);
        const ended = before.filter((code) => !now.includes(code)).map((code) => `condition-cleared ${code} ${pack}`);
        return [...began, ...ended];
      }),
    right: (edges) => edges.filter(isEvent).map((edge) => `${eventOf(edge)} ${edge.at + 1}`),
  },
  "MQTT's events": {
    said: (bench) =>
      bench.fresh("alarms", bench.receivers.alarms).map(({ topic, text }) => {
        const { event_type: type, alarm, condition } = JSON.parse(text) as Record<string, string | undefined>;
        const isOfDevice = ([...DEVICE_CONDITIONS] as string[]).includes(String(condition));
        const [, pack = isOfDevice ? "0" : "1"] = /pack\/(\d+)\//.exec(topic) ?? [];
        const how = type?.endsWith("raised") ? "raised" : "cleared";
        return alarm ? `alarm-${how} ${alarm} ${pack}` : `condition-${how} ${condition} ${pack}`;
      }),
    right: (edges) => edges.filter(isEvent).map((edge) => `${eventOf(edge)} ${edge.at + 1}`),
  },
  messages: {
    said: (bench) =>
      bench
        .fresh(
          "messages",
          bench.receivers.messages.filter(({ event }) => event === "alarm" || event === "condition"),
        )
        .map(({ event, state, alarm, condition, packs }) => `${event}-${state} ${alarm ?? condition} ${packs.join()}`),
    right: (edges, { isOfSeveral }) =>
      edges.filter(isMessage).map((edge) => `${eventOf(edge)} ${isOfSeveral && edge.at !== DEVICE ? edge.at + 1 : ""}`),
  },
};

const words = (text: number | string = ""): string => String(text).split(" ").filter(Boolean).sort().join(" ");
export const nameOf = (at: number): string => `Shelf ${at + 1}`;

export class Told {
  readonly receivers = new Receivers();
  system!: System;
  addresses: readonly number[] = [];
  /** What there is of the device, of DEVICE_CONDITIONS, by the tester. */
  ofDevice = NONE;
  /** What there is began before a restart. */
  hasRestarted = false;
  /** What there has been of the first pack. */
  readonly ofFirst = new Set<string>();
  /** What the last trap of a pack had. */
  readonly trapped = new Map<number, readonly string[]>();
  readonly #seen = new Map<string, number>();
  readonly #udp: Datagrams = createSocket("udp4");
  #modbusPort = 0;
  #browser: WebClient | undefined;

  /** `prepare`: what the packs are, before the device meets them; `interval`: ms between two polls of a pack. */
  async start(count: number, prepare: (pack: SimulatedBms) => void, interval: number): Promise<void> {
    const { receivers } = this;
    await receivers.open();
    const { ports } = receivers;
    this.#modbusPort = await freePort();
    this.addresses = Array.from({ length: count }, (_, at) => at + 1);
    this.system = await System.start({
      engine: "node",
      unpaced: true,
      bank: { count, timeFactor: 0, evolving: false },
      prepare: (_, bank) => bank?.packs.forEach(prepare),
      board: {
        config: {
          snmpTrapPort: ports.traps,
          settings: {
            snmp: { enabled: true, community: COMMUNITY, receiver1: "127.0.0.1" },
            mqtt: { enabled: true, host: "127.0.0.1", port: ports.mqtt, discovery: false },
            modbus: { enabled: true, port: this.#modbusPort },
            syslog: { host: "127.0.0.1", port: ports.syslog },
            time: { server: "" },
            bms: { interval },
            web: { password: HASH },
            notify: { kind1: "webhook", url1: receivers.service.url, cleared: true, soc: 0 },
            ...(count > 1 && {
              packs: {
                first: nameOf(0),
                further: this.addresses.slice(1).map((address, at) => ({ address, name: nameOf(at + 1) })),
              },
            }),
          },
        },
      },
    });
    await this.#begun();
  }

  stop(): void {
    this.#udp.close();
    this.receivers.close();
    this.system.stop();
  }

  get isOfSeveral(): boolean {
    return this.addresses.length > 1;
  }

  /** Messages since the power was cut, of which a day may have 40. */
  get sent(): number {
    return this.receivers.messages.length - this.#sentBefore;
  }
  #sentBefore = 0;

  get packs(): readonly SimulatedBms[] {
    return this.system.bank!.packs;
  }

  /** An ordered restart, which keeps what is retained; `isCut`: a power cut, which does not. */
  async restart(isCut = false): Promise<void> {
    const { board, probes } = this.system;
    this.hasRestarted = !isCut;
    if (isCut) {
      await this.system.powerCycle();
      this.#sentBefore = this.receivers.messages.length;
      this.#seen.delete("log");
      this.trapped.clear();
    } else {
      const { restarts } = probes.start();
      probes.restart();
      await this.until("it has started again", () => this.system.probes.start().restarts > restarts);
      await board.restarted;
    }
    this.#browser = undefined;
    await this.#begun();
  }

  async #begun(): Promise<void> {
    const { system } = this;
    system.probes.setTime(BEGAN * SECOND + system.board.clock.now);
    await this.until("all packs that answer are known", () =>
      system.firmware.monitor.packs.every((pack, at) => pack.configurationLoaded || !this.packs[at]!.answering),
    );
  }

  /** Lets so many virtual seconds pass. */
  async pass(seconds: number): Promise<void> {
    const { clock } = this.system.board;
    const end = clock.now + seconds * SECOND;
    while (clock.now < end) {
      this.system.skip(STRIDE);
      await this.system.keepUp();
    }
  }

  async until(what: string, holds: () => boolean, seconds = 600): Promise<void> {
    const { clock } = this.system.board;
    const end = clock.now + seconds * SECOND;
    while (!holds()) {
      if (clock.now > end) throw new Error(`${seconds} s went by in vain until ${what}`);
      await this.pass(STRIDE / SECOND);
    }
  }

  /** Lets a little time pass until `answer` is there. */
  async answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let isDone = false;
    const done = answer.finally(() => (isDone = true));
    done.catch(() => undefined);
    while (!isDone) {
      await this.system.keepUp();
      if (!isDone) this.system.skip(1);
    }
    return done;
  }

  get(path: string): ReturnType<System["get"]> {
    return this.answered(this.system.get(path));
  }

  /** A document of the page's, whose session ends. */
  async page<Document>(path: string): Promise<Document> {
    const ask = (): Promise<WebAnswer> => this.answered(this.#browser!.get(path));
    let answer = this.#browser && (await ask());
    if (answer?.status !== 200) {
      this.#browser = new WebClient(this.system);
      await this.answered(this.#browser.signIn(PASSWORD));
      answer = await ask();
    }
    return answer.json as Document;
  }

  async conditionsAt(path: string): Promise<string> {
    return listed(((await this.get(path)).json as { data: { conditions: Condition[] } }).data.conditions);
  }

  async each<Result>(ask: (address: number) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    for (const address of this.addresses) results.push(await ask(address));
    return results;
  }

  async snmp(objects: readonly string[]): Promise<(number | string | undefined)[]> {
    const message = once(this.#udp, "message") as Promise<[Uint8Array]>;
    const names = objects.map((object) => `${MIB}.${object}`);
    this.#udp.send(
      request(names, { pdu: GET, version: 1, community: COMMUNITY }),
      this.system.probes.snmpPort(),
      "127.0.0.1",
    );
    const [bytes] = await this.answered(message);
    return parse(bytes).bindings.map(({ value }) => value);
  }

  async modbus<Result>(use: (client: ModbusClient) => Promise<Result>): Promise<Result> {
    const turn = async (): Promise<void> => {
      await this.system.keepUp();
      this.system.skip(1);
    };
    const client = await this.answered(ModbusClient.open(this.#modbusPort, { turn }));
    try {
      return await use(client);
    } finally {
      client.close();
    }
  }

  /** Of the stored events, of which the oldest go, those behind the last one seen. */
  unstored(stored: readonly Stored[]): readonly Stored[] {
    const keys = stored.map(({ restarts, uptime, event, parameters }) =>
      [restarts, uptime, event, ...parameters].join(),
    );
    const seen = this.#stored;
    this.#stored = keys.at(-1) ?? "";
    return stored.slice(keys.lastIndexOf(seen) + 1);
  }
  #stored = "";

  /** How many there are more than the last time. */
  since(name: string, count: number): number {
    const seen = this.#seen.get(name) ?? 0;
    this.#seen.set(name, count);
    return count - seen;
  }

  /** Of a list that only grows, what is new since the last time. */
  fresh<Item>(name: string, items: readonly Item[]): Item[] {
    return items.slice(items.length - this.since(name, items.length));
  }

  /** What every interface says, by its name. */
  async said(): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {};
    for (const [name, { said }] of Object.entries(ASKED)) found[name] = await said(this);
    return found;
  }

  /** And what each should. */
  right(there: readonly There[]): Record<string, readonly string[]> {
    return Object.fromEntries(Object.entries(ASKED).map(([name, { right }]) => [name, right(there, this)]));
  }

  /** What every interface has told since the last time, in no order. */
  async told(): Promise<Record<string, readonly string[]>> {
    const found: Record<string, readonly string[]> = {};
    for (const [name, { said }] of Object.entries(TELLING)) found[name] = [...(await said(this))].sort();
    return found;
  }

  /** And what each should have. */
  rightly(edges: readonly Edge[]): Record<string, readonly string[]> {
    return Object.fromEntries(
      Object.entries(TELLING).map(([name, { right }]) => [name, [...right(edges, this)].sort()]),
    );
  }
}
