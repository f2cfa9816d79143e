/** vitest's set-up of each file: what processor time the file takes, with all programs that it starts, for the report at the end of the run. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll } from "vitest";

/** Of /proc/PID/stat a second, on every Linux that Node.js runs on. */
const TICKS = 100;

interface Process {
  readonly parent: number;
  /** Of itself and of the children that it has waited for. */
  readonly ticks: number;
}

/** Throws for a process that has just ended. */
function processOf(pid: number): Process {
  // The name in brackets may have any character.
  const [, fields = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const [, parent, , , , , , , , , , user, system, ofChildren, systemOfChildren] = fields.split(" ").map(Number);
  return { parent: parent!, ticks: user! + system! + ofChildren! + systemOfChildren! };
}

/** Seconds that this worker and its children have taken; 0 where there is no /proc. */
function processorSeconds(): number {
  const all = new Map<number, Process>();
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        all.set(Number(name), processOf(Number(name)));
      } catch {
        // It has ended.
      }
    }
  } catch {
    return 0;
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (all.has(pid) && isOurs(all.get(pid)!.parent));
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (isOurs(pid) ? ticks : 0), 0) / TICKS;
}

/** This file is run anew for each test file, also where these share their worker's modules. */
const before = processorSeconds();
afterAll(({}, file) => void Object.assign(file.meta, { processorSeconds: processorSeconds() - before }));
