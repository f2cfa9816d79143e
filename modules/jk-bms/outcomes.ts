/**
 * How a write ended, as reported by the link. confirmed: the reply matched and the value read back is the one written. refused: Modbus exception,
 * and another value, or none, was read back. refused-applied: Modbus exception, but the value read back is the requested one.
 * not-applied: acknowledged, but another value was read back. unverified: acknowledged, but it could not be read back.
 * no-reply: none in time, or damaged, or exception 5 (acknowledge), or an exception to a retry, and nothing could be read back. no-reply-applied: the same, but the value
 * read back is the requested one. no-reply-not-applied: no reply, and another value was read back. mismatch: a reply came, but for something else.
 * not-sent: nothing was written: the BMS did not answer before, when its serial number or the word that holds a bit was asked for.
 * not-sent-busy: nothing was written: another master has been heard, the word changed from read to read, the time was up first, or the port was closed.
 * not-sent-other: nothing was written: another pack than expected answers at the address.
 * unidentified: the value read back is the requested one, but afterwards the pack could not be identified.
 * exchanged: a value was written, but afterwards another pack answers at the address.
 */
export type WriteOutcome =
  | "confirmed"
  | "refused"
  | "refused-applied"
  | "not-applied"
  | "unverified"
  | "no-reply"
  | "no-reply-applied"
  | "no-reply-not-applied"
  | "mismatch"
  | "not-sent"
  | "not-sent-busy"
  | "not-sent-other"
  | "unidentified"
  | "exchanged";
