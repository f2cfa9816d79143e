/** Packs of unlike voltage that are connected in parallel equalize: through a few milliohms some hundred amperes flow. */
import * as FIELDS from "jk-bms/field-table";
import { readRaw } from "jk-bms/fields";
import { cellCount } from "../catalogue/computed";
import { medianOf } from "./comparison";
import { INRUSH_AGE, INRUSH_BY, INRUSH_CELLS, INRUSH_LOADED } from "./limits";
import type { BusPack } from "./types";

/**
 * What the switch of this name would connect, once it is on: by how much the pack is above the packs that are connected, negative below, mV. 0: no large
 * current would flow; undefined: that is not known. A pack below the others is charged by them, one above discharged.
 */
export function inrushOf(pack: BusPack, packs: readonly BusPack[], name: string): number | undefined {
  const output = name === "charge_mos" ? FIELDS.chargeMos : name === "discharge_mos" ? FIELDS.dischargeMos : undefined;
  if (!output || packs.length < 2) return 0;
  if (!isKnown(pack)) return undefined;
  // An image is of one pack until another's is looked at.
  const { telemetry } = pack;
  if (readRaw(telemetry, output)) return 0;
  const voltage = readRaw(telemetry, FIELDS.packVoltage);
  let current = 0;
  let capacity = 0;
  const voltages: number[] = [];
  for (const other of packs) {
    if (other === pack || !isKnown(other) || !isConnected(other)) continue;
    current += readRaw(other.telemetry, FIELDS.packCurrent);
    capacity += readRaw(other.telemetry, FIELDS.fullCapacity);
    voltages.push(readRaw(other.telemetry, FIELDS.packVoltage));
  }
  if (!voltages.length) return undefined;
  const above = voltage - medianOf(voltages.sort((one, other) => one - other));
  if (above < 0 !== (output === FIELDS.chargeMos)) return 0;
  const drop = (INRUSH_LOADED * Math.abs(current)) / capacity;
  return Math.abs(above) > ((INRUSH_BY + drop) * (cellCount(pack) ?? 0)) / INRUSH_CELLS ? above : 0;
}

const isKnown = ({ age, online, telemetry }: BusPack): boolean =>
  online && telemetry.valid && !telemetry.contradicts && (age as number) < INRUSH_AGE;

const isConnected = ({ telemetry }: BusPack): boolean =>
  readRaw(telemetry, FIELDS.chargeMos) + readRaw(telemetry, FIELDS.dischargeMos) > 0;
