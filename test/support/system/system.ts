/** The whole product: simulated board, simulated BMS on its wire, the firmware's own main, on V8 or XS, real sockets. */
import { SimulatedBoard, type BoardOptions } from "../../../host-sim/board";
import { bankOf, type Bank, type BankOptions } from "../../../host-sim/bms/packs";
import { SimulatedBms, type SimulatedBmsOptions } from "../../../host-sim/bms/simulated-bms";
import type { Firmware } from "../../../src/main";
import type { BoardConfig } from "../../../host-sim/config";
import { PATIENCE } from "../patience";
import { bootOn, ENGINE, type Booted, type Engine, type OnXs } from "./engines";
import type { MonitorState, Probes } from "./probes";

export const TOKEN = "0123456789abcdef0123456789abcdef";

/** Virtual ms between checks of a condition. */
const STEP = 50;

/** One turn of the sockets' event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface SystemOptions {
  board?: Omit<BoardOptions, "config"> & { config?: Partial<BoardConfig> };
  bms?: Partial<Omit<SimulatedBmsOptions, "clock" | "wire">>;
  /** Instead of one BMS: several on the wire, with a master or without. `bms` is then the one at address 1. */
  bank?: Partial<Omit<BankOptions, "clock" | "wire">>;
  /** Virtual time stands still; the test advances it with `clock.runFor`. Default: real-time pace. */
  unpaced?: boolean;
  /** Default: the vitest project's. */
  engine?: Engine;
  xs?: OnXs;
  /** Called with the board, and the bank if there is one, before the firmware starts. */
  prepare?: (board: SimulatedBoard, bank: Bank | undefined) => void;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests inspect documents of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
}

export class System {
  /** Runs between steps of virtual time: the sockets, and whatever a test adds here. */
  keepUp: () => Promise<void> = () => turn();
  #stands = false;

  private constructor(
    readonly board: SimulatedBoard,
    readonly bms: SimulatedBms,
    readonly booted: Booted,
    readonly console: string[],
    readonly paced: boolean,
    /** If it was asked for. */
    readonly bank: Bank | undefined,
  ) {}

  static async start({
    board: boardOptions = {},
    bms: bmsOptions = {},
    bank: bankOptions,
    unpaced = false,
    engine = ENGINE,
    xs,
    prepare,
  }: SystemOptions = {}): Promise<System> {
    const lines: string[] = [];
    const board = new SimulatedBoard({
      seed: 1,
      console: (text) => lines.push(text),
      ...boardOptions,
      config: {
        httpPort: 0,
        snmpPort: 0,
        ...boardOptions.config,
        settings: { ...boardOptions.config?.settings, api: { token: TOKEN, ...boardOptions.config?.settings?.api } },
      },
    });
    const { clock, wire } = board;
    const baud = boardOptions.baud !== undefined && { baud: boardOptions.baud };
    const bank = bankOptions && bankOf({ clock, wire, count: 1, ...baud, ...bankOptions });
    const bms = bank?.packs[0] ?? new SimulatedBms({ clock, wire: wire.bms, ...baud, ...bmsOptions });
    prepare?.(board, bank);
    const booted = await bootOn(engine, board, xs);
    if (!unpaced) board.clock.start();
    return new System(board, bms, booted, lines, !unpaced, bank);
  }

  get url(): string {
    return `http://127.0.0.1:${this.probes.port()}`;
  }

  get token(): string {
    return this.probes.token();
  }

  /** The firmware's internals, on either engine. */
  get probes(): Probes {
    return this.booted.probes;
  }

  /** The firmware itself, for tests that run on Node only. Throws on XS. */
  get firmware(): Firmware {
    if (!this.booted.firmware) throw new Error("the firmware runs on XS, in a process of its own: use the probes");
    return this.booted.firmware;
  }

  monitor(): MonitorState {
    return this.probes.monitor();
  }

  /** Cuts the power. */
  stop(): void {
    this.board.clock.stop();
    this.board.powerOff();
  }

  /** Cuts and restores the power. */
  async powerCycle(): Promise<void> {
    this.board.powerOff();
    await this.booted.boot();
  }

  /** Advances virtual time by `ms` at once. */
  skip(ms: number): void {
    this.board.clock.stop();
    this.board.clock.runFor(ms);
    this.#goOn();
  }

  #goOn(): void {
    const { board } = this;
    const { clock } = board;
    // No request is answered while the script is busy, erasing a sector say.
    if (this.#stands) while (board.isPowered && board.script.freeAt > clock.now) clock.runUntil(board.script.freeAt);
    else if (this.paced) clock.start();
  }

  /** Advances virtual time by `ms` while the sockets keep up. */
  async pass(ms: number): Promise<void> {
    const end = this.board.clock.now + ms;
    await this.skipUntil(`${ms} ms have passed`, () => this.board.clock.now >= end, Infinity);
  }

  /** Stops virtual time during `action`, except for what it skips: requests are answered, but no write completes. */
  async whileTimeStands<Result>(action: () => Promise<Result>): Promise<Result> {
    this.stand(true);
    try {
      return await action();
    } finally {
      this.stand(false);
    }
  }

  /** As `whileTimeStands`, with separate calls to stop and continue. */
  stand(stands: boolean): void {
    this.#stands = stands;
    this.board.clock.stop();
    this.#goOn();
  }

  async request(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      json = undefined;
    }
    return { status: response.status, headers: response.headers, text, json };
  }

  /** Asks again, as a browser does, if the device has closed a connection that was idle for long in its own, faster time (RFC 9112, 9.3.1). */
  get(path: string): Promise<Reply> {
    return this.request("GET", path).catch((error: unknown) => {
      const { cause } = error as { cause?: { code?: string; socket?: { bytesRead: number } } };
      const isIdle = cause?.code === "UND_ERR_SOCKET" && cause.socket?.bytesRead;
      // The same, if the request was on its way already.
      if (!isIdle && cause?.code !== "ECONNRESET") throw error;
      return this.request("GET", path);
    });
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.request("POST", path, { body });
  }

  /** Waits until `condition` holds; rejects with `what` after `seconds`. */
  async until(what: string, condition: () => boolean | Promise<boolean>, seconds = PATIENCE / 1000): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await condition())) {
      if (Date.now() > end) throw new Error(`waited ${seconds} s in vain until ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /**
   * Advances virtual time as fast as possible until `condition` holds; rejects with `what` after `seconds` of it. Only for conditions on
   * the BMS and the clock: a real-time peer, such as a browser, gets no time to act.
   */
  async skipUntil(what: string, condition: () => boolean | Promise<boolean>, seconds = 15): Promise<void> {
    const end = this.board.clock.now + seconds * 1000;
    while (!(await condition())) {
      if (this.board.clock.now > end) throw new Error(`${seconds} s went by in vain until ${what}`);
      this.skip(STEP);
      await this.keepUp();
    }
  }

  async untilLoaded(): Promise<void> {
    await this.skipUntil("the settings are loaded", () => this.monitor().configurationLoaded);
  }

  async untilOffline(): Promise<void> {
    await this.skipUntil("the BMS is offline", () => !this.monitor().online);
  }

  /** Waits until the queue is empty and returns its document. */
  async outcome(): Promise<{ lastCommand: string; lastCommandOk: boolean }> {
    let data: { pending: boolean; lastCommand: string; lastCommandOk: boolean } | undefined;
    await this.skipUntil("the write has ended", async () => {
      data = ((await this.get("/api/bms/commands")).json as { data: typeof data }).data;
      return !data?.pending;
    });
    return { lastCommand: data!.lastCommand, lastCommandOk: data!.lastCommandOk };
  }
}
