import { randomBytes } from "node:crypto";
import type { SimulatedBoard } from "../../../host-sim/board";
import { Digest } from "../../../host-sim/io/crypt";
import { hashPassword } from "../../../host-sim/password";
import type { BmsObserver } from "../../../src/bms/types";
import { Observers } from "../../../src/runtime/observers";
import type { StoredSettings } from "../../../src/settings/settings";
import type { WebDevice } from "../../../src/web/types";
import { Web } from "../../../src/web/web";
import { FakeExchange, type FakeRequest } from "../http/fake-exchange";
import { fakeParts } from "../fakes/fake-parts";
import { FakeMonitor } from "../fakes/fake-monitor";
import { startSettings } from "../fakes/settings";
import { poweredBoard } from "../system/simulated-board";
import { FaultyStorage } from "../fakes/storage";

export const PASSWORD = "correct horse";
/** Hashed with few enough iterations for a single step. */
export const HASH = hashPassword(PASSWORD, 2);
export const GUEST_PASSWORD = "just looking";
export const HOST = "192.0.2.10";

export const random = { get: (length: number): ArrayBuffer => Uint8Array.from(randomBytes(length)).buffer };

class ToldMonitor extends FakeMonitor {
  readonly observers = new Observers<BmsObserver>();
  observe(observer: BmsObserver): void {
    this.observers.add(observer);
  }
}

/** The web interface on fake parts, in virtual time. */
export class WebBench {
  readonly board: SimulatedBoard;
  readonly monitor = new ToldMonitor();
  readonly storage: FaultyStorage;
  readonly settings: StoredSettings;
  /** The parts, for use with other interfaces. */
  readonly options: WebDevice;
  web: Web;
  /** When it started, ms. */
  private started = 0;
  readonly restarts: string[] = [];
  readonly console: string[] = [];
  /** Whether the device's button was pressed recently. */
  pressed = true;

  constructor(options: Partial<WebDevice> = {}, { password = HASH, resources = "/nowhere" } = {}) {
    // Makes the ticks wrap while the tests run.
    this.board = poweredBoard({ ticks: 2 ** 31 - 3_000, resources, console: (text) => void this.console.push(text) });
    this.storage = new FaultyStorage(this.board);
    this.settings = startSettings(this.storage);
    if (password) this.settings.update("web", { password });
    const parts = fakeParts();
    this.options = {
      ...parts,
      network: { ...parts.network, ip: HOST },
      monitor: this.monitor,
      settings: this.settings,
      uptime: () => Math.floor((this.board.clock.now - this.started) / 1000),
      random,
      storage: this.storage,
      makeDigest: () => new Digest("SHA256"),
      statistics: () => undefined,
      restartFor: (cause) => this.restarts.push(cause),
      factoryReset: () => undefined,
      buttonPressed: () => this.pressed,
      ...options,
    };
    this.web = new Web(this.options);
  }

  /** The web interface after a restart of the device. */
  restart(): void {
    this.web.close();
    this.monitor.observers.length = 0;
    (this.settings as unknown as { observers: unknown[] }).observers.length = 0;
    this.started = this.board.clock.now;
    this.web = new Web(this.options);
  }

  ask(request: FakeRequest & { json?: unknown; cookie?: string | undefined }): FakeExchange {
    const { json, cookie, ...rest } = request;
    const exchange = new FakeExchange({
      ...rest,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      headers: {
        host: HOST,
        ...(rest.method && rest.method !== "GET" && { origin: `http://${HOST}` }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...(cookie !== undefined && { cookie }),
        ...rest.headers,
      },
    });
    this.web.answer(exchange);
    return exchange;
  }

  get(path: string, cookie?: string): FakeExchange {
    return this.ask({ path, cookie });
  }

  post(path: string, json: unknown, cookie?: string): FakeExchange {
    return this.ask({ method: "POST", path, json, cookie });
  }

  advance(ms: number): void {
    this.board.clock.runFor(ms);
  }

  /** Waits for a response and returns the time it took, ms. */
  wait(exchange: FakeExchange, limit = 60_000): number {
    let time = 0;
    for (; exchange.open && time < limit; time++) this.advance(1);
    return time;
  }

  attempt(password: string, remoteAddress = "192.0.2.1", guest?: boolean, stay?: boolean): FakeExchange {
    return this.ask({ method: "POST", path: "/web/session", json: { password, guest, stay }, remoteAddress });
  }

  letGuestsIn(): void {
    this.settings.update("access", { guest: hashPassword(GUEST_PASSWORD, 2) });
  }

  /** Cookie header of a new session. */
  signIn(): string {
    return this.cookieOf(this.attempt(PASSWORD));
  }

  /** The same for a guest. */
  signInGuest(address?: string): string {
    this.letGuestsIn();
    return this.cookieOf(this.attempt(GUEST_PASSWORD, address, true));
  }

  /** Cookie header of a session that stays signed in. */
  stay(guest = false): string {
    if (guest && !this.settings.access.guest) this.letGuestsIn();
    return this.cookieOf(this.attempt(guest ? GUEST_PASSWORD : PASSWORD, undefined, guest, true));
  }

  private cookieOf(exchange: FakeExchange): string {
    this.wait(exchange);
    const cookie = exchange.responseHeader("set-cookie");
    if (!cookie) throw new Error(`not signed in: ${exchange.status}`);
    return cookie.split(";")[0] as string;
  }
}
