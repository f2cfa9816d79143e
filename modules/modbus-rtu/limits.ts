/** Every limit and timing constant of the master. Times are milliseconds. */

/** Modbus Application Protocol V1.1b3, section 6.3: quantity of registers of one read. */
export const MAX_READ_QUANTITY = 125;
/** Modbus Application Protocol V1.1b3, section 6.12: quantity of registers of one write. */
export const MAX_WRITE_QUANTITY = 123;
/** Modbus over serial line V1.02, section 2.2: individual slaves are 1 to 247. 0 (broadcast there) is let through: some slaves answer as 0. */
export const MAX_ADDRESS = 247;
/** Modbus over serial line V1.02, section 2.5.1: the longest RTU frame. */
export const MAX_ADU_BYTES = 256;

/** The UART's FIFO, each way. A request goes out in one piece, for RTU allows no pause inside a frame: so this bounds it as well. */
export const FIFO_BYTES = 128;
export const MAX_REQUEST_BYTES = FIFO_BYTES;

/** 8N1: a start bit, eight data bits, a stop bit. */
export const BITS_PER_BYTE = 10;

/** A slave starts to answer after 10 to 40 ms as a rule; the slowest tools on record wait 350 to 400. */
export const FIRST_BYTE_TIMEOUT = 400;
/** A reply has its own wire time and this much for pauses inside it and for a busy script. */
export const REPLY_MARGIN = 50;
/** Below 30 a request right after a reply is ignored by known slaves; below 75 stale bytes have been seen. */
export const MIN_GAP = 30;
export const DEFAULT_GAP = 75;
export const MAX_GAP = 1000;
/** Someone else talking on the bus moves a request by this much at the most: a bus that never falls silent must not stop the master. */
export const MAX_DEFERRAL = 500;
/** t1.5 and t3.5 (0.75 and 1.75 ms) cannot be measured by script; after this much silence an unfinished frame is taken for noise. */
export const IDLE_GAP = 20;
/** How often the FIFO is read and the deadlines are looked at while a reply that fits the FIFO is awaited. */
export const POLL_INTERVAL = 10;
/** The same for a reply longer than the FIFO, which fills in 11 ms at 115,200 baud. */
export const DRAIN_INTERVAL = 4;

export const MAX_RETRIES = 5;
/** Receive buffer: the longest frame under judgement plus one FIFO that comes on top of it. */
export const DEFAULT_BUFFER_BYTES = 512;
