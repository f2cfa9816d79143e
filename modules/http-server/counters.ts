/** Totals since the start. */
export class Counters {
  /** Requests passed to the handler. */
  requests = 0;
  /** Responses by status class, including the server's own. */
  successful = 0;
  redirected = 0;
  clientErrors = 0;
  serverErrors = 0;
  /** Connections accepted. */
  connections = 0;
  /** Connections refused because all places were taken. */
  refusedConnections = 0;
  /** Connections closed to make room for new ones. */
  evictedConnections = 0;
  /** Requests the server itself answered with an error: malformed, beyond a limit, too slow. */
  protocolErrors = 0;
  /** Handlers and bodies that threw or timed out. */
  faults = 0;

  response(status: number): void {
    if (status < 300) this.successful++;
    else if (status < 400) this.redirected++;
    else if (status < 500) this.clientErrors++;
    else this.serverErrors++;
  }
}
