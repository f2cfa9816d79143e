/** Requests to write a parameter of the BMS, as every interface takes them. */
import { findParameter, type ParameterRow } from "./parameters";
import { isGiven, type Given } from "./validate";

export interface ParameterRequest {
  /** The row, or the name given if there is no such parameter. */
  readonly parameter: ParameterRow | string;
  readonly value: Given;
}

/** Undefined if malformed. A JSON boolean is a value of switches alone. Whether the value is valid: `toRaw`. */
export function parameterRequest(name: unknown, value: unknown): ParameterRequest | undefined {
  if (typeof name !== "string" || !isGiven(value)) return undefined;
  const row = findParameter(name);
  if (typeof value === "boolean" && row?.quantity.kind !== "boolean") return undefined;
  return { parameter: row ?? name, value };
}
