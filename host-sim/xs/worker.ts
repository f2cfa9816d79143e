import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stream } from "node:stream";
import { XS_WORKER } from "./engine.mjs";

export interface WorkerOptions {
  /** Handles a call from the script. The message is valid until this returns. */
  readonly onCall: (message: Buffer) => Uint8Array;
  /** Messages from the engine: an unhandled promise rejection, or why it exited. */
  readonly onProblem: (text: string) => void;
  /**
   * A program and its parameters, to run instead of the engine's. It may have events of its own: with a byte on descriptor 5 it
   * requests `attend`. It exits by itself when closed.
   */
  readonly program?: readonly [file: string, ...parameters: string[]];
  readonly onWaiting?: () => void;
  /** A file of `snapshot`, to begin with. */
  readonly image?: string;
}

/** Exit codes of the worker (xsnap-worker.c). */
const ENDS: Readonly<Record<number, string>> = {
  11: "out of memory",
  12: "stack overflow",
  15: "unhandled exception",
  16: "too many keys",
  17: "metering limit",
};

const CALL = "?".charCodeAt(0);
const EXCEPTION = "!".charCodeAt(0);
const COLON = ":".charCodeAt(0);
/** Separates a result's figures from its bytes. */
const SEPARATOR = 1;
const FIRST_BUFFER = 65_536;
/** Descriptor of the program's requests for `attend`. */
const BELL = 5;

/**
 * An xsnap worker process, which runs scripts on XS. Netstrings are exchanged over two named pipes. Everything is
 * synchronous, so that a callback delivered to the script is an ordinary function call on the simulator's clock.
 */
export class XsWorker {
  readonly #options: WorkerOptions;
  readonly #child: ChildProcess;
  readonly #in: number;
  readonly #out: number;
  #buffer = Buffer.alloc(FIRST_BUFFER);
  #start = 0;
  #end = 0;
  #running = false;
  #closed = false;
  #figures = "";
  /** Exit code of the process, once all of its output is there. */
  readonly ended: Promise<number | null>;

  /** Throws if the engine is not installed. */
  constructor(options: WorkerOptions) {
    const [file, ...parameters] = options.program ?? [XS_WORKER, ...(options.image ? ["-r", options.image] : [])];
    if (!existsSync(file)) throw new Error("The XS engine is not installed: run node scripts/xs-engine.mjs");
    this.#options = options;
    const folder = mkdtempSync(join(tmpdir(), "xs-"));
    const down = join(folder, "down");
    const up = join(folder, "up");
    execFileSync("mkfifo", ["-m", "600", down, up]);
    // A named pipe opened for both reading and writing never blocks. Afterwards each process holds one end of each
    // pipe and notices when the other exits.
    const held = [openSync(down, "r+"), openSync(up, "r+")];
    const theirs = [openSync(down, "r"), openSync(up, "w")] as const;
    this.#out = openSync(down, "w");
    this.#in = openSync(up, "r");
    // A process group of its own: Ctrl-C is for this process, which still has to close the script's objects. The worker
    // exits when this process does.
    const bell = options.onWaiting ? (["pipe"] as const) : [];
    this.#child = spawn(file, parameters, {
      stdio: ["ignore", "inherit", "pipe", ...theirs, ...bell],
      detached: true,
    });
    const waiting = (this.#child.stdio as readonly (Stream | null | undefined)[])[BELL];
    waiting?.on("data", () => void (this.#closed || options.onWaiting?.()));
    this.ended = new Promise((resolve) => this.#child.on("close", resolve));
    for (const descriptor of [...held, ...theirs]) closeSync(descriptor);
    rmSync(folder, { recursive: true });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => options.onProblem(text));
    this.#child.on("exit", (code, signal) => {
      if (!this.#closed) options.onProblem(`XS ended: ${ENDS[code ?? -1] ?? signal ?? `exit code ${code}`}\n`);
    });
  }

  /** Process id; undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Slots in use (including garbage) and metered units of the last run; for a delivered callback, the firmware's units
   * only.
   */
  get figures(): { readonly currentHeapCount: number; readonly compute: number } {
    return JSON.parse(this.#figures) as { currentHeapCount: number; compute: number };
  }

  /** Runs a program. Throws an Error with the exception's text. */
  evaluate(program: string): void {
    this.#run("e", Buffer.from(program));
  }

  /** Calls the script's `handleCommand` and returns its result. */
  deliver(message: Uint8Array): Buffer {
    return this.#run("?", message);
  }

  /** Lets the program handle its own events. */
  attend(): void {
    this.#run("m", new Uint8Array(0));
  }

  /** Collects garbage and writes the entire heap to a file. */
  snapshot(file: string): void {
    this.#run("w", Buffer.from(file));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#out);
    closeSync(this.#in);
    if (!this.#options.program) this.#child.kill("SIGKILL");
  }

  #run(command: string, data: Uint8Array): Buffer {
    if (this.#closed) throw new Error("the XS worker is closed");
    if (this.#running) throw new Error("XS is called from within one of its own calls");
    this.#running = true;
    try {
      this.#write(command, data);
      for (;;) {
        const message = this.#message();
        if (message[0] === CALL) this.#write("/", this.#options.onCall(message.subarray(1)));
        else if (message[0] === EXCEPTION) throw new Error(`XS: ${message.toString("utf8", 1)}`);
        else {
          const separator = message.indexOf(SEPARATOR, 1);
          this.#figures = message.toString("latin1", 1, separator);
          return Buffer.from(message.subarray(separator + 1));
        }
      }
    } finally {
      this.#running = false;
    }
  }

  #write(command: string, data: Uint8Array): void {
    const head = Buffer.from(`${data.length + 1}:${command}`, "latin1");
    const netstring = Buffer.concat([head, data, Buffer.from(",")]);
    for (let written = 0; written < netstring.length;) written += writeSync(this.#out, netstring, written);
  }

  #message(): Buffer {
    let colon: number;
    while ((colon = this.#buffer.subarray(this.#start, this.#end).indexOf(COLON)) < 0) this.#fill();
    const length = Number(this.#buffer.toString("latin1", this.#start, this.#start + colon));
    while (this.#end - this.#start < colon + 1 + length + 1) this.#fill();
    const at = this.#start + colon + 1;
    this.#start = at + length + 1;
    return this.#buffer.subarray(at, at + length);
  }

  #fill(): void {
    if (this.#start) {
      this.#buffer.copy(this.#buffer, 0, this.#start, this.#end);
      this.#end -= this.#start;
      this.#start = 0;
    }
    if (this.#end === this.#buffer.length) this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(this.#end)]);
    const count = readSync(this.#in, this.#buffer, this.#end, this.#buffer.length - this.#end, null);
    if (!count) throw new Error("XS ended: see its next message");
    this.#end += count;
  }
}
