/** What the demonstration can show. */
import type { Bank } from "../host-sim/bms/packs";
import type { Clock } from "../host-sim/clock";

export interface SituationOrder {
  readonly title: string;
  /** Simulated; 0: the battery is a real one. */
  readonly packs: number;
  /** Situations of the same battery share its settings and its history. */
  readonly files: string;
  /** One more pack, at address 0, is the bus master. */
  readonly master?: boolean;
  /** As delivered: no password, no past. */
  readonly isNew?: boolean;
  /** Of the pack, s since midnight. */
  readonly timeOfDay?: number;
  readonly prepare?: (this: void, bank: Bank, clock: Clock) => void;
}

const HOUR = 3_600;
/** The BMS falls silent once its values have been read, ms. */
const SILENT_AFTER = 5_000;
const HOT = 76;
const DRIFTED_CELL = 6;
const DRIFTED_CHARGE = 0.05;

export const SITUATIONS = {
  sun: { title: "One pack, sun", packs: 1, files: "one", timeOfDay: 11 * HOUR },
  night: { title: "One pack, night", packs: 1, files: "one", timeOfDay: 20 * HOUR },
  bank: { title: "Bank of four packs", packs: 4, files: "bank", timeOfDay: 11 * HOUR },
  silent: {
    title: "BMS falls silent",
    packs: 1,
    files: "one",
    prepare: ({ packs: [bms] }, clock) => void clock.after(SILENT_AFTER, () => bms?.setOnline(false)),
  },
  hot: {
    title: "Over-temperature",
    packs: 1,
    files: "one",
    timeOfDay: 11 * HOUR,
    prepare({ packs: [bms] }) {
      if (!bms) return;
      bms.pack.ambient = HOT;
      bms.pack.temperatures.battery.fill(HOT);
    },
  },
  master: { title: "Another master on the bus", packs: 1, files: "one", master: true },
  drift: {
    title: "A cell that drifts",
    packs: 1,
    files: "one",
    timeOfDay: 20 * HOUR,
    prepare({ packs: [bms] }) {
      const cell = bms?.pack.cells[DRIFTED_CELL];
      if (cell) cell.soc = DRIFTED_CHARGE;
    },
  },
  own: { title: "Your own pack, by adapter", packs: 0, files: "own" },
  new: { title: "First start", packs: 1, files: "new", isNew: true },
} as const satisfies Record<string, SituationOrder> as Readonly<
  Record<"sun" | "night" | "bank" | "silent" | "hot" | "master" | "drift" | "own" | "new", SituationOrder>
>;

export type Situation = keyof typeof SITUATIONS;
