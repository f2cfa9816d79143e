/**
 * The Linux build of the firmware (npm run build:xs-linux) as a process of its own, with the SDK's serial, TCP and timer modules, and a
 * simulated BMS in the test's process at the other end of a pseudo-terminal. Real time.
 */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { bridge } from "../../host-sim/bridge";
import { Clock } from "../../host-sim/clock";
import { openPty, type Pty } from "../../host-sim/pty";
import { SimulatedBms, type SimulatedBmsOptions } from "../../host-sim/bms/simulated-bms";
import { Wire } from "../../host-sim/wire";
import type { GroupName, SettingsGroups } from "../../src/settings/types";

export const TOKEN = "0123456789abcdef0123456789abcdef";

/** Slots and bytes of chunks that are alive after a collection; the most slots of stack ever in use; microseconds of processor time. */
export interface Meters {
  readonly slots: number;
  readonly chunks: number;
  readonly stack: number;
  readonly cpu: number;
}

interface Started {
  readonly port: number;
  readonly problems: readonly string[];
}

type Answer = { readonly answer: unknown } | { readonly error: string };

/** The program to test: `npm run test:xs-linux` names it. */
function program(): string {
  const path = process.env["BMS_PROGRAM"];
  if (!path) throw new Error("BMS_PROGRAM names no program: run npm run test:xs-linux");
  return path;
}

export class LinuxSystem {
  /** What the program said beside its answers. */
  readonly console: string[] = [];
  readonly #waiting: ((line: unknown) => void)[] = [];
  readonly #ended: Promise<void>;
  #exit: string | undefined;

  private constructor(
    readonly bms: SimulatedBms,
    readonly clock: Clock,
    readonly pty: Pty,
    readonly process: ChildProcessWithoutNullStreams,
    readonly storage: string,
  ) {
    createInterface(process.stdout).on("line", (line) => {
      if (line.startsWith("{")) this.#waiting.shift()?.(JSON.parse(line));
      else this.console.push(line);
    });
    createInterface(process.stderr).on("line", (line) => this.console.push(line));
    this.#ended = new Promise((resolve) =>
      process.once("close", (code, signal) => {
        this.#exit = `ended with ${code ?? signal}: ${this.console.join("; ")}`;
        resolve();
      }),
    );
  }

  port = 0;

  /** `resources`: the folder of the files that a build embeds. */
  static async start(
    options: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">> = {},
    resources = "build/web",
  ): Promise<LinuxSystem> {
    const clock = new Clock();
    const wire = new Wire(clock, { baud: options.baud ?? 115_200 });
    const bms = new SimulatedBms({ clock, wire: wire.bms, ...options });
    const pty = await openPty();
    bridge(clock, wire.board, pty);
    const storage = mkdtempSync(join(tmpdir(), "bms-storage-"));
    const child = spawn(program(), [], {
      env: {
        BMS_SERIAL: pty.path,
        BMS_HTTP_PORT: "0",
        BMS_STORAGE: storage,
        BMS_RESOURCES: resources,
        BMS_SETTINGS: JSON.stringify({ api: { token: TOKEN } }),
      },
    });
    const system = new LinuxSystem(bms, clock, pty, child, storage);
    clock.start();
    const { port, problems } = (await system.#line()) as Started;
    if (problems.length) throw new Error(problems.join("; "));
    system.port = port;
    return system;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Changes stored settings. They come in over the program's standard input, which only the Linux build listens to. */
  async configure<Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): Promise<void> {
    const problem = await this.order({ order: "configure", group, change });
    if (problem) throw new Error(problem as string);
  }

  meters(): Promise<Meters> {
    return this.order({ order: "memory" }) as Promise<Meters>;
  }

  async order(order: { order: string; [member: string]: unknown }): Promise<unknown> {
    this.process.stdin.write(`${JSON.stringify(order)}\n`);
    const answer = (await this.#line()) as Answer;
    if ("error" in answer) throw new Error(answer.error);
    return answer.answer;
  }

  /** Ends the program; rejects when it has ended before by itself. */
  async stop(): Promise<void> {
    const exit = this.#exit;
    this.process.stdin.end();
    await this.#ended;
    this.bms.close();
    this.clock.stop();
    await this.pty.close();
    rmSync(this.storage, { recursive: true });
    if (exit) throw new Error(`the firmware ${exit}`);
  }

  async #line(): Promise<unknown> {
    const line = new Promise<unknown>((resolve) => this.#waiting.push(resolve));
    const gone = this.#ended.then(() => {
      throw new Error(`the firmware ${this.#exit}`);
    });
    return Promise.race([line, gone]);
  }
}
