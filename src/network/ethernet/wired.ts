import type Ethernet from "embedded:network/interface/ethernet";
import { Connection, type LinkObserver, onChanged } from "../connection";
import { RETRY_INTERVAL } from "../limits";

/** The platform's Ethernet (ECMA-419 network interface), which tracks the cable itself. */
export class Wired extends Connection<Ethernet> {
  private readonly ethernet: typeof Ethernet;
  private observer: LinkObserver | undefined;
  /** Ticks of the last restart. */
  private triedAt: number | undefined;

  constructor(ethernet: typeof Ethernet) {
    super(new ethernet({ onChanged }));
    this.ethernet = ethernet;
  }

  override watch(observer: LinkObserver): void {
    this.observer = observer;
    super.watch(observer);
  }

  /**
   * Recreates an interface whose driver failed to start, for instance because the PHY was not ready. Call at least once a second.
   * @returns whether it was recreated and needs to be configured
   */
  step(now: number): boolean {
    if (!this.refused) return false;
    if (this.triedAt !== undefined && ((now - this.triedAt) | 0) < RETRY_INTERVAL) return false;
    this.triedAt = now;
    this.io.close();
    this.io = new this.ethernet({ onChanged });
    this.static = "";
    if (this.observer) super.watch(this.observer);
    return true;
  }
}
