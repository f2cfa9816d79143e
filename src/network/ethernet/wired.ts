import { upperCase } from "ascii/case";
import type Ethernet from "embedded:network/interface/ethernet";
import driver from "ethernet-driver";
import { Connection, type LinkObserver, onChanged } from "../connection";
import { MAX_WIRED_BACK_OFF, MIN_WIRED_BACK_OFF, WIRED_NEED } from "../limits";
import { hasMemory } from "../memory";

/** In place of the interface until the driver has started. */
const NONE = Object.freeze(
  { connection: 0, address: undefined, MAC: undefined, configure: () => undefined },
  true,
) as unknown as Ethernet;

/** The platform's Ethernet (ECMA-419 network interface), which tracks the cable itself. Its driver starts in a task of its own. */
export class Wired extends Connection<Ethernet> {
  private readonly ethernet: typeof Ethernet;
  private observer: LinkObserver | undefined;
  private isStarting = false;
  /** Ticks of the last failure; undefined: none, or its pause is over. */
  private failedAt: number | undefined;
  private backOff = MIN_WIRED_BACK_OFF;
  private pause = 0;

  constructor(ethernet: typeof Ethernet) {
    super(NONE);
    this.ethernet = ethernet;
  }

  override get mac(): string {
    return upperCase(driver.mac());
  }

  override watch(observer: LinkObserver): void {
    this.observer = observer;
    if (this.io !== NONE) super.watch(observer);
  }

  /**
   * Starts the driver, and again if it failed, for instance because the PHY was not ready. Call at least once a second. `hostname` is for
   * DHCP's first request.
   * @returns whether the interface needs to be configured
   */
  step(now: number, hostname: string): boolean {
    if (this.failedAt !== undefined && ((now - this.failedAt) | 0) < this.pause) return false;
    this.failedAt = undefined;
    if (this.io !== NONE) {
      if (this.refused) {
        this.static = "";
        this.fail(now);
      }
      return this.failedAt !== undefined;
    }
    if (!this.isStarting) this.start(now, hostname);
    return this.isStarting && this.open(now);
  }

  private start(now: number, hostname: string): void {
    try {
      if (hasMemory("Ethernet", WIRED_NEED)) {
        driver.start(hostname);
        this.isStarting = true;
        return;
      }
    } catch (error) {
      trace(`network: cannot start Ethernet: ${String(error)}\n`);
    }
    this.fail(now);
  }

  private open(now: number): boolean {
    const isStarted = driver.isStarted();
    if (isStarted === undefined) return false;
    if (!isStarted) {
      trace("network: Ethernet failed to start\n");
      this.isStarting = false;
      this.fail(now);
      return false;
    }
    try {
      this.io = new this.ethernet({ onChanged });
    } catch (error) {
      trace(`network: cannot open Ethernet: ${String(error)}\n`);
      this.fail(now);
      return false;
    }
    this.backOff = MIN_WIRED_BACK_OFF;
    if (this.observer) super.watch(this.observer);
    return true;
  }

  private fail(now: number): void {
    this.failedAt = now;
    this.pause = this.backOff;
    this.backOff = Math.min(2 * this.backOff, MAX_WIRED_BACK_OFF);
  }
}
