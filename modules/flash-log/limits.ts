/** Limits of a ring. */

/** Size of what the flash erases at once, bytes. */
export const SECTOR_BYTES = 4_096;

/** One is being filled, one is erased ahead, and one keeps what was. */
export const MIN_SECTORS = 3;
/** A sector's number is one byte where places of records are noted. */
export const MAX_SECTORS = 255;

/** Bytes of a record without time and checks: a record's size is one byte in the header. */
export const MAX_PAYLOAD = 249;

/** Bytes read in one step while a sector is checked for blankness, and while the end of the records is searched. */
export const BLANK_CHECK_BYTES = 256;

/** Latest time that a record can carry, seconds since 1970: the year 2106. All ones are no time. */
export const MAX_TIME = 0xffff_fffe;
