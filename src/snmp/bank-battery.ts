import * as FIELDS from "jk-bms/field-table";
import { lengthOf, offsetOf, readRaw, type Field } from "jk-bms/fields";
import { BLOCK_BYTES } from "jk-bms/limits";
import { TELEMETRY, type BlockImage } from "jk-bms/types";
import { alarmBits, faultsIn } from "../catalogue/alarms";
import type { Pack } from "../catalogue/pack";
import { currentBlock } from "../catalogue/read";
import {
  bankOf,
  CHARGE,
  CURRENT,
  HOTTEST,
  ONLINE,
  PACKS,
  POWER,
  REMAINING,
  SOC_DECIMALS,
  VOLTAGE,
} from "../packs/bank";
import type { BusPack } from "../packs/types";
import { UNDERVOLTAGE } from "./limits";

/** Milliwatts in a unit of the bank's power. */
const MILLIWATTS = 10;
/** The probe that the hottest temperature is given as, in the register of those that are there. */
const BATTERY1_PROBE = 1 << 1;

/**
 * Several packs as the one battery of the UPS MIB: a pack whose telemetry has the bank's values, those of the packs that are online. It is online
 * while one of them is; its model is that of the first.
 */
export class BankBattery implements Pack {
  /** Those of bankOf. */
  values: readonly number[] = [];
  /** Of any pack that is online, as bits of the alarm word. */
  faults = 0;
  online = false;
  /** Each of them is online: only then what is left is known. */
  isComplete = false;
  readonly configurationLoaded = false;
  readonly telemetry: BlockImage = {
    view: new DataView(new ArrayBuffer(BLOCK_BYTES)),
    littleEndian: false,
    valid: true,
  };
  /** There is none: whether probes count is each pack's. */
  readonly setup: BlockImage = { ...this.telemetry, valid: false };
  private first: Pack | undefined;

  get deviceInfo(): BlockImage {
    return (this.first as Pack).deviceInfo;
  }

  /** Reads the packs, of which there are several. */
  read(packs: readonly BusPack[]): void {
    const values = bankOf(packs);
    let faults = 0;
    let common = ~0;
    let discharging = 0;
    for (const pack of packs) {
      const bits = alarmBits(pack);
      if (bits === undefined) continue;
      faults |= faultsIn(bits);
      common &= bits & UNDERVOLTAGE ? ~0 : ~UNDERVOLTAGE;
      const telemetry = currentBlock(pack, TELEMETRY);
      if (telemetry && readRaw(telemetry, FIELDS.dischargeMos)) discharging = 1;
    }
    this.first = packs[0];
    this.values = values;
    this.isComplete = values[PACKS] === values[ONLINE];
    this.faults = faults;
    const at = (index: number): number => values[index] as number;
    this.online = !isNaN(at(CHARGE) + at(CURRENT));
    this.put(FIELDS.soc, Math.round(at(CHARGE) / 10 ** SOC_DECIMALS));
    this.put(FIELDS.remainingCapacity, at(REMAINING));
    this.put(FIELDS.packVoltage, at(VOLTAGE));
    this.put(FIELDS.packCurrent, at(CURRENT));
    this.put(FIELDS.packPower, Math.abs(at(POWER)) * MILLIWATTS);
    // The bank is empty only when all packs are: one that is cut off leaves the load to the others.
    this.put(FIELDS.alarmCode, faults & common);
    this.put(FIELDS.dischargeMos, discharging);
    this.put(FIELDS.battery1Temperature, at(HOTTEST));
    this.put(FIELDS.temperatureSensors, isNaN(at(HOTTEST)) ? 0 : BATTERY1_PROBE);
  }

  private put(field: Field, value: number): void {
    const { view } = this.telemetry;
    const offset = offsetOf(field);
    const length = lengthOf(field);
    if (length === 1) view.setUint8(offset, value);
    else if (length === 2) view.setInt16(offset, value);
    else view.setInt32(offset, value);
  }
}
