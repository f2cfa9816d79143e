import { spawn } from "node:child_process";
import type { OutsidePort } from "./bridge";

export const MISSING = "A pseudo-terminal needs socat: sudo apt-get install socat";

/** A pseudo-terminal; other programs open its other side at `path`. */
export interface Pty extends OutsidePort {
  readonly path: string;
  /** Stream to the process that relays the bytes. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Creates a pseudo-terminal. Node cannot (it requires ioctls), so socat creates it and relays the bytes; it exits with
 * this process.
 * @param link symbolic link to the terminal; must not exist.
 * Throws an Error that names the package if socat is missing, and one with socat's message if it fails.
 */
export async function openPty(link?: string): Promise<Pty> {
  const address = `pty,raw,echo=0${link ? `,link=${link}` : ""}`;
  const child = spawn("socat", ["-d", "-d", address, "stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
    // A process group of its own: Ctrl-C at the terminal reaches only us, and we stop socat.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  let words = "";
  child.stderr.setEncoding("utf8");
  const path = await new Promise<string>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? new Error(MISSING) : error));
    child.once("close", () => reject(new Error(`socat ended: ${/ E (.*)/.exec(words)?.[1] ?? "no message"}`)));
    child.stderr.on("data", (text: string) => {
      words += text;
      // socat is ready once it starts transferring.
      const match = /PTY is (\S+)[\s\S]*starting data transfer/.exec(words);
      if (match?.[1]) resolve(match[1]);
    });
  });
  child.stderr.removeAllListeners("data").resume();
  let closing = false;
  const pty: Pty = {
    path: link ?? path,
    onBytes: undefined,
    onFailure: undefined,
    write: (bytes) => void child.stdin.write(bytes),
    signal: (name) => void child.kill(name),
    close: async () => {
      closing = true;
      child.kill("SIGTERM");
      await gone;
    },
  };
  child.stdout.on("data", (bytes: Uint8Array) => pty.onBytes?.(bytes));
  child.stdin.on("error", () => undefined);
  void gone.then(() => {
    if (!closing) pty.onFailure?.(new Error("socat ended: the pseudo-terminal is closed"));
  });
  return pty;
}
