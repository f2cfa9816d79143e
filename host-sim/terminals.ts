import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import type { OutsidePort } from "./bridge";
import { MISSING } from "./pty";

/** Looks every 20 ms whether a program has opened the terminal, and ends when it has closed it. */
const SOCAT = ["-d", "-d", "-t", "0", "pty,raw,echo=0,wait-slave,pty-interval=0.02", "stdio"];
/** While socat waits for a program it does not notice that this process is gone: the end of descriptor 3 without a line says so. */
const RELAY = '{ read -r _ || kill $$; } <&3 >/dev/null 2>&1 & exec socat "$@" 3<&-';

/** Pseudo-terminals for other programs, which open `path`. */
export interface Terminals extends OutsidePort {
  readonly path: string;
  /** Programs that have one open. */
  readonly programs: number;
}

/**
 * Pseudo-terminals that behave as an adapter: what passes while no program has one open is lost, and so is what a program does not read.
 * Each program that opens `path` gets one of its own; the next is always waiting. socat makes them, as in pty.ts.
 * Throws an Error that names the package if socat is missing, and one with socat's message if it fails.
 */
export async function openTerminals(): Promise<Terminals> {
  const folder = mkdtempSync(join(tmpdir(), "bms-"));
  const path = join(folder, "bus");
  const relays = new Set<ChildProcessWithoutNullStreams>();
  const open = new Set<ChildProcessWithoutNullStreams>();
  let closing = false;
  const terminals: Terminals = {
    path,
    get programs() {
      return open.size;
    },
    onBytes: undefined,
    onFailure: undefined,
    write(bytes) {
      // What a program leaves unread would fill this process's memory.
      for (const { stdin } of open) if (!stdin.writableNeedDrain) stdin.write(bytes);
    },
    async close() {
      closing = true;
      const ended = [...relays].map((relay) => {
        relay.kill("SIGTERM");
        return new Promise((resolve) => relay.once("close", resolve));
      });
      await Promise.all(ended);
      rmSync(folder, { recursive: true, force: true });
    },
  };

  const point = (terminal: string): void => {
    symlinkSync(terminal, `${path}.next`);
    renameSync(`${path}.next`, path);
  };

  const fail = (error: Error): void => {
    if (!closing) terminals.onFailure?.(error);
  };

  /** Makes the terminal that the next program opens. */
  const prepare = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const relay = spawn("/bin/sh", ["-c", RELAY, "sh", ...SOCAT], {
        stdio: ["pipe", "pipe", "pipe", "pipe"],
        // A process group of its own: Ctrl-C at the terminal reaches only us, and we stop socat.
        detached: true,
      });
      const alive = relay.stdio[3] as Writable;
      for (const stream of [relay.stdin, alive]) stream.on("error", () => undefined);
      relay.once("exit", () => alive.end("\n"));
      let words = "";
      let made = false;
      relays.add(relay);
      relay.stdout.on("data", (bytes: Uint8Array) => terminals.onBytes?.(bytes));
      relay.once("close", () => {
        relays.delete(relay);
        if (open.delete(relay)) return;
        const why = words.includes("socat: not found")
          ? MISSING
          : `socat ended: ${/ E (.*)/.exec(words)?.[1] ?? "no message"}`;
        const error = new Error(why);
        reject(error);
        if (made) fail(error);
      });
      relay.stderr.setEncoding("utf8").on("data", (text: string) => {
        if (open.has(relay)) return;
        words += text;
        const terminal = made ? undefined : /PTY is (\S+)/.exec(words)?.[1];
        if (terminal !== undefined) {
          made = true;
          point(terminal);
          resolve();
        }
        if (!words.includes("starting data transfer")) return;
        open.add(relay);
        if (!closing) prepare().catch(fail);
      });
    });

  try {
    await prepare();
  } catch (error) {
    await terminals.close();
    throw error;
  }
  return terminals;
}
