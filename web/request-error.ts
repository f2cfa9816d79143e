/** Status 0: no answer. `message` is for display. */
export class RequestError extends Error {
  readonly status: number;
  /** Why a write was refused (RefusalReason); empty if it was not a write. */
  readonly reason: string;
  constructor(status: number, message: string, reason = "") {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}
