import type { UpdateProblem } from "./problems";
import type { Storage } from "embedded:storage/key-value";
import type KeyValueStorage from "embedded:storage/key-value";
import Timer from "timer";
import { repeat } from "../parts/timers";
import { TRIAL_LIMIT_MS } from "./limits";

/** The storage's domain and key: how the device was when the slot was switched, and the version that was running. */
const PATH = "update";
const KEY = "replaced";

const CHECK_MS = 1_000;

interface Build {
  readonly version: string;
  readonly build: string;
}

/** What has to work after an update, if it did before. */
export interface Working {
  /** `online`: over the cable or the chosen Wi-Fi; the own access point is not enough. */
  readonly network: { readonly online: boolean };
  readonly monitor: { readonly online: boolean };
}

/** What a trial is about. */
export interface TrialDevice extends Working {
  readonly storage: typeof KeyValueStorage;
  /** What is running. */
  readonly build: Build;
  readonly server: { readonly counters: { readonly requests: number } };
  /** The image is good: a restart is to keep it. */
  confirmUpdate(): void;
  /** The image is bad: the one before is to be started. */
  rejectUpdate(): void;
}

const ONLINE = "n";
const HEARD = "b";
/** Between these and the version. */
const SEPARATOR = "|";

const nameOf = ({ version, build }: Build): string => `${version} ${build}`;

const open = (storage: typeof KeyValueStorage): Storage => storage.open({ path: PATH, format: "string" });

/** The slot is about to be switched: the next start is the first of another image. Throws when that cannot be stored. */
export function noteReplaced({
  storage,
  build,
  network,
  monitor,
}: Working & Pick<TrialDevice, "storage" | "build">): void {
  const domain = open(storage);
  try {
    const worked = (network.online ? ONLINE : "") + (monitor.online ? HEARD : "");
    domain.write(KEY, worked + SEPARATOR + nameOf(build));
  } finally {
    domain.close();
  }
}

/**
 * The first start of a new image (StartupGuard): it is good when it has answered a request, is online if the one before was, and hears
 * the BMS if the one before did. Any restart before that, of whatever cause, and the bootloader starts the old image again. What has
 * not become good within TRIAL_LIMIT_MS is given up.
 */
export class Trial {
  private readonly device: TrialDevice;
  private timer: Timer | undefined;
  private elapsed = 0;
  private readonly worked: string;
  /** What became of the last update, when it was taken back; empty: nothing to tell. */
  readonly problem: UpdateProblem | "";

  /** Begins the trial; undefined when this start is an ordinary one. */
  static begin(device: TrialDevice): Trial | undefined {
    const replaced = read(device.storage);
    return replaced === undefined ? undefined : new Trial(device, replaced);
  }

  private constructor(device: TrialDevice, replaced: string) {
    this.device = device;
    const end = replaced.indexOf(SEPARATOR);
    this.worked = replaced.slice(0, Math.max(end, 0));
    this.problem = replaced.slice(end + 1) === nameOf(device.build) ? "rolled-back" : "";
    this.timer = repeat(this, CHECK_MS);
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  tick(): void {
    const { device } = this;
    this.elapsed += CHECK_MS;
    if (this.isGood) {
      forget(device.storage);
      this.close();
      device.confirmUpdate();
    } else if (this.elapsed >= TRIAL_LIMIT_MS) {
      this.close();
      // The image before is not given up for what went wrong with the new one.
      if (!this.problem) device.rejectUpdate();
    }
  }

  private get isGood(): boolean {
    const { worked } = this;
    const { network, monitor, server } = this.device;
    return (
      server.counters.requests > 0 &&
      (network.online || !worked.includes(ONLINE)) &&
      (monitor.online || !worked.includes(HEARD))
    );
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
