import { BmsMonitor, type BmsMonitorOptions } from "../../../src/bms/monitor";
import type { Refusal } from "../../../src/bms/types";
import { sentenceOf } from "../../../src/bms/write-report";
import type { PackRecord } from "../../../src/packs/pack-record";
import type { PackIdentity } from "../../../src/packs/types";
import type { BmsSettings } from "../../../src/settings/types";

const alone = ({ address }: BmsSettings): PackIdentity[] => [{ address, name: "", serial: "" }];

/** A monitor, and short ways to its first pack: unless told otherwise its only one, at the address of the settings. */
export class SoloMonitor extends BmsMonitor {
  constructor({ packs, ...options }: Omit<BmsMonitorOptions, "packs"> & { packs?: readonly PackIdentity[] }) {
    super({ ...options, packs: packs ?? alone(options.settings) });
  }

  get pack(): PackRecord {
    return this.packs[0];
  }

  /** With the same packs; one alone moves to the address of the settings. */
  apply(settings: BmsSettings): void {
    this.reconfigure(settings, this.packs.length > 1 ? this.packs.map(({ identity }) => identity) : alone(settings));
  }

  command(name: string, on: boolean, pack = this.pack): Refusal | undefined {
    return this.writes.command(pack, name, on, "API");
  }

  parameter(name: string, value: string | number | boolean, pack = this.pack): Refusal | undefined {
    return this.writes.parameter(pack, name, value, "API");
  }

  get lastCommand(): string {
    const last = this.writes.lastOf(this.pack);
    return last ? sentenceOf(last) : "";
  }

  get lastCommandOk(): boolean {
    return this.writes.lastOf(this.pack)?.outcome === "confirmed";
  }
}
