/** What the BMS's preset for a chemistry would change, and in which order it can be written. */
import type { Config } from "./documents";
import { conflicts, preset, type Conflict } from "./protection";
import { PARAMETERS, type ParameterRow } from "./tables";

export interface PresetStep {
  readonly row: ParameterRow;
  readonly old: number;
  readonly value: number;
}

/** Whether every limit of the preset is as it was in `before`, but for those of `done`: a BMS is read again some time after a write. */
export const isAsBefore = (
  batteryType: string,
  before: Config,
  now: Config | undefined,
  done: readonly PresetStep[],
): boolean =>
  PARAMETERS.every(({ name, object, member }) => {
    const value = now?.[object][member];
    const wasWritten = done.some(({ row, value: written }) => row.name === name && written === value);
    return wasWritten || value === before[object][member] || !preset(name, batteryType).length;
  });

/** `config` with the limit set to `value`. */
const withValue = (config: Config, { object, member }: ParameterRow, value: number): Config => ({
  ...config,
  [object]: { ...config[object], [member]: value },
});

/**
 * The writes that turn `config` into the preset for `batteryType` ("LiFePO4", "Li-ion"), only of what differs. After none of them is a
 * pair of limits out of order that was not before: there is always such an order. Of the limits that rise, the topmost has nothing above
 * it but limits that have arrived or come down from higher up; of those that fall, likewise the lowest.
 */
export function presetSteps(batteryType: string, config: Config): PresetStep[] {
  const left = PARAMETERS.flatMap((row): PresetStep[] => {
    const [target] = preset(row.name, batteryType);
    const old = Number(config[row.object][row.member]);
    return target && old !== target[1] ? [{ row, old, value: target[1] }] : [];
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
    for (const step of left.splice(next, 1)) {
      steps.push(step);
      held = withValue(held, step.row, step.value);
    }
  }
  return steps;
}
