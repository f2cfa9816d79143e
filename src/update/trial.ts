import type { UpdateProblem } from "./problems";
import type { Storage } from "embedded:storage/key-value";
import type KeyValueStorage from "embedded:storage/key-value";
import Time from "time";
import Timer from "timer";
import type { Build } from "../runtime/build";
import { repeat } from "../runtime/timers";
import { TRIAL_LIMIT_MS } from "./limits";
import type { Slots } from "./types";

/** Domain and key in the storage: what worked when the slot was switched, and what ran then in which slot. */
const PATH = "update";
const KEY = "replaced";

const CHECK_MS = 1_000;

/** What must work after an update if it worked before. */
export interface Working {
  /** `online`: over Ethernet or the configured Wi-Fi; the own access point does not count. */
  readonly network: { readonly online: boolean };
  readonly monitor: { readonly packs: readonly { readonly online: boolean }[] };
}

/** What a trial needs from the device. */
export interface TrialDevice extends Working {
  readonly storage: typeof KeyValueStorage;
  readonly build: Pick<Build, "version" | "build">;
  readonly slots: Pick<Slots, "running">;
  readonly server: { readonly counters: { readonly requests: number } };
  /** Accepts the image: a restart keeps it. */
  confirmUpdate(): void;
  /** Rejects the image: the previous one is started. */
  rejectUpdate(): void;
}

const ONLINE = "n";
const HEARD = "b";
/** Separates what worked from what ran. */
const SEPARATOR = "|";

/** The slot distinguishes the old image from a new one of the same name, the build from one that was written to the same slot by cable. */
const nameOf = ({ build: { version, build }, slots }: Pick<TrialDevice, "build" | "slots">): string =>
  `${version} ${build} ${slots.running}`;

const open = (storage: typeof KeyValueStorage): Storage => storage.open({ path: PATH, format: "string" });

/** Any pack answers. */
const isHeard = ({ packs }: Working["monitor"]): boolean => packs.some(({ online }) => online);

/** Records, before the slot is switched, that the next start is another image's first. Throws if that cannot be stored. */
export function noteReplaced(device: Working & Pick<TrialDevice, "storage" | "build" | "slots">): void {
  const { storage, network, monitor } = device;
  const domain = open(storage);
  try {
    const worked = (network.online ? ONLINE : "") + (isHeard(monitor) ? HEARD : "");
    domain.write(KEY, worked + SEPARATOR + nameOf(device));
  } finally {
    domain.close();
  }
}

/**
 * The trial of a new image on its first start (StartupGuard). It passes once it has answered a request, is online if its predecessor was,
 * and hears the BMS if its predecessor did. After any restart before that, whatever the cause, the bootloader starts the old image. An
 * image that has not passed within TRIAL_LIMIT_MS is rejected.
 */
export class Trial {
  readonly part = "trial";
  private readonly device: TrialDevice;
  private timer: Timer | undefined;
  private readonly started = Time.ticks;
  private readonly worked: string;
  /** Set if the last update was rolled back; otherwise empty. */
  readonly problem: UpdateProblem | "";

  /** Begins the trial; undefined on an ordinary start. */
  static begin(device: TrialDevice): Trial | undefined {
    const replaced = read(device.storage);
    return replaced === undefined ? undefined : new Trial(device, replaced);
  }

  private constructor(device: TrialDevice, replaced: string) {
    this.device = device;
    const end = replaced.indexOf(SEPARATOR);
    this.worked = replaced.slice(0, Math.max(end, 0));
    this.problem = replaced.slice(end + 1) === nameOf(device) ? "rolled-back" : "";
    this.timer = repeat(this, CHECK_MS);
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  tick(): void {
    const { device } = this;
    if (this.isGood) {
      forgetReplaced(device.storage);
      this.close();
      device.confirmUpdate();
    } else if (((Time.ticks - this.started) | 0) >= TRIAL_LIMIT_MS) {
      this.close();
      // After a roll-back this is the old image, which must not be rejected for the new one's failure.
      if (!this.problem) device.rejectUpdate();
    }
  }

  private get isGood(): boolean {
    const { worked } = this;
    const { network, monitor, server } = this.device;
    return (
      server.counters.requests > 0 &&
      (network.online || !worked.includes(ONLINE)) &&
      (isHeard(monitor) || !worked.includes(HEARD))
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

/** The next start is an ordinary one after all. */
export function forgetReplaced(storage: typeof KeyValueStorage): void {
  try {
    const domain = open(storage);
    try {
      domain.delete(KEY);
    } finally {
      domain.close();
    }
  } catch {
    // Reported again after the next start.
  }
}
