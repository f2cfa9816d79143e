import { spawn } from "node:child_process";
import { PATIENCE } from "./patience";

export interface Ended {
  readonly code: number | null;
  /** Standard output only. */
  readonly stdout: string;
  /** Standard output and standard error, in order of arrival. */
  readonly output: string;
}

/** Runs a program to completion and returns its output; rejects if it cannot be started or does not end within `seconds`. */
export function runProgram(command: string, parameters: readonly string[], seconds = PATIENCE / 1000): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${command} did not end in ${seconds} s`));
    }, seconds * 1000);
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, output });
    });
  });
}
