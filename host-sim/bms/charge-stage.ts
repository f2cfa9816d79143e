/** Values of 0x1312. */
const BULK = 0;
const ABSORPTION = 1;
const FLOAT = 2;

const TENTH_HOUR = 360;
/** Undocumented: margin within which the limit counts as reached, and the drop below it that restarts bulk, mV. */
const NEAR = 5;
const FALLEN = 60;
const DEFAULT_VOLTAGE = 3450;

export interface StageSettings {
  /** mV per cell. */
  readonly rcv: number;
  readonly rfv: number;
  /** Tenths of an hour. */
  readonly rcvTime: number;
  readonly floatMode: boolean;
  /** %. */
  readonly rebulkSoc: number;
}

/** Charging stages requested from the charger: bulk, absorption, float. */
export class ChargeStage {
  stage = BULK;
  /** Seconds in this stage. */
  time = 0;

  /** @returns the requested voltage, mV per cell */
  update(average: number, soc: number, seconds: number, settings: StageSettings): number {
    const rcv = settings.rcv || DEFAULT_VOLTAGE;
    const rfv = settings.rfv || rcv;
    this.time += seconds;
    if (this.stage === BULK && average >= rcv - NEAR) this.#enter(ABSORPTION);
    else if (this.stage === ABSORPTION && average < rcv - FALLEN) this.#enter(BULK);
    else if (this.stage === ABSORPTION && settings.floatMode && this.time >= settings.rcvTime * TENTH_HOUR) {
      this.#enter(FLOAT);
    } else if (this.stage === FLOAT && (soc < settings.rebulkSoc || average < rfv - FALLEN)) this.#enter(BULK);
    return this.stage === FLOAT ? rfv : rcv;
  }

  #enter(stage: number): void {
    this.stage = stage;
    this.time = 0;
  }
}
