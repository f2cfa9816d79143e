import { DEVICE_INFO, SERIAL, type BlockType, type WriteResult } from "jk-bms/types";
import { blockOf } from "jk-bms/fields";
import { WRITES, type WriteName } from "jk-bms/writes";
import Time from "time";
import type { BmsLink } from "./link";
import { IDENTITY_RESERVE, WRITE_MINIMUM } from "./limits";

/** The pack that is written to. */
interface GuardedPack {
  /** Undefined while the bus is closed. */
  readonly link: BmsLink | undefined;
  readonly isSwapped: boolean;
  readonly identity: { readonly serial: string };
  readonly serialNumber: string;
  /** Its identifier. @param named its Bluetooth name included, where it has no serial number */
  identify(named: boolean): string;
  /** Its Bluetooth name has been written: it is still the same pack. */
  renamed(): void;
  /** What it is has been read, all of the device information or the serial number alone. */
  identified(what: BlockType | typeof SERIAL, ok: boolean): void;
}

/**
 * Writes to one of several packs: its identity is read before and after, since a DIP switch may have been moved. Nothing is sent to another pack
 * than is expected, and nothing is confirmed unless the same pack answers afterwards. What is lost is asked again until the time is up.
 */
export class GuardedWrites {
  private readonly pack: GuardedPack;
  private readonly link: BmsLink;
  private readonly serial: string;
  /** The Bluetooth name is what is written. */
  private isName = false;
  /** When the time is up, ticks. */
  private endsAt = 0;
  /** The last question: it was answered, with an exception. */
  private hasRefused = false;
  /** The value has been given to the link. */
  private hasStarted = false;

  /** @param serial what the pack has to be; empty: it is not known yet */
  constructor(pack: GuardedPack, link: BmsLink, serial: string) {
    this.pack = pack;
    this.serial = serial;
    this.link = link;
  }

  /** See BmsLink. */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    this.isName = blockOf(WRITES[name].field) === DEVICE_INFO;
    this.endsAt = (Time.ticks + timeout) | 0;
    this.identify(IDENTITY_RESERVE + WRITE_MINIMUM, (before) => {
      const { pack, serial } = this;
      const left = this.left - IDENTITY_RESERVE;
      // What an owner accepts meanwhile is not what was asked for.
      const isOther = serial && before !== undefined ? !before || pack.identify(true) !== serial : pack.isSwapped;
      if (isOther) return done({ outcome: "not-sent-other" });
      if (before === undefined) return done(this.hasRefused ? { outcome: "not-sent-other" } : { outcome: "not-sent" });
      if (left < WRITE_MINIMUM) return done({ outcome: "not-sent-busy" });
      try {
        this.hasStarted = true;
        this.link.write(name, value, left, (result) => this.confirm(before, result, done));
      } catch (error) {
        trace(`bms: cannot start a write: ${String(error)}\n`);
        done({ outcome: "not-sent-busy" });
      }
    });
  }

  /** Cancels what has not been sent. Returns whether something may have been. */
  abandon(): boolean {
    this.endsAt = Time.ticks;
    return this.hasStarted;
  }

  /** ms until the time is up. */
  private get left(): number {
    return (this.endsAt - Time.ticks) | 0;
  }

  /** Only what counts as applied has to be the same pack's. */
  private confirm(before: string, result: WriteResult, done: (result: WriteResult) => void): void {
    const { outcome } = result;
    if (outcome !== "confirmed" && outcome !== "no-reply-applied" && outcome !== "refused-applied") return done(result);
    if (this.isName) this.pack.renamed();
    try {
      this.identify(0, (after) =>
        done(after === before ? result : after === undefined ? { outcome: "unidentified" } : { outcome: "exchanged" }),
      );
    } catch {
      done({ outcome: "unidentified" });
    }
  }

  /** Reads the pack's identity, as often as it takes, while more than `reserve` ms are left; undefined: it did not answer. */
  private identify(reserve: number, done: (identifier: string | undefined) => void): void {
    const { link, pack } = this;
    const what = pack.serialNumber ? SERIAL : DEVICE_INFO;
    link.read(
      what,
      (outcome) => {
        // The link may have been closed meanwhile; its callbacks are ignored then.
        if (link !== pack.link) return;
        this.hasRefused = outcome === "exception";
        if (outcome === "ok") {
          pack.identified(what, true);
          return done(pack.identify(!this.isName));
        }
        // A pack that refuses this never had a fingerprint.
        if (this.hasRefused) return done(pack.identity.serial ? undefined : "");
        if (outcome === "withheld" || this.left <= reserve) return done(undefined);
        try {
          this.identify(reserve, done);
        } catch {
          done(undefined);
        }
      },
      "once",
    );
  }
}
