/** Detects when a polling round begins: in each round a pack replies once, if it does. Of one pack alone each reply is a round. */
export class Rounds {
  /** Bit n: the pack at place n has replied in this round. */
  private replied = 0;

  /** Call at each valid reply of a pack. @returns whether a round begins with it: it has replied in the last one already */
  beginsWith({ index }: { readonly index: number }): boolean {
    const bit = 1 << index;
    const begins = !this.replied || (this.replied & bit) !== 0;
    this.replied = begins ? bit : this.replied | bit;
    return begins;
  }
}
