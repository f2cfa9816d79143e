import type { BodySink, Exchange } from "http-server/types";
import Timer from "timer";
import { repeat } from "../parts/timers";
import type { EventLog } from "../events/types";
import { hexBytes } from "../parts/hex";
import { ImageCheck, type Digest, type ImageDemands } from "./image";
import { MIN_IMAGE, RESTART_MS, WAIT_MS } from "./limits";
import type { UpdateProblem } from "./problems";
import { isOlder } from "./version";
import type { Slots, SlotWriter, Update, UpdateState } from "./types";

/** What is updated. */
export interface UpdaterDevice {
  readonly slots: Slots;
  /** What an image for this device has to hold. */
  readonly build: {
    readonly chip: number;
    readonly image: string;
    readonly version: string;
    readonly updateKey: string;
  };
  readonly events?: Pick<EventLog, "add">;
  /** While a write to the BMS is under way nothing goes into the flash, which would hold the script. */
  readonly monitor: { readonly writes: { readonly pending: boolean } };
  /** To be told that the image is about to be started for the first time. Throws when that cannot be remembered. */
  noteUpdate(): void;
  /** A SHA-256. */
  makeDigest(): Digest;
  /** See modules/signature. */
  readonly verify: ImageDemands["verify"];
}

/** The query that also takes an image older than the firmware that runs. */
const OLDER = "older=1";

/** How the upload ended, for its answer. */
export type Done = (problem: string) => void;

/** A key that cannot be read signs nothing. */
const NO_KEY = new Uint8Array(0);

const IDLE: Update = Object.freeze({ state: "idle", received: 0, size: 0, error: "" }, true);

/**
 * Takes a firmware image from a request's body into the slot that is not running. The slot is switched only when the whole image has been
 * checked; whatever happens before, the running firmware stays. One upload at a time.
 */
export class Updater implements Update {
  private readonly device: UpdaterDevice;
  /** The upload under way, or how the last one ended. */
  private last: Update;

  /** @param error of the last update, when it was taken back */
  constructor(device: UpdaterDevice, error: UpdateProblem | "" = "") {
    this.device = device;
    this.last = error ? failed(error) : IDLE;
  }

  get state(): UpdateState {
    return this.last.state;
  }

  /** Images must be signed. */
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
   * Takes the body of `exchange`, of `size` bytes as its Content-Length tells, and calls `done` once with what is wrong, or with an empty
   * text when the image is in and the device is about to restart. Not when the client has gone.
   * @returns undefined, or why no update can begin now.
   */
  receive(exchange: Exchange, size: number, done: Done): string | undefined {
    const device = this.device;
    const { slots, build } = device;
    const { state } = this.last;
    if (state === "receiving" || state === "restarting") return "update-running";
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
    const onEnd = (ended: Update, told: boolean): void => {
      this.last = ended;
      if (!ended.error) {
        if (isOlder(check.version, version)) device.events?.add(`Update to an older firmware, ${check.version}.`);
        Timer.set(() => slots.restart(), RESTART_MS);
      }
      if (told) done(ended.error);
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
  /** `told`: the client waits for an answer. */
  readonly onEnd: (ended: Update, told: boolean) => void;
}

/** One image on its way into the slot. */
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
      return this._end("image-refused", true);
    }
    this._end("", true);
  }

  abort(): void {
    if (this.open) this._end("upload-ended", false);
  }

  /** The write to the BMS may have ended. */
  tick(): void {
    const { device, exchange } = this.options;
    if (device.monitor.writes.pending) return;
    this.stopWaiting();
    exchange.resume();
  }

  private _end(error: UpdateProblem | "", told: boolean): void {
    const { received, size } = this;
    this.open = false;
    this.stopWaiting();
    this.options.writer.close();
    this.options.onEnd(error ? failed(error, received, size) : { state: "restarting", received, size, error }, told);
  }

  private stopWaiting(): void {
    Timer.clear(this.waiting);
    this.waiting = undefined;
  }
}
