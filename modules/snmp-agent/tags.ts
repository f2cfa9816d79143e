/** Protocol constants: BER tags (X.690), SMI types (RFC 2578), PDUs and error codes (RFC 3416, section 3). */

export const INTEGER = 0x02;
export const OCTET_STRING = 0x04;
export const NULL = 0x05;
export const OBJECT_IDENTIFIER = 0x06;
export const SEQUENCE = 0x30;

export const COUNTER32 = 0x41;
/** Gauge32 and Unsigned32. */
export const GAUGE32 = 0x42;
export const TIME_TICKS = 0x43;

/** Exceptions in place of a value, v2c only. */
export const NO_SUCH_OBJECT = 0x80;
export const NO_SUCH_INSTANCE = 0x81;
export const END_OF_MIB_VIEW = 0x82;

export const GET = 0xa0;
export const GET_NEXT = 0xa1;
export const RESPONSE = 0xa2;
export const SET = 0xa3;
export const TRAP_V1 = 0xa4;
export const GET_BULK = 0xa5;
export const INFORM = 0xa6;
export const TRAP_V2 = 0xa7;
export const REPORT = 0xa8;

export const NO_ERROR = 0;
export const TOO_BIG = 1;
/** v1 only. */
export const NO_SUCH_NAME = 2;
export const GEN_ERR = 5;
/** v2c only. */
export const NOT_WRITABLE = 17;

/** The version field of a message. */
export const V1 = 0;
export const V2C = 1;
