import type { Reporter, TestModule } from "vitest/node";

/** So many files are named. */
const NAMED = 20;

const seconds = (value: number): string => value.toFixed(1).padStart(8);

/** At the end of a run of several files: the slowest, by the processor time of the file and of all programs that it started. */
export class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      const { processorSeconds = 0 } = module.meta() as { processorSeconds?: number };
      const name = `${module.project.name} ${module.relativeModuleId}`;
      return { name, processor: processorSeconds, clock: (duration + collectDuration) / 1_000 };
    });
    const total = files.reduce((sum, { processor }) => sum + processor, 0);
    console.log(`\nThe slowest of ${files.length} files; all together ${total.toFixed(0)} s of processor time`);
    console.log(`${"processor".padStart(10)} s${"clock".padStart(8)} s`);
    for (const { name, processor, clock } of files.sort((a, b) => b.processor - a.processor).slice(0, NAMED))
      console.log(`${seconds(processor).padStart(12)}${seconds(clock).padStart(10)}  ${name}`);
  }
}
