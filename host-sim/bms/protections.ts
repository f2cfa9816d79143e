/** Alarm bits of 0x12A0 that the simulated BMS can raise (docs/jk-modbus.md, "Alarms"). */
export const ALARM = {
  wireResistance: 0,
  mosOverTemperature: 1,
  cellCount: 2,
  cellOverVoltage: 4,
  batteryOverVoltage: 5,
  chargeOverCurrent: 6,
  chargeOverTemperature: 8,
  chargeUnderTemperature: 9,
  cellUnderVoltage: 11,
  batteryUnderVoltage: 12,
  dischargeOverCurrent: 13,
  dischargeShortCircuit: 14,
  dischargeOverTemperature: 15,
  changePassword: 19,
  temperatureSensor: 22,
  dischargeUnderTemperature: 27,
} as const;

/** Measurements of the BMS, in register units: mV, mA, 0.1 °C. */
export interface Measured {
  readonly cells: readonly number[];
  readonly maxCell: number;
  readonly minCell: number;
  readonly pack: number;
  readonly current: number;
  readonly mos: number;
  /** Of the probes present and in use; undefined if there are none. */
  readonly hottest: number | undefined;
  readonly coldest: number | undefined;
  readonly sensorMissing: boolean;
  readonly maxWireResistance: number;
}

/** Settings by name, in register units. */
export type Limits = (name: string) => number;

interface Threshold {
  readonly bit: number;
  readonly charge?: true;
  readonly discharge?: true;
  trips(measured: Measured, limit: Limits): boolean;
  recovers(measured: Measured, limit: Limits): boolean;
}

/** Undocumented; the captured leads have up to 156 milliohm. */
export const WIRE_RESISTANCE_LIMIT = 500;

const above = (value: number | undefined, limit: number): boolean => value !== undefined && value >= limit;
const below = (value: number | undefined, limit: number): boolean => value !== undefined && value <= limit;
const not = (condition: (measured: Measured, limit: Limits) => boolean) => (measured: Measured, limit: Limits) =>
  !condition(measured, limit);

const wrongCount = (measured: Measured, limit: Limits): boolean => measured.cells.length !== limit("CellCount");
const wireTooHigh = (measured: Measured): boolean => measured.maxWireResistance > WIRE_RESISTANCE_LIMIT;
const sensorMissing = (measured: Measured): boolean => measured.sensorMissing;
/** 0 and 0 in every capture, and not writable over RS485: assumed to be disabled. */
const dischargeColdInUse = (limit: Limits): boolean => limit("TMPBatDCHUT") !== 0 || limit("TMPBatDCHUTPR") !== 0;

const THRESHOLDS: readonly Threshold[] = [
  { bit: ALARM.wireResistance, trips: wireTooHigh, recovers: not(wireTooHigh) },
  { bit: ALARM.cellCount, charge: true, discharge: true, trips: wrongCount, recovers: not(wrongCount) },
  { bit: ALARM.temperatureSensor, trips: sensorMissing, recovers: not(sensorMissing) },
  {
    bit: ALARM.mosOverTemperature,
    charge: true,
    discharge: true,
    trips: (measured, limit) => above(measured.mos, limit("TMPMosOT")),
    recovers: (measured, limit) => measured.mos <= limit("TMPMosOTPR"),
  },
  {
    bit: ALARM.cellOverVoltage,
    charge: true,
    trips: (measured, limit) => above(measured.maxCell, limit("VolCellOV")),
    recovers: (measured, limit) => measured.maxCell <= limit("VolCellOVPR"),
  },
  {
    bit: ALARM.batteryOverVoltage,
    charge: true,
    trips: (measured, limit) => above(measured.pack, limit("VolCellOV") * limit("CellCount")),
    recovers: (measured, limit) => measured.pack <= limit("VolCellOVPR") * limit("CellCount"),
  },
  {
    bit: ALARM.cellUnderVoltage,
    discharge: true,
    trips: (measured, limit) => below(measured.minCell, limit("VolCellUV")),
    recovers: (measured, limit) => measured.minCell >= limit("VolCellUVPR"),
  },
  {
    bit: ALARM.batteryUnderVoltage,
    discharge: true,
    trips: (measured, limit) => below(measured.pack, limit("VolCellUV") * limit("CellCount")),
    recovers: (measured, limit) => measured.pack >= limit("VolCellUVPR") * limit("CellCount"),
  },
  {
    bit: ALARM.chargeOverTemperature,
    charge: true,
    trips: (measured, limit) => above(measured.hottest, limit("TMPBatCOT")),
    recovers: (measured, limit) => !above(measured.hottest, limit("TMPBatCOTPR") + 1),
  },
  {
    bit: ALARM.chargeUnderTemperature,
    charge: true,
    trips: (measured, limit) => below(measured.coldest, limit("TMPBatCUT")),
    recovers: (measured, limit) => !below(measured.coldest, limit("TMPBatCUTPR") - 1),
  },
  {
    bit: ALARM.dischargeOverTemperature,
    discharge: true,
    trips: (measured, limit) => above(measured.hottest, limit("TMPBatDcOT")),
    recovers: (measured, limit) => !above(measured.hottest, limit("TMPBatDcOTPR") + 1),
  },
  {
    bit: ALARM.dischargeUnderTemperature,
    discharge: true,
    trips: (measured, limit) => dischargeColdInUse(limit) && below(measured.coldest, limit("TMPBatDCHUT") * 10),
    recovers: (measured, limit) =>
      !dischargeColdInUse(limit) || !below(measured.coldest, limit("TMPBatDCHUTPR") * 10 - 1),
  },
];

