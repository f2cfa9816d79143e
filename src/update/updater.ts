import type { BodySink, Exchange } from "http-server/types";
import Timer from "timer";
import { laterOrNow, repeat } from "../runtime/timers";
import type { EventLog } from "../events/types";
import { hexBytes } from "../runtime/hex";
import { ImageCheck, type Digest, type ImageDemands } from "./image";
import { MIN_IMAGE, RESTART_MS, WAIT_MS } from "./limits";
import type { UpdateProblem } from "./problems";
import { isOlder } from "./version";
import type { Slots, SlotWriter, Update, UpdateState } from "./types";

/** What the updater needs from the device. */
export interface UpdaterDevice {
  readonly slots: Slots;
  /** Requirements an image for this device must meet. */
  readonly build: {
    readonly chip: number;
    readonly image: string;
    readonly version: string;
    readonly updateKey: string;
  };
  readonly events?: Pick<EventLog, "add">;
  /** Trial of the running image; with a `problem` it is the previous image, after a roll-back. */
  readonly trial?: { readonly problem: string } | undefined;
  /** Flash is not written while a write to the BMS is pending: it would block the script. */
  readonly monitor: { readonly writes: { readonly pending: boolean } };
  /** Called before an image is started for the first time. Throws if that cannot be stored. */
  noteUpdate(): void;
  /** The image noted will not be started after all. */
  forgetUpdate(): void;
  /** Stops the firmware and starts the image. */
  restartFor(cause: "update"): void;
  /** Makes a SHA-256. */
  makeDigest(): Digest;
  /** See modules/signature. */
  readonly verify: ImageDemands["verify"];
}

/** Query that also accepts an image older than the running firmware. */
const OLDER = "older=1";

/** Called with the result of the upload, for the response. */
export type Done = (problem: string) => void;

/** Stands for an unreadable key, which verifies nothing. */
const NO_KEY = new Uint8Array(0);

const IDLE: Update = Object.freeze({ state: "idle", received: 0, size: 0, error: "" }, true);

/**
 * Writes a firmware image from a request's body to the inactive slot. The slot is switched only once the whole image has been verified;
 * until then the running firmware stays. One upload at a time.
 */
export class Updater implements Update {
  private readonly device: UpdaterDevice;
  /** The current upload, or the result of the last one. */
  private last = IDLE;

  constructor(device: UpdaterDevice) {
    this.device = device;
  }

  /** The last update was rolled back: `error`. */
  report(error: UpdateProblem | ""): void {
    if (error) this.last = failed(error);
  }

  get state(): UpdateState {
    return this.last.state;
  }

  /** From the first byte to the restart. */
  get isRunning(): boolean {
    const { state } = this.last;
    return state === "receiving" || state === "restarting";
  }

  get signed(): boolean {
    return this.device.build.updateKey !== "";
  }

  get received(): number {
    return this.last.received;
  }

  get size(): number {
    return this.last.size;
  }

  get error(): string {
    return this.last.error;
  }

  /**
   * Takes the body of `exchange`, `size` bytes by its Content-Length, and calls `done` once: with the problem, or with an empty string once
   * the image is in place and the device is about to restart. `done` is not called if the client has gone.
   * @returns undefined, or why no update can begin now
   */
  receive(exchange: Exchange, size: number, done: Done): string | undefined {
    const device = this.device;
    const { slots, build, trial } = device;
    // ESP-IDF keeps the other slot for the roll-back while the running image is on trial.
    if (this.isRunning || trial?.problem === "") return "update-running";
    if (!(size >= MIN_IMAGE)) return "image-too-small";
    const slot = slots.size;
    if (size > slot) return "image-too-large";
    let writer: SlotWriter;
    try {
      writer = slots.open();
    } catch {
      this.last = failed("no-slot");
      return this.last.error;
    }
    const { chip, image, version, updateKey } = build;
    const demands = {
      chip,
      mark: `${image.split(":")[0]}:`,
      version: exchange.query === OLDER ? undefined : version,
      slot,
      key: this.signed ? (hexBytes(updateKey) ?? NO_KEY) : undefined,
      verify: device.verify,
    };
    const check = new ImageCheck(demands, device.makeDigest());
    const onEnd = (ended: Update, respond: boolean): void => {
      this.last = ended;
      if (!ended.error && isOlder(check.version, version)) device.events?.add(`older-update\t${check.version}`);
      if (respond) done(ended.error);
      if (!ended.error) laterOrNow(() => device.restartFor("update"), RESTART_MS);
    };
    const upload = new Upload({ device, exchange, writer, check, size, onEnd });
    this.last = upload;
    exchange.stream(size, upload);
    return undefined;
  }
}

const failed = (error: UpdateProblem | "", received = 0, size = 0): Update => ({
  state: "failed",
  received,
  size,
  error,
});

interface UploadOptions {
  readonly device: UpdaterDevice;
  readonly exchange: Exchange;
  readonly writer: SlotWriter;
  readonly check: ImageCheck;
  readonly size: number;
  /** `respond`: the client is waiting for a response. */
  readonly onEnd: (ended: Update, respond: boolean) => void;
}

/** An image being written to the slot. */
class Upload implements BodySink, Update {
  readonly state = "receiving";
  readonly error = "";
  private readonly options: UploadOptions;
  received = 0;
  private waiting: Timer | undefined;
  private open = true;

  constructor(options: UploadOptions) {
    this.options = options;
  }

  get size(): number {
    return this.options.size;
  }

  write(bytes: Uint8Array): boolean {
    const { device, check, writer } = this.options;
    if (!this.open) return true;
    if (device.monitor.writes.pending) {
      this.waiting ??= repeat(this, WAIT_MS);
      return false;
    }
    if (!check.take(bytes)) this._end(check.problem, true);
    else {
      try {
        writer.write(bytes);
        this.received += bytes.length;
      } catch {
        this._end("flash-write", true);
      }
    }
    return true;
  }

  end(whole: boolean): void {
    const { check, writer, device } = this.options;
    if (!this.open) return;
    if (!whole) return this._end("image-too-long", true);
    if (!check.end()) return this._end(check.problem, true);
    try {
      device.noteUpdate();
    } catch {
      return this._end("not-noted", true);
    }
    try {
      writer.complete();
    } catch {
      device.forgetUpdate();
      return this._end("image-refused", true);
    }
    this._end("", true);
  }

  abort(): void {
    if (this.open) this._end("upload-ended", false);
  }

  /** Resumes once the write to the BMS has ended. */
  tick(): void {
    const { device, exchange } = this.options;
    if (device.monitor.writes.pending) return;
    this.stopWaiting();
    exchange.resume();
  }

  private _end(error: UpdateProblem | "", respond: boolean): void {
    const { received, size } = this;
    this.open = false;
    this.stopWaiting();
    this.options.writer.close();
    this.options.onEnd(error ? failed(error, received, size) : { state: "restarting", received, size, error }, respond);
  }

  private stopWaiting(): void {
    Timer.clear(this.waiting);
    this.waiting = undefined;
  }
}
