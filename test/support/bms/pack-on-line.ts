/** The real bus with one pack's JkBms on it, on a board's simulated line. */
import { JkBms, type JkBmsOptions } from "../../../modules/jk-bms/jk-bms";
import { Bus } from "../../../modules/modbus/bus";
import { Station } from "../../../modules/modbus/station";
import { OverheardFrames } from "../../../modules/jk-bms/overheard";
import { zeroCounters, type BusOptions } from "../../../modules/modbus/types";
import type { SimulatedBoard } from "../../../host-sim/board";
import { serialOf } from "./line";

export type PackOptions = Partial<Omit<BusOptions, "serial"> & Omit<JkBmsOptions, "station">> & {
  readonly address?: number;
};

/** As the monitor's opener too. */
export class PackOnLine {
  bus: Bus | undefined;

  constructor(private readonly board: SimulatedBoard) {}

  openBms({ address = 1, baud = 115_200, readMode = "auto", gap, mode = "poll" }: PackOptions = {}): JkBms {
    const counters = zeroCounters();
    const overheard = new OverheardFrames(counters);
    const serial = serialOf(this.board);
    this.bus = new Bus({ serial, baud, counters, mode, ear: overheard, ...(gap !== undefined && { gap }) });
    return new JkBms({ station: new Station(this.bus, address), readMode, overheard });
  }

  closeBus(): void {
    this.bus?.close();
    this.bus = undefined;
  }
}
