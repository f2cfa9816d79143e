import { PB2A16S15P, PB2A16S20P, type CapturedPack } from "./data/captured-packs";

/** Behaviour on the wire that depends on the model and its firmware. */
export interface Model {
  readonly name: string;
  readonly start: CapturedPack;
  /** Maximum raw values accepted by the firmware, tighter than the app's range (docs/jk-modbus.md, "Settings"). */
  readonly ceilings: Readonly<Record<string, number>>;
  readonly hardware: string;
  /** The most cells it takes. */
  readonly cells: number;
  /** What it reports as that: firmware before 19 reports 0. */
  readonly maxCells: number;
  /** Whether it answers a read of its limit for discharging in the cold alone (0x1122), as from firmware 19 on. */
  readonly hasDischargeUtp: boolean;
  /** Sixth byte of its frames over RS485 (docs/jk-modbus.md, "Frames"). */
  readonly frameCounter: number;
  readonly protocolVersion: number;
  /** Exception code for FC06 (docs/jk-modbus.md, "Errors"): 2 seen on 15.41, 1 expected from the disassembled 19.21. */
  readonly functionSixException: 1 | 2;
}

const NAME = /^JK[_-]PB(\d)A(\d{1,2})S(\d{1,2})P$/;
const FIRMWARE = /^\d{2}\.\d{2}$/;

const hardwareOf = (firmware: number): string => {
  if (firmware >= 19) return "19A";
  if (firmware >= 15.3) return "15A";
  return firmware >= 15 ? "15.XA" : "14.XA";
};

/**
 * The model by name, `JK_PB<balance A>A<cells>S<discharge 10 A>P`, with a firmware version such as 15.41. Throws an
 * Error with the expected form for anything else.
 */
export function modelOf(name: string, firmware: string): Model {
  const match = NAME.exec(name);
  if (!match) throw new Error(`model ${name} is not of the form JK_PB2A16S20P`);
  if (!FIRMWARE.test(firmware)) throw new Error(`firmware ${firmware} is not of the form 15.41`);
  const [balance, cells, tensOfAmperes] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const version = Number(firmware);
  return {
    name: version >= 19 ? name.replace("_", "-") : name,
    start: tensOfAmperes === 15 ? PB2A16S15P : PB2A16S20P,
    ceilings: { CurBalanMax: balance * 1000, CurBatDcOC: tensOfAmperes * 10_000, CurBatCOC: tensOfAmperes * 10_000 },
    hardware: hardwareOf(version),
    cells,
    maxCells: version >= 19 ? cells : 0,
    hasDischargeUtp: version >= 19,
    frameCounter: version >= 15.41 ? 0 : 5,
    protocolVersion: version >= 19 ? 2 : 0,
    functionSixException: version >= 19 ? 1 : 2,
  };
}
