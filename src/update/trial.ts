import type { Storage } from "embedded:storage/key-value";
import type KeyValueStorage from "embedded:storage/key-value";
import Timer from "timer";
import { repeat } from "../parts/timers";
import { TRIAL_LIMIT_MS, TRIAL_MS } from "./limits";
import type { Slots } from "./types";

/** The storage's domain and key: the version that was running when the slot was switched. */
const PATH = "update";
const KEY = "replaced";

const CHECK_MS = 1_000;

interface Build {
  readonly version: string;
  readonly build: string;
}

/** What a trial is about. */
export interface TrialDevice {
  readonly storage: typeof KeyValueStorage;
  readonly slots: Pick<Slots, "confirm" | "reject">;
  /** What is running. */
  readonly build: Build;
  /** What is to work. */
  readonly network: { readonly ip: string };
  readonly server: { readonly counters: { readonly requests: number } };
  readonly monitor: { readonly online: boolean };
  /** The image is good: there is nothing more to be done. */
  trialEnded(): void;
}

const nameOf = ({ version, build }: Build): string => `${version} ${build}`;

const open = (storage: typeof KeyValueStorage): Storage => storage.open({ path: PATH, format: "string" });

/** The slot is about to be switched: the next start is the first of another image. Throws when that cannot be stored. */
export function noteReplaced(storage: typeof KeyValueStorage, build: Build): void {
  const domain = open(storage);
  try {
    domain.write(KEY, nameOf(build));
  } finally {
    domain.close();
  }
}

/**
 * The first start of a new image (StartupGuard): it is good when it has an address, has served HTTP and has heard the BMS, or when it has
 * an address and has run for TRIAL_MS. Any restart before that, of whatever cause, and the bootloader starts the old image again. Without network for TRIAL_LIMIT_MS it is
 * given up.
 */
export class Trial {
  private readonly device: TrialDevice;
  private timer: Timer | undefined;
  private elapsed = 0;
  /** What became of the last update, when it was taken back; empty: nothing to tell. */
  readonly problem: string;

  /** Begins the trial; undefined when this start is an ordinary one. */
  static begin(device: TrialDevice): Trial | undefined {
    const replaced = read(device.storage);
    return replaced === undefined ? undefined : new Trial(device, replaced);
  }

  private constructor(device: TrialDevice, replaced: string) {
    this.device = device;
    this.problem =
      replaced === nameOf(device.build)
        ? "The firmware is the one from before the update: the new one did not start well, or is the same."
        : "";
    this.timer = repeat(this, CHECK_MS);
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  tick(): void {
    const device = this.device;
    const proven = device.server.counters.requests > 0 && device.monitor.online;
    this.elapsed += CHECK_MS;
    if (device.network.ip && (proven || this.elapsed >= TRIAL_MS)) {
      device.slots.confirm();
      forget(device.storage);
      this.close();
      device.trialEnded();
    } else if (this.elapsed >= TRIAL_LIMIT_MS) {
      this.close();
      device.slots.reject();
    }
  }
}

function read(storage: typeof KeyValueStorage): string | undefined {
  try {
    const domain = open(storage);
    try {
      return domain.read(KEY) as string | undefined;
    } finally {
      domain.close();
    }
  } catch {
    return undefined;
  }
}

function forget(storage: typeof KeyValueStorage): void {
  try {
    const domain = open(storage);
    try {
      domain.delete(KEY);
    } finally {
      domain.close();
    }
  } catch {
    // Told again after the next start.
  }
}
