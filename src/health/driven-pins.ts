import type Digital from "embedded:io/digital";

/** An output that the board wants at a level: its transceiver's supply or enable, a buzzer. */
export interface DrivenPin {
  readonly pin: number;
  readonly level: 0 | 1;
}

const NONE: readonly DrivenPin[] = Object.freeze([], true);

/** The board's driven pins: claimed in order, each on its own, and kept. */
export class DrivenPins {
  private readonly io: typeof Digital;
  private readonly pins: readonly DrivenPin[];
  private readonly held: (Digital | undefined)[] = [];

  constructor(io: typeof Digital, pins = NONE) {
    this.io = io;
    this.pins = pins;
  }

  /** Claims those that are not claimed yet. Throws the first refusal: the others are driven. */
  start(): void {
    const { held, io } = this;
    let refusal: Error | undefined;
    this.pins.forEach(({ pin, level }, at) => {
      try {
        held[at] ??= new io({ pin, mode: io.Output, initialValue: level });
      } catch (error) {
        refusal ??= error as Error;
      }
    });
    if (refusal) throw refusal;
  }
}
