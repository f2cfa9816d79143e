import type { JsonWriter } from "json/writer";

/** accepted: queued for the BMS. confirmed: executed by the BMS. refused: not executed. failed: not confirmed by the BMS. */
export const STATUSES = Object.freeze(["accepted", "confirmed", "refused", "failed"] as const, true);
export type ResultStatus = (typeof STATUSES)[number];

/** Result of a request. */
export interface Result {
  /** The client's id; undefined: none given. */
  readonly id: string | undefined;
  readonly name: string;
  /** Address of the further pack it was for; undefined: the first, or none. */
  readonly pack?: number | undefined;
  readonly status: ResultStatus;
  /** Why it was refused, or how the write ended (RefusalReason, Outcome); undefined: the status is enough. */
  readonly code?: string | undefined;
  /** Human-readable. */
  readonly message: string;
}

export function writeResult(json: JsonWriter, { id, name, pack, status, code, message }: Result): void {
  json.open();
  if (id !== undefined) json.string("id", id);
  json.string("name", name);
  if (pack !== undefined) json.integer("pack", pack);
  json.boolean("ok", status === "confirmed");
  json.string("status", status);
  if (code !== undefined) json.string("code", code);
  json.string("message", message);
  json.close();
}
