import type { Clock } from "../clock";
import type { WireEnd } from "../wire";
import { withCrc } from "./codec";
import type { Functions } from "./functions";

/**
 * Milliseconds: pause between the master's transactions, and its timeout for an absent slave (docs/jk-modbus.md,
 * "Addresses" and "Timing").
 */
const GAP = 180;
const SCAN_TIMEOUT = 220;
const LAST_ADDRESS = 15;
const CYCLE = 4400;

/**
 * A BMS with DIP address 0 on its RS485-2 port: once per cycle it broadcasts its telemetry and settings unsolicited and
 * scans for slaves 1 to 15.
 */
export class BusMaster {
  constructor(
    readonly clock: Clock,
    readonly wire: WireEnd,
    readonly functions: Functions,
    readonly alive: () => boolean,
  ) {
    this.#cycle();
  }

  #cycle(): void {
    const begin = this.clock.now;
    let at = begin;
    const say = (pause: number, bytes: () => Uint8Array): void => {
      this.clock.at(at, () => {
        if (this.alive()) this.wire.send(bytes());
      });
      at += pause;
    };
    say(GAP, () => this.functions.frameAnswer(2, 0, 0x1620, 0));
    say(GAP, () => this.functions.frameAnswer(1, 0, 0x161e, 0));
    for (let address = 1; address <= LAST_ADDRESS; address++) {
      say(SCAN_TIMEOUT, () => withCrc([address, 0x10, 0x16, 0x20, 0, 1, 2, 0, 0]));
    }
    this.clock.at(Math.max(at, begin + CYCLE), () => this.#cycle());
  }
}
