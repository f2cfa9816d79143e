/** `npm start`, as a user runs it. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { ENGINE } from "./engines";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The last that it prints until it is ready. */
export const PROMPT = "Ctrl-C ends it.";

interface Started {
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
  /** Ends npm alone. */
  readonly kill: () => void;
  /** Signals npm and everything it started, as a terminal does. */
  readonly signal: (name: NodeJS.Signals) => void;
}

/** `npm start -- …`, until the end of the test: what it printed, and how it ends. */
export function start(...parameters: string[]): Started {
  let printed = "";
  const child = spawn("npm", ["start", "--silent", "--", "--engine", ENGINE, ...parameters], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // No process is left.
    }
  };
  onTestFinished(() => signal("SIGKILL"));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    printed: () => printed,
    ended: new Promise((resolve) => child.once("close", (code) => resolve(code))),
    kill: () => void child.kill("SIGTERM"),
    signal,
  };
}
