/** Who could lose something by a restart of the network. */
export interface Used {
  readonly web: { readonly isInUse: boolean };
  readonly monitor: { readonly writes: { readonly pending: boolean } };
  readonly updater: { readonly isRunning: boolean };
}

/** Somebody is signed in, or a write or an update is under way. */
export const isInUse = ({ web, monitor, updater }: Used): boolean =>
  web.isInUse || monitor.writes.pending || updater.isRunning;
