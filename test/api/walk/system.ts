import { expect } from "vitest";
import type { GroupName, Lacks, SettingsGroups } from "../../../src/settings/types";
import { table } from "../../support/table";
import { ApiClient, type ApiAnswer } from "../../support/system/api-client";

type Awaitable<Type> = Type | Promise<Type>;

/** A running system and the few things of it that cannot be reached over the API. */
export interface SystemUnderTest {
  /** `http://address:port`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly bms: {
    /** False: the BMS answers nothing any more. True: it answers again. */
    setOnline(online: boolean): Awaitable<void>;
    /** True: the BMS leaves every write of a command or setting unanswered, so that it stays pending as long as it may. */
    holdWrites(hold: boolean): Awaitable<void>;
    /** True: the BMS leaves every read of its setup block unanswered, so that the configuration is not loaded after it came online. */
    holdSetup(hold: boolean): Awaitable<void>;
    /**
     * What the BMS holds for a command or setting, by its canonical name: a text for bluetooth_name; 0 or 1 for what is switched; else the
     * number in units of the register's resolution (mV, mA, mAh, 0.1 degrees, cells).
     */
    register(name: string): Awaitable<number | string>;
  };
  /** Changes stored settings of the device, as its settings screen would. */
  configure<Name extends GroupName>(group: Name, change: Partial<SettingsGroups[Name]>): Awaitable<void>;
  /** Lets some of the system's time go by. Default: the walk waits as long as a person would. */
  wait?(): Awaitable<void>;
  stop(): Awaitable<void>;
}

export interface QueueStatus {
  readonly bmsOnline: boolean;
  readonly configurationLoaded: boolean;
  readonly pending: boolean;
  readonly lastCommand: string;
  readonly lastCommandOk: boolean;
}

export const GETS = ["/api", "/api/bms/status", "/api/bms/config", "/api/bms/log", "/api/bms/commands"] as const;
export const POSTS = ["/api/bms/commands", "/api/bms/settings", "/api/relay"] as const;
export type Post = (typeof POSTS)[number];

/** Between two looks at the queue, ms, and how many looks until a change of the BMS is given up for lost. */
const LOOK_PAUSE = 50;
const MAX_LOOKS = 1200;

/** The system while it is walked. */
export class Walk {
  readonly #start: () => Promise<SystemUnderTest>;
  #system: SystemUnderTest | undefined;
  #client: ApiClient | undefined;

  constructor(
    start: () => Promise<SystemUnderTest>,
    readonly lacks: Lacks = {},
  ) {
    this.#start = start;
  }

  /** Without a relay there is no such resource. */
  get posts(): readonly Post[] {
    return this.lacks.relay ? POSTS.filter((path) => path !== "/api/relay") : POSTS;
  }

  async start(): Promise<void> {
    this.#system = await this.#start();
    this.#client = new ApiClient(this.#system);
    await this.rest();
    // Read last, after settings that have to come twice.
    await this.until("the log is read", async () => (await this.client.get("/api/bms/log")).status === 200);
  }

  async stop(): Promise<void> {
    this.#client?.close();
    await this.#system?.stop();
  }

  get system(): SystemUnderTest {
    if (!this.#system) throw new Error("not started");
    return this.#system;
  }

  get client(): ApiClient {
    if (!this.#client) throw new Error("not started");
    return this.#client;
  }

  /** The state every test begins in: API on, relay (if the board has one) fitted and manual, BMS online, setup loaded, nothing pending. */
  async rest(): Promise<void> {
    const { bms } = this.system;
    await Promise.all([
      this.system.configure("api", { enabled: true }),
      this.system.configure("relay", { fitted: true, mode: 0 }),
      this.system.configure("monitoring", { fitted: true }),
    ]);
    await bms.holdWrites(false);
    await bms.holdSetup(false);
    await bms.setOnline(true);
    await this.until("at rest", (queue) => queue.bmsOnline && queue.configurationLoaded && !queue.pending);
  }

  /** A table, each row of which begins at rest. */
  each<const Row>(rows: readonly Row[]): ReturnType<typeof table<Row>> {
    return table(rows, () => this.rest());
  }

  async goOffline(): Promise<void> {
    await this.system.bms.setOnline(false);
    await this.until("offline", (queue) => !queue.bmsOnline);
  }

  /** Online, with a setup that is not read. */
  async unload(): Promise<void> {
    await this.system.bms.holdSetup(true);
    await this.goOffline();
    await this.system.bms.setOnline(true);
    await this.until("online", (queue) => queue.bmsOnline);
  }

  async queue(): Promise<QueueStatus> {
    const { status, json } = await this.client.get("/api/bms/commands");
    expect(status).toBe(200);
    return (json as { data: QueueStatus }).data;
  }

  async until(what: string, reached: (queue: QueueStatus) => Awaitable<boolean>): Promise<QueueStatus> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const queue = await this.queue();
      if (await reached(queue)) return queue;
      if (this.system.wait) await this.system.wait();
      else await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE));
    }
    throw new Error(`never ${what}`);
  }

  /** How the pending write ended. */
  outcome(): Promise<QueueStatus> {
    return this.until("resolved", ({ pending }) => !pending);
  }

  /** A write that is accepted and confirmed by the BMS. */
  async confirm(path: string, members: object): Promise<ApiAnswer> {
    const answer = await this.client.post(path, members);
    expect([answer.status, answer.json], JSON.stringify(members)).toEqual([
      202,
      expect.objectContaining({ success: true, status: "queued" }),
    ]);
    const { lastCommand, lastCommandOk } = await this.outcome();
    expect([lastCommandOk, lastCommand], JSON.stringify(members)).toEqual([true, expect.stringMatching(/./)]);
    return answer;
  }

  /** 409 with this error, and the state of the queue. */
  async refuse(path: string, members: object, error: string | RegExp, pending = false): Promise<void> {
    const { status, json } = await this.client.post(path, members);
    expect([status, json], JSON.stringify(members)).toEqual([
      409,
      {
        success: false,
        error: typeof error === "string" ? error : (expect.stringMatching(error) as string),
        data: { pending },
      },
    ]);
  }

  async configuration(object: string, member: string): Promise<unknown> {
    const { json } = await this.client.get("/api/bms/config");
    return (json as { data: Record<string, Record<string, unknown>> }).data[object]?.[member];
  }
}
