import { LAGGARD_MS, MAX_LAGGARDS } from "./limits";

interface Laggard {
  readonly address: string;
  since: number;
}

/** Addresses whose connection was closed for another client in the middle of a request; the oldest is forgotten for one too many. */
export class Laggards {
  private readonly all: Laggard[] = [];

  has(address: string, now: number): boolean {
    for (const laggard of this.all) if (laggard.address === address) return ((now - laggard.since) | 0) < LAGGARD_MS;
    return false;
  }

  /** `now`: ticks, ms. An empty address, of a proxy that has named no client yet, is nobody's. */
  add(address: string, now: number): void {
    if (!address) return;
    const { all } = this;
    for (let at = all.length - 1; at >= 0; at--) {
      const laggard = all[at] as Laggard;
      if (laggard.address === address || ((now - laggard.since) | 0) >= LAGGARD_MS) all.splice(at, 1);
    }
    if (all.length === MAX_LAGGARDS) all.shift();
    all.push({ address, since: now });
  }
}
