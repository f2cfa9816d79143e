import { eraseStore, forgetCrash } from "application";
import type KeyValueStorage from "embedded:storage/key-value";
import { readCounters, writeCounters } from "../energy/stored-counters";

/** Erases what deleted settings and a core dump leave in the flash. The energy counters, the only other thing stored there that lasts, are kept. */
export function eraseFlash(storage: typeof KeyValueStorage): void {
  const counters = readCounters(storage);
  forgetCrash();
  if (!eraseStore()) trace("reset: a part of the flash cannot be erased\n");
  if (counters) writeCounters(storage, counters);
}
