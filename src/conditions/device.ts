/** What is wrong with the device itself: pure, what it knows in, a set out. */
import { WEAK_SIGNAL } from "./limits";
import { CLOCK_DOUBTFUL, CLOCK_UNKNOWN, PART_FAILED, STORAGE_FAILED, WEAK_WIFI } from "./rows";
import * as sets from "./set";
import type { Conditions } from "./set";
import { DEVICE_ALL } from "./table";
import type { Measured } from "./types";

/** Of src/settings/messages.ts and src/health/parts.ts. */
const UNWRITABLE = "unwritable";
const HISTORY = "part-failed\thistory\t";

export interface JudgedDevice {
  readonly network: { readonly type: "Ethernet" | "Wi-Fi"; readonly rssi?: number | undefined };
  readonly parts: { readonly problems: readonly string[] };
  readonly settings: { readonly problems: readonly string[]; readonly time: { readonly server: string } };
  /** Undefined: not started. */
  readonly sntp?: { readonly isDoubted: boolean } | undefined;
  /** Seconds since 1970; undefined while it is not set. */
  time(): number | undefined;
}

/** dBm, of the link in use; undefined: it has none at the moment. */
const signalOf = ({ network }: JudgedDevice): number | undefined =>
  network.type === "Wi-Fi" ? network.rssi : Infinity;

export function conditionsOf(device: JudgedDevice): Conditions {
  const { parts, settings, sntp } = device;
  let found = sets.NONE;
  if (device.time() === undefined) found = sets.plus(found, CLOCK_UNKNOWN);
  if (sntp?.isDoubted && settings.time.server) found = sets.plus(found, CLOCK_DOUBTFUL);
  if (settings.problems.some((problem) => problem.startsWith(UNWRITABLE))) found = sets.plus(found, STORAGE_FAILED);
  for (const problem of parts.problems)
    found = sets.plus(found, problem.startsWith(HISTORY) ? STORAGE_FAILED : PART_FAILED);
  if ((signalOf(device) ?? 0) < WEAK_SIGNAL) found = sets.plus(found, WEAK_WIFI);
  return found;
}

/** Which of them can be judged. */
export const knownOf = (device: JudgedDevice): Conditions =>
  signalOf(device) === undefined ? sets.without(DEVICE_ALL, WEAK_WIFI) : DEVICE_ALL;

/** What is judged of this row; undefined: no number is. */
export const deviceMeasurement = (device: JudgedDevice, row: Conditions): Measured | undefined =>
  row === WEAK_WIFI ? [device.network.rssi, WEAK_SIGNAL] : undefined;
