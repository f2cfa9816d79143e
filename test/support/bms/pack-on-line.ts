/** The real bus with one pack's JkBms on it, on a board's simulated line. */
import { JkBms, type JkBmsOptions } from "../../../modules/jk-bms/jk-bms";
import { Bus } from "../../../modules/modbus/bus";
import { Station } from "../../../modules/modbus/station";
import { OverheardFrames } from "../../../modules/jk-bms/overheard";
import { zeroCounters, type BusOptions } from "../../../modules/modbus/types";
import type { SimulatedBoard } from "../../../host-sim/board";
import { serialOf } from "./line";

import { MovingStation } from "../../../modules/modbus/moving-station";
import { PackedBms } from "../../../modules/jk-bms/packed-bms";
import { SharedBms } from "../../../modules/jk-bms/shared-bms";
import { Tails } from "../../../modules/jk-bms/tails";

export type PackOptions = Partial<Omit<BusOptions, "serial"> & Omit<JkBmsOptions, "station">> & {
  readonly address?: number;
};

/** As the monitor's opener too. */
export class PackOnLine {
  bus: Bus | undefined;
  shared: SharedBms | undefined;
  private places = 0;
  private overheard: OverheardFrames | undefined;

  constructor(private readonly board: SimulatedBoard) {}

  openBms({ address = 1, baud = 115_200, readMode = "auto", gap, mode = "poll" }: PackOptions = {}, packs = 1): JkBms {
    const counters = zeroCounters();
    const overheard = new OverheardFrames(counters);
    const serial = serialOf(this.board);
    this.bus = new Bus({ serial, baud, counters, mode, ear: overheard, ...(gap !== undefined && { gap }) });
    this.overheard = overheard;
    const tails = new Tails(packs);
    this.places = 0;
    if (packs > 1)
      return (this.shared = new SharedBms({ station: new MovingStation(this.bus, 15), readMode, tails, packs }));
    return new JkBms({ station: new Station(this.bus, address), readMode, tails, overheard });
  }

  openPack(address: number): PackedBms {
    const pack = new PackedBms(this.shared as SharedBms, address, this.places++);
    this.overheard?.add(pack);
    return pack;
  }

  closeBus(): void {
    this.shared?.close();
    this.bus?.close();
    this.bus = undefined;
  }
}
