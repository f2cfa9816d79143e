/** Several packs on one bus: what is said of each, and of all of them together in the form of one. */
import { LOW_CHARGE } from "../src/catalogue/limits";
import { alarmsOf } from "./alarms";
import type { BankDocument, PackRow, Status } from "./documents";
import { nameText } from "./format";
import type { Texts } from "./texts/en";
import { faults, staleReason, type State, type Verdict } from "./verdict";

/** What packs are called until they have a name: each has the same. */
const UNNAMED = ["", "Pack"];

export const packTitle = ({ address, name }: Pick<PackRow, "address" | "name">, t: Texts): string =>
  UNNAMED.includes(name) ? t.bank.pack(String(address)) : nameText(name, t);

/** Number of faults of all packs. */
export const bankFaults = ({ packs }: BankDocument): number =>
  packs.reduce((sum, { alarmCode }) => sum + faults(alarmsOf(alarmCode ?? 0)), 0);

/** What is wrong with which pack, the worst first; all but the values that change. */
export function bankLines({ packs }: BankDocument, t: Texts): string[] {
  const alarms: string[] = [];
  const rest: string[] = [];
  for (const pack of packs) {
    const title = packTitle(pack, t);
    for (const { name, fault } of alarmsOf(pack.alarmCode ?? 0))
      if (fault) alarms.push(`${title}: ${t.alarms[name].title}`);
    if (!pack.online) rest.push(`${title}: ${t.battery.offline}`);
    else if (pack.soc !== null && pack.soc <= LOW_CHARGE) rest.push(`${title}: ${t.concerns["low-charge"]}`);
  }
  return [...alarms, ...rest];
}

/** The bank as if it were one pack with the cells of none; `first`: the first pack's. */
export function bankStatus({ bank, packs }: BankDocument, first: Status): Status {
  const { soc, voltage, current, power, remainingCapacityAh, capacityAh, online } = bank;
  return {
    ...first,
    ...{ online: online > 0, soc, remainingCapacityAh, capacityAh, cells: null },
    pack: { ...first.pack, voltage, current, power },
    alarmCode: packs.reduce((all, { alarmCode }) => all | (alarmCode ?? 0), 0),
  };
}

/** Its values are old only while the monitor does not answer: which pack is silent is said of that pack. */
export function bankVerdict(state: State, document: BankDocument): Verdict {
  const reason = staleReason(state);
  const { bank, packs } = document;
  const alarms = packs.flatMap(({ alarmCode }) => alarmsOf(alarmCode ?? 0));
  const isLow = bank.soc !== null && bank.soc <= LOW_CHARGE;
  return {
    never: false,
    stale: reason !== "" && reason !== "silent",
    alarms,
    concerns: isLow ? ["low-charge"] : [],
    well: bank.online === bank.packs && bank.soc !== null && !isLow && !faults(alarms),
  };
}
