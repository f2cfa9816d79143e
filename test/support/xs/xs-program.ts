/** A program of the Linux build (linux/main.c) as a process: its greeting, and the commands it accepts (linux/console.js). */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { createInterface } from "node:readline";

/** Live slots, and bytes of live chunks, after a collection. */
export interface Memory {
  readonly slots: number;
  readonly chunks: number;
}

/** Also the peak of stack slots. */
export interface Meters extends Memory {
  readonly stack: number;
}

/** A program's first line of output. */
export interface Greeting {
  readonly port: number;
  readonly problems?: readonly string[];
  /** Memory of engine and program before it ran. */
  readonly before: Memory;
}

/** The program's ends of `clock`. */
export const CLOCK_DESCRIPTORS = "3,4";

type Answer = { readonly answer: unknown } | { readonly error: string };

export class XsProgram {
  /** Output of the program other than replies. */
  readonly console: string[] = [];
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: ((line: unknown) => void)[] = [];
  readonly #ended: Promise<void>;
  #greeting: Greeting | undefined;
  #exit: string | undefined;

  private constructor(path: string, environment: Record<string, string>) {
    const child = spawn(path, [], {
      env: environment,
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe"],
    });
    this.#process = child;
    createInterface(child.stdout).on("line", (line) => {
      if (line.startsWith("{")) this.#waiting.shift()?.(JSON.parse(line));
      else this.console.push(line);
    });
    createInterface(child.stderr).on("line", (line) => this.console.push(line));
    child.stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      child.once("error", (error) => this.console.push(error.message));
      child.once("close", (code, signal) => {
        this.#exit = `ended with ${code ?? signal}: ${this.console.join("; ")}`;
        resolve();
      });
    });
  }

  /** Resolves when the program has started. */
  static async start(path: string, environment: Record<string, string>): Promise<XsProgram> {
    const program = new XsProgram(path, environment);
    program.#greeting = (await program.#line()) as Greeting;
    return program;
  }

  /** Its descriptors for BMS_CLOCK: CLOCK_DESCRIPTORS. */
  get clock(): { readonly steps: Writable; readonly reports: Readable } {
    const [, , , steps, reports] = this.#process.stdio as readonly unknown[];
    return { steps: steps as Writable, reports: reports as Readable };
  }

  get greeting(): Greeting {
    return this.#greeting!;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.greeting.port}`;
  }

  /** How it ended; undefined while running. */
  get exit(): string | undefined {
    return this.#exit;
  }

  meters(): Promise<Meters> {
    return this.order({ order: "memory" }) as Promise<Meters>;
  }

  /** CPU time of the process, microseconds. */
  cpu(): Promise<number> {
    return this.order({ order: "cpu" }) as Promise<number>;
  }

  async order(order: { order: string; [member: string]: unknown }): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(order)}\n`);
    const answer = (await this.#line()) as Answer;
    if ("error" in answer) throw new Error(answer.error);
    return answer.answer;
  }

  /** Resolves to how it exited, once it has done so by itself. */
  async ended(): Promise<string> {
    await this.#ended;
    return this.#exit!;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Ends the program; rejects if it has already exited. */
  async stop(): Promise<void> {
    const exit = this.#exit;
    this.#process.stdin.end();
    await this.#ended;
    if (exit) throw new Error(`the program ${exit}`);
  }

  async #line(): Promise<unknown> {
    const line = new Promise<unknown>((resolve) => this.#waiting.push(resolve));
    const gone = this.#ended.then(() => {
      throw new Error(`the program ${this.#exit}`);
    });
    return Promise.race([line, gone]);
  }
}
