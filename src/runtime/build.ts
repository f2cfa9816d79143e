/** Names of the firmware and the board, fixed at build time. */
export interface Build {
  readonly softwareName: string;
  readonly version: string;
  /** Commit the firmware was built from, or "unknown". */
  readonly build: string;
  readonly boardVersion: string;
  /** Address of the project, if it was published when the firmware was built. */
  readonly homepage?: string;
}
