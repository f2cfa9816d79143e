/** Progress of an update. */
export type UpdateState = "idle" | "receiving" | "restarting" | "failed";

/** The over-the-air update, as the web interface sees it. */
export interface Update {
  readonly state: UpdateState;
  /** Bytes of the image received, and its size; 0 while unknown. */
  readonly received: number;
  readonly size: number;
  /** Why the last update failed or was rolled back; empty if it was not. */
  readonly error: string;
}

/** The platform's update functions: the inactive slot, the running one, and confirming or rejecting its image. */
export interface Slots {
  /** Size of the slot in bytes. */
  readonly size: number;
  /** Place in flash of the slot that runs. */
  readonly running: number;
  /** Opens the slot for writing an image from its first byte. Throws if there is no slot. */
  open(): SlotWriter;
  /** Confirms the running image: a restart keeps it. */
  confirm(): void;
  /** Rejects the running image: the other one is started. */
  reject(): void;
}

export interface SlotWriter {
  /** Throws on a flash error. */
  write(bytes: Uint8Array): void;
  /** Verifies the image and selects it for the next start. Throws if it is incomplete. */
  complete(): void;
  /** Discards the image unless it is complete. */
  close(): void;
}
