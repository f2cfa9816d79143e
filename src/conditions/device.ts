/** What is wrong with the device itself: pure, what it knows in, bits out. */
import { WEAK_SIGNAL } from "./limits";
import { deviceBit } from "./table";
import type { Measured } from "./types";

const CLOCK_UNKNOWN = deviceBit("clock-unknown");
const CLOCK_DOUBTFUL = deviceBit("clock-doubtful");
const STORAGE_FAILED = deviceBit("storage-failed");
const WEAK_WIFI = deviceBit("weak-wifi");
const PART_FAILED = deviceBit("part-failed");

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

/** As bits of DEVICE_CONDITIONS. */
export function conditionsOf(device: JudgedDevice): number {
  const { parts, settings, sntp } = device;
  let found = 0;
  if (device.time() === undefined) found |= CLOCK_UNKNOWN;
  if (sntp?.isDoubted && settings.time.server) found |= CLOCK_DOUBTFUL;
  if (settings.problems.some((problem) => problem.startsWith(UNWRITABLE))) found |= STORAGE_FAILED;
  for (const problem of parts.problems) found |= problem.startsWith(HISTORY) ? STORAGE_FAILED : PART_FAILED;
  if ((signalOf(device) ?? 0) < WEAK_SIGNAL) found |= WEAK_WIFI;
  return found;
}

/** Which of them can be judged. */
export const knownOf = (device: JudgedDevice): number => (signalOf(device) === undefined ? ~WEAK_WIFI : ~0);

/** What is judged of the row with this bit; undefined: no number is. */
export const deviceMeasurement = (device: JudgedDevice, row: number): Measured | undefined =>
  row === WEAK_WIFI ? [device.network.rssi, WEAK_SIGNAL] : undefined;
