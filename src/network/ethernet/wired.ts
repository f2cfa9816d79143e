import type Ethernet from "embedded:network/interface/ethernet";
import { Connection, type LinkObserver, onChanged } from "../connection";
import { RETRY_INTERVAL } from "../limits";

/** The Ethernet of the platform (ECMA-419 network interface). It follows its cable by itself. */
export class Wired extends Connection<Ethernet> {
  private readonly ethernet: typeof Ethernet;
  private observer: LinkObserver | undefined;
  /** Ticks of the last try to start it again. */
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
   * To be called at least once a second. One whose driver could not be started (a PHY that was not ready, say) is made anew.
   * @returns whether it was, and is to be configured
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
