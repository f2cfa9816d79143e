/** What it takes to give the BMS other limits, and in which order they can be written. */
import type { Config } from "./documents";
import { conflicts, preset, type Conflict } from "./protection";
import { PARAMETERS, type ParameterName, type ParameterRow } from "./tables";

/** The limits that are wanted. */
export type Targets = Readonly<Partial<Record<ParameterName, number>>>;

export interface PresetStep {
  readonly row: ParameterRow;
  readonly old: number;
  readonly value: number;
}

/** Those of the BMS's preset for `batteryType` ("LiFePO4", "Li-ion"). */
export const presetOf = (batteryType: string): Targets =>
  Object.fromEntries(
    PARAMETERS.flatMap(({ name }) => preset(name, batteryType).map(([, value]) => [name, value] as const)),
  );

/** Whether every limit of `targets` is as it was in `before`, but for those of `done`: a BMS is read again some time after a write. */
export const isAsBefore = (
  targets: Targets,
  before: Config,
  now: Config | undefined,
  done: readonly PresetStep[],
): boolean =>
  PARAMETERS.every(({ name, object, member }) => {
    const value = now?.[object][member];
    const wasWritten = done.some(({ row, value: written }) => row.name === name && written === Number(value));
    return wasWritten || value === before[object][member] || targets[name] === undefined;
  });

/** `config` with the limit set to `value`. */
const withValue = (config: Config, { object, member }: ParameterRow, value: number): Config => ({
  ...config,
  [object]: { ...config[object], [member]: value },
});

/**
 * The writes that give `config` the limits of `targets`, only of what differs. After none of them is a pair of limits out of order that was not
 * before: if the targets are in order themselves, there is always such an order. Of the limits that rise, the topmost has nothing above
 * it but limits that have arrived or come down from higher up; of those that fall, likewise the lowest.
 * @returns undefined: the targets are not in order.
 */
export function stepsTo(targets: Targets, config: Config): PresetStep[] | undefined {
  const left = PARAMETERS.flatMap((row): PresetStep[] => {
    const value = targets[row.name];
    const old = Number(config[row.object][row.member]);
    return value !== undefined && old !== value ? [{ row, old, value }] : [];
  });
  const steps: PresetStep[] = [];
  let held = config;
  while (left.length) {
    const pairs = ({ row }: PresetStep, value: number): string[] =>
      conflicts(row.name, value, held).map(({ upper, lower }: Conflict) => upper.row.name + lower.row.name);
    const next = left.findIndex((step) => {
      const before = pairs(step, step.old);
      return pairs(step, step.value).every((pair) => before.includes(pair));
    });
    const step = left[next];
    if (!step) return undefined;
    left.splice(next, 1);
    steps.push(step);
    held = withValue(held, step.row, step.value);
  }
  return steps;
}
