import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../host-sim/clock";
import type { WireEnd } from "../../host-sim/wire";

/** A pseudo-terminal on the board's end of a wire, for real Modbus programs to open. */
export interface Pty {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Joins `end` to a new pseudo-terminal (made by socat, Debian package `socat`). The clock must keep pace with real time.
 * Rejects with socat's words when it cannot.
 */
export async function openPty(clock: Clock, end: WireEnd): Promise<Pty> {
  const folder = mkdtempSync(join(tmpdir(), "bms-pty-"));
  const path = join(folder, "tty");
  const socat = spawn("socat", ["-d", "-d", "STDIO", `PTY,rawer,link=${path}`], { stdio: "pipe" });
  const ended = new Promise<void>((resolve) => socat.once("close", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let words = "";
    socat.once("error", () => reject(new Error("socat is missing: apt-get install socat")));
    socat.once("exit", () => reject(new Error(`socat ended: ${words}`)));
    socat.stderr.on("data", (text: Buffer) => {
      words += text.toString();
      if (words.includes("starting data transfer")) resolve();
    });
  });
  // Held open, so that a program that closes it is no end of file for socat.
  const held = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  socat.stdout.on("data", (bytes: Buffer) => clock.external(() => end.send(bytes)));
  end.onByte = (byte) => socat.stdin.write(Uint8Array.of(byte));
  return {
    path,
    close: async () => {
      closeSync(held);
      socat.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
