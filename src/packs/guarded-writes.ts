import { DEVICE_INFO, type BlockType, type WriteResult } from "jk-bms/types";
import type { WriteName } from "jk-bms/writes";
import Time from "time";
import type { BmsLink } from "./link";
import { IDENTITY_MARGIN, WRITE_MINIMUM } from "./limits";

const NOT_SENT: WriteResult = Object.freeze({ outcome: "not-sent" } as const, true);
const UNVERIFIED: WriteResult = Object.freeze({ outcome: "unverified" } as const, true);
const NO_REPLY: WriteResult = Object.freeze({ outcome: "no-reply" } as const, true);
const MISMATCH: WriteResult = Object.freeze({ outcome: "mismatch" } as const, true);

/** The pack that is written to. */
interface GuardedPack {
  /** Undefined while the bus is closed. */
  readonly link: BmsLink | undefined;
  readonly isSwapped: boolean;
  readonly identity: { readonly serial: string };
  readonly serialNumber: string;
  /** Its device information has been read. */
  blockEnded(block: BlockType, ok: boolean): void;
}

/**
 * Writes to one of several packs: its serial number is read before and after, since a DIP switch may have been moved. Nothing is sent to a pack
 * with another serial number than is expected, and nothing is confirmed unless the same pack answers afterwards.
 */
export class GuardedWrites {
  private readonly pack: GuardedPack;
  private readonly link: BmsLink;

  constructor(pack: GuardedPack, link: BmsLink) {
    this.pack = pack;
    this.link = link;
  }

  /** See BmsLink. */
  write(name: WriteName, value: number | string, timeout: number, done: (result: WriteResult) => void): void {
    const begun = Time.ticks;
    this.identify((before) => {
      // Afterwards it will take as long again.
      const left = timeout - 2 * ((Time.ticks - begun) | 0) - IDENTITY_MARGIN;
      if (before === undefined || this.pack.isSwapped || left < WRITE_MINIMUM) return done(NOT_SENT);
      try {
        this.link.write(name, value, left, (result) => this.confirm(before, result, done));
      } catch (error) {
        trace(`bms: cannot start a write: ${String(error)}\n`);
        done(NOT_SENT);
      }
    });
  }

  /** Only what counts as applied has to be the same pack's. */
  private confirm(before: string, result: WriteResult, done: (result: WriteResult) => void): void {
    const { outcome } = result;
    const isConfirmed = outcome === "confirmed";
    if (!isConfirmed && outcome !== "no-reply-applied" && outcome !== "refused-applied") return done(result);
    const unknown = isConfirmed ? UNVERIFIED : NO_REPLY;
    try {
      this.identify((after) => done(after === before ? result : after === undefined ? unknown : MISMATCH));
    } catch {
      done(unknown);
    }
  }

  /** Reads the serial number; undefined: the pack did not answer. Empty: it has none to tell. */
  private identify(done: (serial: string | undefined) => void): void {
    const { link, pack } = this;
    link.read(
      DEVICE_INFO,
      (outcome) => {
        // The link may have been closed meanwhile; its callbacks are ignored then.
        if (link !== pack.link) return;
        const hasTold = outcome === "ok";
        if (hasTold) pack.blockEnded(DEVICE_INFO, true);
        // A pack that refuses to tell its serial number has never told it.
        const refuses = outcome === "exception" && !pack.identity.serial;
        done(hasTold || refuses ? pack.serialNumber : undefined);
      },
      "once",
    );
  }
}
