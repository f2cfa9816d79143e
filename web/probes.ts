import type { Status } from "./documents";

/** The battery's sensors, by their number less one; null: unknown, or not there. */
export const batteryProbes = ({ temperatures }: Pick<Status, "temperatures">): (number | null)[] => [
  temperatures.battery1,
  temperatures.battery2,
  temperatures.battery3 ?? null,
  temperatures.battery4 ?? null,
  temperatures.battery5 ?? null,
];
