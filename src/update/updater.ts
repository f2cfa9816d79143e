import type { BodySink, Exchange } from "http-server/types";
import Timer from "timer";
import { ImageCheck, type Digest } from "./image";
import { MIN_IMAGE, RESTART_MS, WAIT_MS } from "./limits";
import type { Slots, SlotWriter, Update, UpdateState } from "./types";

export interface UpdaterOptions {
  readonly slots: Slots;
  readonly device: {
    /** What an image for this device has to hold. */
    readonly build: { readonly chip: number; readonly image: string };
    /** While a write to the BMS is under way nothing goes into the flash, which would hold the script. */
    readonly monitor: { readonly writes: { readonly pending: boolean } };
    /** To be told that the image is about to be started for the first time. Throws when that cannot be remembered. */
    readonly trial: { begin(): void };
  };
  readonly digest: new () => Digest;
  /** The error of the last update, when it was taken back. */
  readonly error?: string;
  readonly onProgress?: () => void;
}

/** How the upload ended, for its answer. */
export type Done = (problem: string) => void;

/**
 * Takes a firmware image from a request's body into the slot that is not running. The slot is switched only when the whole image has been
 * checked; whatever happens before, the running firmware stays. One upload at a time.
 */
export class Updater implements Update {
  readonly #options: UpdaterOptions;
  #upload: Upload | undefined;
  #state: UpdateState = "idle";
  #received = 0;
  #size = 0;
  #error: string;

  constructor(options: UpdaterOptions) {
    this.#options = options;
    this.#error = options.error ?? "";
    if (this.#error) this.#state = "failed";
  }

  get state(): UpdateState {
    return this.#state;
  }

  get received(): number {
    return this.#received;
  }

  get size(): number {
    return this.#size;
  }

  get error(): string {
    return this.#error;
  }

  /**
   * Takes the body of `exchange`, of `size` bytes as its Content-Length tells, and calls `done` once with what is wrong, or with an empty
   * text when the image is in and the device is about to restart. Not when the client has gone.
   * @returns undefined, or why no update can begin now.
   */
  receive(exchange: Exchange, size: number, done: Done): string | undefined {
    const { slots, device, digest } = this.#options;
    if (this.#upload || this.#state === "restarting") return "Another update is under way.";
    if (!(size >= MIN_IMAGE)) return "The image is too small to be firmware.";
    if (size > slots.size) return "The image is too large for its slot.";
    const check = new ImageCheck({ chip: device.build.chip, mark: device.build.image, slot: slots.size }, new digest());
    let writer: SlotWriter;
    try {
      writer = slots.open();
    } catch {
      return this.fail("There is no slot for an update.");
    }
    this.#size = size;
    this.#received = 0;
    this.#error = "";
    this.#state = "receiving";
    this.#upload = new Upload({
      exchange,
      writer,
      check,
      device,
      onTaken: (bytes) => {
        this.#received += bytes;
        this.#options.onProgress?.();
      },
      onEnd: (problem, told) => this.ended(problem, told ? done : undefined),
    });
    exchange.stream(size, this.#upload);
    return undefined;
  }

  private ended(problem: string, done: Done | undefined): void {
    this.#upload = undefined;
    if (problem) this.fail(problem);
    else {
      this.#state = "restarting";
      Timer.set(() => this.#options.slots.restart(), RESTART_MS);
    }
    this.#options.onProgress?.();
    done?.(problem);
  }

  private fail(problem: string): string {
    this.#state = "failed";
    this.#error = problem;
    return problem;
  }
}

interface UploadOptions {
  readonly exchange: Exchange;
  readonly writer: SlotWriter;
  readonly check: ImageCheck;
  readonly device: UpdaterOptions["device"];
  readonly onTaken: (bytes: number) => void;
  /** `told`: the client waits for an answer. */
  readonly onEnd: (problem: string, told: boolean) => void;
}

/** One image on its way into the slot. */
class Upload implements BodySink {
  readonly #options: UploadOptions;
  #waiting: Timer | undefined;
  #open = true;

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  write(bytes: Uint8Array): boolean {
    const { device, check, writer, onTaken } = this.#options;
    if (!this.#open) return true;
    if (device.monitor.writes.pending) {
      this.wait();
      return false;
    }
    if (!check.take(bytes)) this.#end(check.problem, true);
    else {
      try {
        writer.write(bytes);
        onTaken(bytes.length);
      } catch {
        this.#end("The flash could not be written.", true);
      }
    }
    return true;
  }

  end(whole: boolean): void {
    const { check, writer, device } = this.#options;
    if (!this.#open) return;
    if (!whole) return this.#end("The image is longer than announced.", true);
    if (!check.end()) return this.#end(check.problem, true);
    try {
      device.trial.begin();
    } catch {
      return this.#end("The update could not be noted.", true);
    }
    try {
      writer.complete();
    } catch {
      return this.#end("The image was refused by the bootloader's check.", true);
    }
    this.#end("", true);
  }

  abort(): void {
    if (this.#open) this.#end("The upload broke off.", false);
  }

  #end(problem: string, told: boolean): void {
    this.#open = false;
    Timer.clear(this.#waiting);
    this.#waiting = undefined;
    this.#options.writer.close();
    this.#options.onEnd(problem, told);
  }

  private wait(): void {
    this.#waiting ??= Timer.repeat(() => {
      if (this.#options.device.monitor.writes.pending) return;
      Timer.clear(this.#waiting);
      this.#waiting = undefined;
      this.#options.exchange.resume();
    }, WAIT_MS);
  }
}
