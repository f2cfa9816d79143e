import { ChargeStage } from "./charge-stage";
import { SWITCH_BITS } from "./fields";
import type { Image } from "./image";
import { measure } from "./measure";
import type { Pack } from "./pack";
import { ALARM, Protections, WIRE_RESISTANCE_LIMIT, type Measured } from "./protections";
import { SystemLog } from "./system-log";

/** Maximum simulation step, seconds of pack time. */
const LONGEST_STEP = 1;
/** Fraction of the set balance current that the captured balancer reached (1990 of 2000 mA). */
const BALANCE_SHARE = 0.995;
/** Undocumented: full cycles per per cent of health lost. */
const CYCLES_PER_HEALTH_PERCENT = 300;
const DEFAULT_EMERGENCY_MINUTES = 30;
/** Seconds below the power-off voltage until the board switches off. */
const POWER_OFF_SECONDS = 60;
const KEPT_EVENTS = 100;

/** Event codes of the detail log. */
export const EVENT = {
  boot: 1,
  chargeClosed: 3,
  chargeOpened: 4,
  dischargeClosed: 5,
  dischargeOpened: 6,
  emergencyOn: 41,
  emergencyOff: 42,
  emergencyEnded: 43,
  clockSet: 59,
  cellReleased: 18,
  cellLowReleased: 30,
  cellOverCharge: 100,
  cellOverDischarge: 200,
} as const;

/** Codes of an alarm that is raised, by its bit; when it is over, the next one. */
const ALARM_CODES: Readonly<Record<number, number>> = {
  [ALARM.mosOverTemperature]: 11,
  [ALARM.batteryOverVoltage]: 19,
  [ALARM.chargeOverCurrent]: 21,
  [ALARM.chargeOverTemperature]: 25,
  [ALARM.chargeUnderTemperature]: 27,
  [ALARM.batteryUnderVoltage]: 31,
  [ALARM.dischargeOverCurrent]: 33,
  [ALARM.dischargeShortCircuit]: 35,
  [ALARM.dischargeOverTemperature]: 37,
  [ALARM.dischargeUnderTemperature]: 72,
};

const PROBES = ["TempBat1", "TempBat2", "TempBat3", "TempBat4", "TempBat5"];
/** Undocumented: reading of an open probe, -200.0 °C as on older JK boards. */
const ABSENT_PROBE = -2000;

/**
 * The BMS's control logic, without its serial port: measures, protects, balances, counts and updates the telemetry
 * block.
 */
export class Controller {
  readonly protections: Protections;
  /** What the BMS shows of its events. */
  readonly systemLog = new SystemLog();
  /** Codes of the most recent events; undefined for alarms without a documented code. */
  readonly events: (number | undefined)[] = [];
  /** Below the power-off voltage for too long: the board stays off until a charger is connected. */
  poweredOff = false;
  /** Seconds of emergency mode left. */
  #emergency = 0;
  #remaining: number;
  #full: number;
  #design: number;
  #balancing: { from: number; to: number } | undefined;
  #lowFor = 0;
  #sleepIn: number;
  readonly #stage = new ChargeStage();
  /** Counter values at pack time zero. */
  readonly #start: Readonly<Record<"run" | "total" | "ticks" | "clock" | "cycles" | "health", number>>;
  #clockOffset = 0;

  constructor(
    readonly image: Image,
    readonly pack: Pack,
    /** False: leaves the telemetry block unchanged. */
    readonly publishing = true,
  ) {
    this.protections = new Protections(image.read("Alarms") & (1 << ALARM.changePassword));
    this.#remaining = image.read("SOCCapRemain");
    this.#full = image.read("SOCFullChargeCap");
    this.#design = image.read("CapBatCell");
    this.#sleepIn = this.#sleepTime;
    this.#start = {
      run: image.read("RunTime"),
      total: image.read("ODDRunTime"),
      ticks: image.read("SysRunTicks"),
      clock: image.read("RTCTicks"),
      cycles: image.read("SOCCycleCap"),
      health: image.read("SOCSOH"),
    };
    pack.sensors = image.read("TempSensors");
    this.systemLog.add(this.#start.run, EVENT.boot);
  }

  get emergency(): number {
    return this.#emergency;
  }

  /** Advances pack time by `seconds` and publishes the measurements. */
  advance(seconds: number): void {
    const steps = Math.ceil(seconds / LONGEST_STEP);
    for (let step = 0; step < steps; step++) this.#step(seconds / steps);
    this.refresh();
  }