/** Over-current protection: opens the switch after a delay and closes it after a release time. */
class OverCurrent {
  /** Seconds until the switch closes again; 0 while closed. */
  release = 0;
  #held = 0;

  update(current: number, limit: number, delay: number, releaseTime: number, seconds: number): void {
    if (this.release > 0) {
      this.release = Math.max(0, this.release - seconds);
      return;
    }
    this.#held = current > limit ? this.#held + seconds : 0;
    if (current <= limit || this.#held < delay) return;
    this.#held = 0;
    this.release = releaseTime;
  }
}

/** Undocumented: multiple of the discharge limit that counts as a short circuit. */
const SHORT_CIRCUIT_FACTOR = 5;

export class Protections {
  /** Alarm word, 0x12A0. */
  alarms = 0;
  chargeAllowed = true;
  dischargeAllowed = true;
  /** Remaining seconds of the over-current releases. */
  readonly chargeOverCurrent = new OverCurrent();
  readonly dischargeOverCurrent = new OverCurrent();
  readonly shortCircuit = new OverCurrent();
  readonly #latched = new Set<Threshold>();

  constructor(
    /** Alarms that the simulation neither raises nor clears, such as the password reminder. */
    readonly standing: number,
  ) {}

  /**
   * Evaluates a measurement taken `seconds` after the previous one. `emergency`: discharge continues despite all but
   * MOS over-temperature and short circuits.
   */
  update(measured: Measured, limit: Limits, seconds: number, emergency: boolean): void {
    for (const rule of THRESHOLDS) {
      if (rule.trips(measured, limit)) this.#latched.add(rule);
      else if (this.#latched.has(rule) && rule.recovers(measured, limit)) this.#latched.delete(rule);
    }
    const { current } = measured;
    const dischargeLimit = limit("CurBatDcOC");
    this.chargeOverCurrent.update(
      current,
      limit("CurBatCOC"),
      limit("TIMBatCOCPDly"),
      limit("TIMBatCOCPRDly"),
      seconds,
    );
    this.dischargeOverCurrent.update(
      -current,
      dischargeLimit,
      limit("TIMBatDcOCPDly"),
      limit("TIMBatDcOCPRDly"),
      seconds,
    );
    this.shortCircuit.update(-current, dischargeLimit * SHORT_CIRCUIT_FACTOR, 0, limit("TIMBatSCPRDly"), seconds);
    this.#conclude(emergency);
  }

  #conclude(emergency: boolean): void {
    let alarms = this.standing;
    let charge = true;
    let discharge = true;
    for (const rule of this.#latched) {
      alarms |= 1 << rule.bit;
      if (rule.charge) charge = false;
      if (rule.discharge && (!emergency || rule.bit === ALARM.mosOverTemperature)) discharge = false;
    }
    if (this.chargeOverCurrent.release) {
      alarms |= 1 << ALARM.chargeOverCurrent;
      charge = false;
    }
    if (this.dischargeOverCurrent.release) {
      alarms |= 1 << ALARM.dischargeOverCurrent;
      if (!emergency) discharge = false;
    }
    if (this.shortCircuit.release) {
      alarms |= 1 << ALARM.dischargeShortCircuit;
      discharge = false;
    }
    this.alarms = alarms >>> 0;
    this.chargeAllowed = charge;
    this.dischargeAllowed = discharge;
  }
}
