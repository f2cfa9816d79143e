/** The firmware on XS with the few probes that a test of its memory needs, all made before main runs: none of it is the firmware's memory. */
import { boot } from "../../../host-sim/xs/device/boot";
import main, { type Firmware } from "../../../src/main";
import type { PacksSettings } from "../../../src/settings/types";

type FurtherPack = PacksSettings["further"][number];

let firmware: Firmware;

const PROBES = {
  port: (): number => firmware.server.port,
  snmpPort: (): number | undefined => firmware.snmp?.port,
  setTime: (utc: number): void => firmware.clock.set(utc),
  /** As their owner does. */
  addPacks(further: readonly FurtherPack[]): void {
    const problem = firmware.settings.update("packs", { further });
    if (problem) throw new Error(problem);
  },
  /** Of the BMS, since the bus was opened. */
  replies: (): number => firmware.monitor.bus?.statistics.replies ?? 0,
};
export type LeanProbes = typeof PROBES;

boot(main, (made) => {
  if (!made) throw new Error("the firmware could not be built");
  firmware = made;
  return PROBES;
});