  /** Applies the current settings and switches, and publishes. */
  refresh(): void {
    const capacity = this.image.read("CapBatCell");
    if (capacity !== this.#design) this.#newCapacity(capacity);
    const { current } = this.pack;
    const measured = measure(this.pack, this.image);
    this.#judge(measured, 0);
    // A protection that opens or closes a path changes what is measured.
    if (this.publishing) this.#publish(this.pack.current === current ? measured : measure(this.pack, this.image));
  }

  /** Adds an event to the detail log. */
  log(code?: number): void {
    if (this.publishing) this.image.write("DetailLogsCount", this.image.read("DetailLogsCount") + 1);
    if (code !== undefined) this.systemLog.add(this.#start.run + Math.floor(this.pack.time), code);
    this.events.push(code);
    if (this.events.length > KEPT_EVENTS) this.events.shift();
  }

  boot(): void {
    this.image.write("PWROnTimes", this.image.read("PWROnTimes") + 1);
    this.log(EVENT.boot);
  }

  startEmergency(): void {
    this.#emergency = (this.image.read("EmergencyMinutes") || DEFAULT_EMERGENCY_MINUTES) * 60;
    this.log(EVENT.emergencyOn);
    this.refresh();
  }

  stopEmergency(): void {
    if (this.#emergency) this.log(EVENT.emergencyOff);
    this.#emergency = 0;
    this.refresh();
  }

  /** Sets the clock: seconds since 2020. */
  setClock(seconds: number): void {
    this.#clockOffset = seconds - this.#start.clock - Math.floor(this.pack.time);
    this.log(EVENT.clockSet);
    this.refresh();
  }

  get #sleepTime(): number {
    return this.image.read("TIMSmartSleep") * 3600;
  }

  #step(seconds: number): void {
    const { pack, image } = this;
    const measured = measure(pack, image);
    this.#judge(measured, seconds);
    const average = measured.pack / Math.max(1, measured.cells.length);
    pack.chargeVoltage =
      this.#stage.update(average, this.#soc, seconds, {
        rcv: image.read("VolCellRCV"),
        rfv: image.read("VolCellRFV"),
        rcvTime: image.read("RCVTime"),
        rebulkSoc: image.read("RebulkSOC"),
        floatMode: this.#switch("chargingFloat"),
      }) / 1000;
    this.#balance(measured, seconds);
    this.#count(measured, pack.current, seconds);
    pack.step(seconds);
  }

  #switch(name: keyof typeof SWITCH_BITS): boolean {
    return (this.image.read("Switches") & (1 << SWITCH_BITS[name])) !== 0;
  }

  get #soc(): number {
    return this.#full > 0 ? Math.min(100, Math.max(0, Math.round((this.#remaining / this.#full) * 100))) : 0;
  }

  /** Runs the protections, then sets the two outputs. */
  #judge(measured: Measured, seconds: number): void {
    const { image, pack, protections } = this;
    if (this.#emergency > 0 && seconds > 0) {
      this.#emergency = Math.max(0, this.#emergency - seconds);
      if (!this.#emergency) this.log(EVENT.emergencyEnded);
    }
    const before = protections.alarms;
    protections.update(measured, (name) => image.read(name), seconds, this.#emergency > 0);
    this.#logAlarms(before, protections.alarms, measured);
    this.#powerOff(measured, seconds);
    pack.chargePath = image.read("BatChargeEN") !== 0 && protections.chargeAllowed;
    pack.dischargePath = image.read("BatDisChargeEN") !== 0 && protections.dischargeAllowed && !this.poweredOff;
  }

  #logAlarms(before: number, after: number, measured: Measured): void {
    for (let bit = 0; bit < 32; bit++) {
      if (!((before ^ after) & (1 << bit))) continue;
      const raised = (after & (1 << bit)) !== 0;
      if (raised && bit === ALARM.cellOverVoltage) {
        this.log(EVENT.cellOverCharge + measured.cells.indexOf(measured.maxCell));
      } else if (raised && bit === ALARM.cellUnderVoltage) {
        this.log(EVENT.cellOverDischarge + measured.cells.indexOf(measured.minCell));
      } else if (bit === ALARM.cellOverVoltage) this.log(EVENT.cellReleased);
      else if (bit === ALARM.cellUnderVoltage) this.log(EVENT.cellLowReleased);
      else {
        const code = ALARM_CODES[bit];
        this.log(code && code + (raised ? 0 : 1));
      }
    }
  }

  #powerOff(measured: Measured, seconds: number): void {
    const low = measured.minCell <= this.image.read("VolSysPwrOff") && this.pack.demand <= 0;
    this.#lowFor = low ? this.#lowFor + seconds : 0;
    const off = low && (this.poweredOff || this.#lowFor >= POWER_OFF_SECONDS);
    if (this.poweredOff && !off) this.boot();
    this.poweredOff = off;
  }

  #balance(measured: Measured, seconds: number): void {
    const { image, pack } = this;
    const { cells, maxCell, minCell } = measured;
    const due =
      image.read("BalanEN") !== 0 &&
      cells.length > 1 &&
      maxCell - minCell >= image.read("VolBalanTrig") &&
      maxCell >= image.read("VolStartBalan");
    this.#balancing = due ? { from: cells.indexOf(maxCell), to: cells.indexOf(minCell) } : undefined;
    const { from, to } = this.#balancing ?? {};
    const giver = from === undefined ? undefined : pack.cells[from];
    const taker = to === undefined ? undefined : pack.cells[to];
    if (giver && taker) pack.balance(giver, taker, (this.#balanceCurrent * seconds) / 3_600_000);
  }

  get #balanceCurrent(): number {
    return this.#balancing ? this.image.read("CurBalanMax") * BALANCE_SHARE : 0;
  }

  /** Coulomb counting, corrected at the voltages that mean full and empty. */
  #count(measured: Measured, current: number, seconds: number): void {
    const { image } = this;
    this.#remaining = Math.min(this.#full, Math.max(0, this.#remaining + (current * seconds) / 3.6));
    if (current > 0 && measured.maxCell >= image.read("VolSOC100")) this.#remaining = this.#full;
    if (current < 0 && measured.minCell <= image.read("VolSOC0")) this.#remaining = 0;
    const idle = current === 0 && this.#switch("smartSleep") && measured.maxCell <= image.read("VolSmartSleep");
    this.#sleepIn = idle ? Math.max(0, this.#sleepIn - seconds) : this.#sleepTime;
  }

  #newCapacity(capacity: number): void {
    this.#remaining *= capacity / (this.#full || capacity);
    this.#full = capacity;
    this.#design = capacity;
  }

  #publish(measured: Measured): void {
    const { image, pack, protections } = this;
    const set = (name: string, value: number): void => image.write(name, value);
    for (let index = 0; index < 32; index++) {
      image.write("CellVol", measured.cells[index] ?? 0, index);
      image.write("CellWireRes", pack.cells[index]?.wireResistance ?? 0, index);
    }
    const count = measured.cells.length;
    set("CellSta", 2 ** count - 1);
    set("CellVolAve", count ? measured.pack / count : 0);
    set("CellVdifMax", measured.maxCell - measured.minCell);
    set("MaxVolCellNbr", measured.cells.indexOf(measured.maxCell));
    set("MinVolCellNbr", measured.cells.indexOf(measured.minCell));
    set("BatVol", measured.pack);
    set("BatVol2", measured.pack / 10);
    set("BatCurrent", measured.current);
    set("BatWatt", Math.abs(measured.pack * measured.current) / 1000);
    set("Alarms", protections.alarms);
    set("BalanCurrent", this.#balanceCurrent);
    set("BalanSta", this.#balancing ? 1 : 0);
    set("ChargeMos", pack.chargePath ? 1 : 0);
    set("DischargeMos", pack.dischargePath ? 1 : 0);
    set("TimeDcOCPR", Math.ceil(protections.dischargeOverCurrent.release));
    set("TimeDcSCPR", Math.ceil(protections.shortCircuit.release));
    set("TimeCOCPR", Math.ceil(protections.chargeOverCurrent.release));
    set("TimeEmergency", Math.ceil(this.#emergency));
    set("ChargeStatus", this.#stage.stage);
    set("ChargeStatusTime", this.#stage.time);
    set("TimeEnterSleep", this.#sleepIn);
    set("ChargerPlugged", pack.demand > 0 ? 1 : 0);
    this.#publishCounters();
    this.#publishTemperatures();
    const alarmed = pack.cells.reduce(
      (mask, cell, index) => (cell.wireResistance > WIRE_RESISTANCE_LIMIT ? mask + 2 ** index : mask),
      0,
    );
    set("CellWireResSta", alarmed);
  }

  #publishCounters(): void {
    const { image, pack } = this;
    const seconds = Math.floor(pack.time);
    const cycleCapacity = this.#start.cycles + pack.discharged * 1000;
    const cycles = Math.floor(cycleCapacity / (this.#design || 1));
    const since = (pack.discharged * 1000) / (this.#design || 1);
    image.write("SOC", this.#soc);
    image.write("SOCCapRemain", this.#remaining);
    image.write("SOCFullChargeCap", this.#full);
    image.write("SOCCycleCap", cycleCapacity);
    image.write("SOCCycleCount", cycles);
    image.write("SOCSOH", this.#start.health - Math.floor(since / CYCLES_PER_HEALTH_PERCENT));
    image.write("RunTime", this.#start.run + seconds);
    image.write("ODDRunTime", this.#start.total + seconds);
    image.write("SysRunTicks", this.#start.ticks + pack.time * 10);
    image.write("RTCTicks", this.#start.clock + this.#clockOffset + seconds);
  }

  #publishTemperatures(): void {
    const { image, pack } = this;
    const mos = pack.temperatures.mos * 10;
    image.write("TempSensors", pack.sensors);
    image.write("TempMos", pack.sensors & 1 ? mos : ABSENT_PROBE);
    for (let index = 0; index < PROBES.length; index++) {
      const present = (pack.sensors & (2 << index)) !== 0;
      // 16S boards have no third probe and report the MOS temperature instead.
      const value = index === 2 ? mos : (pack.temperatures.battery[index] as number) * 10;
      image.write(PROBES[index] as string, present ? value : ABSENT_PROBE);
    }
  }
}
