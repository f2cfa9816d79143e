/** How far an update has come. */
export type UpdateState = "idle" | "receiving" | "restarting" | "failed";

/** The update over the air, for the web interface. */
export interface Update {
  readonly state: UpdateState;
  /** Bytes of the image taken so far, and in all; 0 while nothing is known. */
  readonly received: number;
  readonly size: number;
  /** Why the last one failed, or was taken back after the restart; empty: none did. */
  readonly error: string;
}

/** What the platform does for an update: the slot that is not running, and the fate of the one that is. */
export interface Slots {
  /** Bytes of the slot. */
  readonly size: number;
  /** Opens the slot for an image, which is written from its first byte on. Throws when there is none. */
  open(): SlotWriter;
  /** The running image is good: a restart keeps it. */
  confirm(): void;
  /** The running image is bad: the other one is started. */
  reject(): void;
  restart(): void;
}

export interface SlotWriter {
  /** Throws when the flash fails. */
  write(bytes: Uint8Array): void;
  /** Checks the image and makes it the next to be started. Throws when it is not whole. */
  complete(): void;
  /** Gives it up when it is not complete. */
  close(): void;
}
