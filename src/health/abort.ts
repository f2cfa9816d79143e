import { keep, recall } from "application";
import { hasValidCrc } from "modbus/crc";
import TextDecoder from "text/decoder";
import { ABORT_AT, ABORT_BYTES } from "../runtime/retained";

/** Why XS ended the previous run's script, and forgets it; empty: it did not. */
export function takeAbort(): string {
  const record = new Uint8Array(ABORT_BYTES);
  recall(record, ABORT_AT);
  const length = record[0] as number;
  if (!length || length > ABORT_BYTES - 3 || !hasValidCrc(record, 0, ABORT_BYTES)) return "";
  const text = new TextDecoder().decode(record.subarray(1, 1 + length));
  keep(record.fill(0), ABORT_AT);
  return text;
}
