/** The real bus with its packs, on a board's simulated line. As the monitor's opener too. */
import { JkBus, type JkBusOptions } from "../../../modules/jk-bms/jk-bus";
import type { SimulatedBoard } from "../../../host-sim/board";
import type { BusOpener } from "../../../src/packs/link";
import { serialOf } from "./line";

export type PackOptions = Partial<Omit<JkBusOptions, "serial" | "addresses">>;

export class PackOnLine implements BusOpener {
  bus: JkBus | undefined;

  constructor(private readonly board: SimulatedBoard) {}

  open(
    { baud = 115_200, readMode = "auto", gap, mode = "poll" }: PackOptions = {},
    addresses: readonly number[] = [1],
  ): JkBus {
    const serial = serialOf(this.board);
    return (this.bus = new JkBus({ serial, baud, readMode, mode, addresses, ...(gap !== undefined && { gap }) }));
  }
}
