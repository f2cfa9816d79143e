/** Packs in parallel, compared by what is set in them and who they are: packs of a bank should be alike. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw, type Field } from "jk-bms/fields";
import { settledSetup } from "../catalogue/read";
import * as sets from "../conditions/set";
import type { Conditions } from "../conditions/set";
import { CELLS_DIFFER, LIMITS_DIFFER, NO_IDENTITY, SAME_IDENTITY } from "../conditions/rows";
import { ALIKE_CURRENT, ALIKE_TEMPERATURE, ALIKE_VOLTAGE } from "./limits";
import type { BusPack } from "./types";

/** What is set: the number of cells, then the protection limits. */
const COMPARED: readonly Field[] = Object.freeze(
  [
    FIELDS.cellCount,
    FIELDS.cellUvpVoltage,
    FIELDS.cellUvprVoltage,
    FIELDS.cellOvpVoltage,
    FIELDS.cellOvprVoltage,
    FIELDS.maxChargeCurrent,
    FIELDS.maxDischargeCurrent,
    FIELDS.chargeOtp,
    FIELDS.dischargeOtp,
    FIELDS.chargeUtp,
    FIELDS.mosOtp,
  ],
  true,
);
const FIRST_LIMIT = 1;
const FIRST_CURRENT = 5;
const FIRST_TEMPERATURE = 7;

const toleranceOf = (column: number): number => {
  if (column < FIRST_LIMIT) return 0;
  return column < FIRST_CURRENT ? ALIKE_VOLTAGE : column < FIRST_TEMPERATURE ? ALIKE_CURRENT : ALIKE_TEMPERATURE;
};

export interface LikePack extends BusPack {
  /** Empty: not read since it came online, or it has none. */
  readonly serialNumber: string;
  /** It was heard a single time, beside another master. */
  readonly identityHeardOnce: boolean;
}

interface LikeBank {
  readonly packs: readonly LikePack[];
}

/** Judged anew when the settings, the identity or the presence of a pack may have changed. What has not been read of a pack is not compared. */
export class Likeness {
  private readonly bank: LikeBank;
  private found: readonly Conditions[] = [];
  /** Sum of the packs' revisions when it was judged. */
  private judgedAt = -1;

  constructor(bank: LikeBank) {
    this.bank = bank;
  }

  concernsOf(index: number): Conditions {
    const { packs } = this.bank;
    let revision = 0;
    for (const pack of packs) revision += pack.setupRevision;
    if (revision !== this.judgedAt) {
      this.judgedAt = revision;
      this.judge(packs);
    }
    return this.found[index] ?? sets.NONE;
  }

  private judge(packs: readonly LikePack[]): void {
    const isSettled = packs.map(({ identityHeardOnce, online }) => online && !identityHeardOnce);
    const serials = packs.map(({ serialNumber }, index) => (isSettled[index] ? serialNumber : ""));
    // Numbers: the image of a block may be that of the next pack a moment later.
    const all = packs.map((pack) => {
      const setup = settledSetup(pack);
      return setup ? COMPARED.map((field) => readRaw(setup, field)) : undefined;
    });
    this.found = packs.map(({ deviceInfo }, index) => {
      const serial = serials[index] as string;
      let found = sets.NONE;
      if (isSettled[index] && deviceInfo.valid && !serial) found = sets.plus(found, NO_IDENTITY);
      if (serial && serials.indexOf(serial) !== serials.lastIndexOf(serial)) found = sets.plus(found, SAME_IDENTITY);
      const own = all[index];
      if (own)
        for (let column = 0; column < COMPARED.length; column++)
          if (isOdd(own, all, column)) found = sets.plus(found, column < FIRST_LIMIT ? CELLS_DIFFER : LIMITS_DIFFER);
      return found;
    });
  }
}

/** At most half of the packs that are known have its value. Of two that differ, both are odd. */
function isOdd(own: readonly number[], all: readonly (readonly number[] | undefined)[], column: number): boolean {
  let known = 0;
  let alike = 0;
  for (const other of all)
    if (other) {
      known++;
      if (Math.abs((other[column] as number) - (own[column] as number)) <= toleranceOf(column)) alike++;
    }
  return known > 1 && 2 * alike <= known;
}
