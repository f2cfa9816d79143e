/** What a ring needs of a partition: the SDK's `embedded:storage/flash` and its like. Each call throws if the flash fails. */
export interface FlashArea {
  /** Fills `buffer` with the bytes from `at` on. */
  read(buffer: Uint8Array, at: number): unknown;
  /** Clears bits: a byte becomes what it was AND what is written. */
  write(bytes: Uint8Array, at: number): unknown;
  /** Erases sectors [first, end): all bits become 1. */
  eraseBlock(first: number, end: number): unknown;
}

export interface RingOptions {
  readonly flash: FlashArea;
  /** First sector of the area that belongs to the ring. */
  readonly first: number;
  /** MIN_SECTORS to MAX_SECTORS. One of them is always erased ahead. */
  readonly sectors: number;
  /** Size of a record without time and checks, bytes: 1 to MAX_PAYLOAD. */
  readonly payload: number;
  /** 0 to 255: what the records mean. Sectors of another kind or size of record count as empty. */
  readonly kind: number;
  /** BLANK_CHECK_BYTES bytes, which rings of one script can share: nothing is kept in it from call to call. */
  readonly buffer?: Uint8Array;
  /** Two numbers for each sector of the area, which rings of other sectors can share. */
  readonly spans?: Uint32Array;
}
