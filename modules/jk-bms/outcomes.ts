/**
 * How a write ended, as reported by the link. confirmed: the reply matched and the value read back is the one written. refused: Modbus exception,
 * and another value, or none, was read back. refused-applied: Modbus exception, but the value read back is the requested one.
 * not-applied: acknowledged, but another value was read back. unverified: acknowledged, but it could not be read back.
 * no-reply: none in time, or damaged, or exception 5 (acknowledge), or an exception to a retry, and nothing could be read back. no-reply-applied: the same, but the value
 * read back is the requested one. no-reply-not-applied: no reply, and another value was read back. mismatch: a reply came, but for something else.
 * not-sent: nothing was written: the word that holds a bit could not be read, or the time was up first.
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
  | "not-sent";
