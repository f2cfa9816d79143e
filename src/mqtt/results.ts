import type { JsonWriter } from "json/writer";

/** accepted: it waits for the BMS. confirmed: the BMS did it. refused: nothing was done. failed: the BMS did not confirm it. */
export const STATUSES = Object.freeze(["accepted", "confirmed", "refused", "failed"] as const, true);
export type ResultStatus = (typeof STATUSES)[number];

/** What became of a request. */
export interface Result {
  /** The caller's; undefined: it gave none. */
  readonly id: string | undefined;
  readonly name: string;
  readonly status: ResultStatus;
  /** Why it was refused, or how the write ended (RefusalReason, Outcome); undefined: the status says it. */
  readonly code?: string | undefined;
  /** For people. */
  readonly message: string;
}

export function writeResult(json: JsonWriter, { id, name, status, code, message }: Result): void {
  json.open();
  if (id !== undefined) json.string("id", id);
  json.string("name", name);
  json.boolean("ok", status === "confirmed");
  json.string("status", status);
  if (code !== undefined) json.string("code", code);
  json.string("message", message);
  json.close();
}
