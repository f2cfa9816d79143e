/** Status 0: no answer. `message` is for display. */
export class RequestError extends Error {
  readonly status: number;
  /** Why a write was refused (RefusalReason); empty if it was not a write. */
  readonly reason: string;
  /** off-voltage: by how much the pack is above the connected ones, negative below, V. */
  readonly above: number;
  constructor(status: number, message: string, reason = "", above = 0) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.above = above;
  }
}
