/** The list of time zones: names and rules are the browser's. */
import { isZone } from "../../src/settings/local-time";
import { ruleOf, sameRule } from "./zone-rule";

export const nameOf = (zone: string): string => zone.split(" ")[0] ?? "";

/**
 * What the device stores: "Europe/Lisbon" → "Europe/Lisbon <+00>0<+01>-1,M3.5.0/1,M10.5.0/2". The browser's own, `here`, may have no name that
 * the browser takes back, and is stored as it is.
 */
export const zoneNamed = (name: string, here: string): string =>
  name === nameOf(here) ? here : name && `${name} ${ruleOf(name)}`;

/** Without a name if the device would not take it: "+05:30". */
export function browserZone(): string {
  const rule = ruleOf();
  const zone = `${new Intl.DateTimeFormat().resolvedOptions().timeZone} ${rule}`;
  return isZone(zone) ? zone : rule;
}

/** Its name in the list; one that the browser does not know, or by another law, is shown as it is. */
export function choiceOf(zone: string): string {
  const name = nameOf(zone);
  try {
    return sameRule(zone) === ruleOf(name) ? name : zone;
  } catch {
    // The browser does not know it.
    return zone;
  }
}

/** The browsers of the years before do not tell: then their own is to be had, and UTC. */
export const browserNames = (): string[] => (Intl as Partial<typeof Intl>).supportedValuesOf?.("timeZone") ?? [];
