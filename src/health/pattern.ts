import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { ALARM } from "../conditions/rows";
import { DEVICE, DEVICE_NOTICES, isWell } from "../conditions/table";
import type { ConditionSource } from "../conditions/types";
import { concernsOfAny } from "../packs/bank";
import type { Pattern } from "./status-led";

/** What the LED shows of the device. */
export interface Shown {
  /** Until then only the button may be looked at. */
  readonly isConstructed: boolean;
  /** ms; 0: not held. */
  readonly button: { readonly held: number } | undefined;
  readonly updater: { readonly isRunning: boolean };
  readonly monitor: { readonly packs: readonly { readonly concerns: Conditions; readonly online: boolean }[] };
  readonly network: { readonly accessPoint: string };
  readonly conditions: Pick<ConditionSource, "presentOf">;
}

/** The most urgent first. */
export function patternOf({ isConstructed, button, updater, monitor, network, conditions }: Shown): Pattern {
  if (button?.held) return "button";
  if (!isConstructed) return "alarm";
  if (updater.isRunning) return "update";
  const { packs } = monitor;
  const concerns = concernsOfAny(packs);
  if (sets.hasAny(concerns, ALARM)) return "alarm";
  if (network.accessPoint) return "portal";
  if (!isWell(concerns)) return packs.some(({ online }) => online) ? "attention" : "silent";
  return sets.without(conditions.presentOf(DEVICE), DEVICE_NOTICES) === sets.NONE ? "well" : "attention";
}
