import { spawn } from "node:child_process";
import type { OutsidePort } from "./bridge";

const MISSING = "A pseudo-terminal needs socat: sudo apt-get install socat";

/** A pseudo-terminal whose other side other programs open; `path` is what they open. */
export interface Pty extends OutsidePort {
  readonly path: string;
  /** To the process that passes the bytes on. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Makes a pseudo-terminal. Node cannot (it takes ioctls), so socat does and passes the bytes on; it goes away with this process.
 * @param link a name for it beside the one that the system gives; must not exist.
 * Throws an Error that names the package when socat is missing, and one with socat's own words when it fails.
 */
export async function openPty(link?: string): Promise<Pty> {
  const address = `pty,raw,echo=0${link ? `,link=${link}` : ""}`;
  const child = spawn("socat", ["-d", "-d", address, "stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
    // Its own process group: a Ctrl-C at the terminal is for us, and we end it.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  let words = "";
  child.stderr.setEncoding("utf8");
  const path = await new Promise<string>((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? new Error(MISSING) : error));
    child.once("close", () => reject(new Error(`socat ended: ${/ E (.*)/.exec(words)?.[1] ?? "without a word"}`)));
    child.stderr.on("data", (text: string) => {
      words += text;
      // It has set up everything once it transfers.
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
    if (!closing) pty.onFailure?.(new Error("socat ended: the pseudo-terminal is gone"));
  });
  return pty;
}
