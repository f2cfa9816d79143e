import type { BmsState, Status } from "./documents";

/** The battery's sensors, by their number less one; null: unknown, or not there. */
export const batteryProbes = ({ temperatures }: Pick<Status, "temperatures">, bms?: BmsState): (number | null)[] => [
  temperatures.battery1,
  temperatures.battery2,
  bms?.battery3 ?? null,
  bms?.battery4 ?? null,
  bms?.battery5 ?? null,
];
