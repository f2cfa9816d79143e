/** Several packs on one bus: what is said of each, and of all of them together in the form of one. */
import { alarmsOf } from "./alarms";
import { alarmTitle, besides, causesOf } from "./causes";
import type { BankDocument, PackRow, Status } from "./documents";
import { nameText } from "./format";
import type { AlarmRow } from "./tables";
import type { Texts } from "./texts/en";
import { isConcern, staleReason, type Concern, type State, type Verdict } from "./verdict";

/** What packs are called until they have a name: each has the same. */
const UNNAMED = ["", "Pack"];

export const packTitle = ({ address, name }: Pick<PackRow, "address" | "name">, t: Texts): string =>
  UNNAMED.includes(name) ? t.bank.pack(String(address)) : nameText(name, t);

const faultsOf = ({ alarmCode }: PackRow): AlarmRow[] => alarmsOf(alarmCode ?? 0).filter(({ fault }) => fault);

/** Number of faults of all packs. */
export const bankFaults = ({ packs }: BankDocument): number =>
  packs.reduce((sum, pack) => sum + faultsOf(pack).length, 0);

/** What needs attention of one pack, besides its alarms and that it is silent. */
export const packConcerns = (pack: PackRow): Concern[] => besides(faultsOf(pack), pack.concerns.filter(isConcern));

/** What is wrong with which packs, the worst first; all but the values that change. `except`: without the pack at this address. */
export function bankLines({ bank, packs }: BankDocument, t: Texts, except?: number): string[] {
  const found = new Map<string, PackRow[]>();
  const others = packs.filter(({ address }) => address !== except);
  const say = (text: string, those: readonly PackRow[]): void =>
    void (those.length && found.set(text, [...(found.get(text) ?? []), ...those]));
  for (const pack of others)
    for (const { name } of causesOf(faultsOf(pack))) say(alarmTitle(name, pack.concerns, t), [pack]);
  for (const code of bank.concerns)
    if (code === "offline") {
      const silent = others.filter(({ online }) => !online);
      say(t.battery.offline, silent);
    } else if (isConcern(code)) {
      const those = others.filter((pack) => packConcerns(pack).includes(code));
      say(t.concerns[code], those);
    }
  return [...found].map(([text, those]) => whose(those, bank.packs, text, t));
}

/** What is true of all packs is said once, what is the bus's without a name. */
function whose(those: readonly PackRow[], count: number, text: string, t: Texts): string {
  if (text === t.concerns["other-master"]) return text;
  return `${those.length === count ? t.bank.all : those.map((pack) => packTitle(pack, t)).join(", ")}: ${text}`;
}

/** What all packs were, while none of them answers; undefined: one of them is not known. */
function lastOf(packs: readonly PackRow[]): Partial<BankDocument["bank"]> | undefined {
  let [charge, all, volts] = [0, 0, 0];
  for (const { last } of packs) {
    if (typeof last?.soc !== "number" || last.voltage === null || !last.capacityAh) return undefined;
    charge += last.soc * last.capacityAh;
    all += last.capacityAh;
    volts += last.voltage / packs.length;
  }
  return { soc: charge / all, voltage: volts, remainingCapacityAh: charge / 100, capacityAh: all };
}

const isSilent = ({ bank }: BankDocument): boolean => !bank.online;

/** The bank as if it were one pack with the cells of none; `first`: the first pack's. */
export function bankStatus(document: BankDocument, first: Status): Status {
  const { bank, packs } = document;
  const { soc, voltage, current, power, remainingCapacityAh, capacityAh, online } = {
    ...bank,
    ...(isSilent(document) && lastOf(packs)),
  };
  return {
    ...first,
    ...{ online: online > 0, soc, remainingCapacityAh, capacityAh, cells: null, isPartial: online < bank.packs },
    // What else is true of the first is not of all.
    pack: {
      ...(Object.fromEntries(Object.keys(first.pack).map((name) => [name, null])) as Status["pack"]),
      voltage,
      current,
      power,
    },
    alarmCode: packs.reduce((all, { alarmCode }) => all | (alarmCode ?? 0), 0),
  };
}

/** Its values are old while the monitor does not answer, or no pack: which of several is silent is said of that pack. */
export function bankVerdict(state: State, document: BankDocument): Verdict {
  const { bank, packs } = document;
  const reason = staleReason(state);
  return {
    never: false,
    stale: isSilent(document) || (reason !== "" && reason !== "silent"),
    alarms: packs.flatMap(({ alarmCode }) => alarmsOf(alarmCode ?? 0)),
    // Of a bank that is well there are only notices.
    concerns: bank.well ? [] : bank.concerns.filter(isConcern),
    well: bank.well && bank.soc !== null,
  };
}
