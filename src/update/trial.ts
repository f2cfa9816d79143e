import type { Storage } from "embedded:storage/key-value";
import type KeyValueStorage from "embedded:storage/key-value";
import Timer from "timer";
import { TRIAL_LIMIT_MS, TRIAL_MS } from "./limits";
import type { Slots } from "./types";

/** The storage's domain and key: the version that was running when the slot was switched. */
const PATH = "update";
const KEY = "replaced";

const CHECK_MS = 1_000;

export interface TrialOptions {
  readonly storage: typeof KeyValueStorage;
  readonly slots: Pick<Slots, "confirm" | "reject">;
  /** What is to work. */
  readonly device: {
    readonly build: { readonly version: string; readonly build: string };
    readonly network: { readonly ip: string };
    readonly server: { readonly counters: { readonly requests: number } };
    readonly monitor: { readonly online: boolean };
  };
}

/**
 * The first start of a new image (StartupGuard): it is good when it has an address, has served HTTP and has heard the BMS, or when it has
 * an address and has run for TRIAL_MS. Any restart before that, of whatever cause, and the bootloader starts the old image again. Without network for TRIAL_LIMIT_MS it is
 * given up.
 */
export class Trial {
  readonly #options: TrialOptions;
  #storage: Storage | undefined;
  #timer: Timer | undefined;
  #elapsed = 0;
  /** The image under trial has not proved itself yet. */
  active = false;
  /** What became of the last update, when it was taken back; empty: nothing to tell. */
  readonly problem: string = "";

  constructor(options: TrialOptions) {
    this.#options = options;
    const replaced = this.read();
    if (replaced === undefined) return;
    if (replaced === this.running)
      this.problem = "The firmware is the one from before the update: the new one did not start well, or is the same.";
    this.active = true;
    this.#timer = Timer.repeat(() => this.check(), CHECK_MS);
  }

  /** The slot is about to be switched. Throws when that cannot be stored. */
  begin(): void {
    if (!this.#storage) throw new Error("no storage");
    this.#storage.write(KEY, this.running);
  }

  close(): void {
    Timer.clear(this.#timer);
    this.#timer = undefined;
  }

  /** What is running now. */
  private get running(): string {
    const { version, build } = this.#options.device.build;
    return `${version} ${build}`;
  }

  private check(): void {
    const { slots, device } = this.#options;
    const proven = device.server.counters.requests > 0 && device.monitor.online;
    this.#elapsed += CHECK_MS;
    if (device.network.ip && (proven || this.#elapsed >= TRIAL_MS)) {
      slots.confirm();
      this.active = false;
      this.forget();
      this.close();
    } else if (this.#elapsed >= TRIAL_LIMIT_MS) {
      this.close();
      slots.reject();
    }
  }

  private read(): string | undefined {
    try {
      this.#storage = this.#options.storage.open({ path: PATH, format: "string" });
      return this.#storage.read(KEY) as string | undefined;
    } catch {
      return undefined;
    }
  }

  private forget(): void {
    try {
      this.#storage?.delete(KEY);
    } catch {
      // Told again after the next start.
    }
  }
}
