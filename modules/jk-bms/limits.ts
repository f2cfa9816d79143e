/** Limits and behaviour of the JK PB series over RS485 (with headings of docs/jk-modbus.md), and constants derived from them. */

/** DIP switch ("Addresses"). 0 answers on UART1 only: on UART2 it is a bus master. */
export const MAX_BMS_ADDRESS = 15;

/** Bytes of a block: register byte offsets 0 to 292 ("Frames"). */
export const BLOCK_BYTES = 293;
/** The telemetry up to 0x12EF; a pack may answer up to 123 words in one read ("Reads"). */
export const LONG_QUANTITY = 120;
/** The longest of the reads that every pack is known to answer. */
export const MAX_PLAN_QUANTITY = 57;
/** Polls in a row in which the long read goes unanswered and shorter ones do not, before it is given up … */
export const LONG_READ_DOUBTS = 4;
/** … of a pack that has answered it: on a bad line it would be given up in an hour, and two reads are lost more often than one. */
export const KNOWN_LONG_READ_DOUBTS = 12;
/** How often what lies behind the telemetry's other reads is read, ms: counters and the chemistry. */
export const TAIL_INTERVAL = 10_000;
/** A read-back of one word is as long as one of two, so that both cycle through the same lengths. A text's are all longer. */
export const MIN_READ_BACK_QUANTITY = 2;
/** A read-back requests 0 to 3 extra words, cycling, so that a late reply to one of the previous three has another length. */
export const READ_BACK_LENGTHS = 4;

/** 0x00 bytes between a frame and its acknowledgement: none or one on record ("Triggers"). */
export const MAX_PADDING = 8;

/** ms; a master asks each pack in 4.4 to 7.2 s ("Addresses"). */
export const HEARD_PERIOD = 30_000;

/** The first firmware with a limit for discharging in the cold, as the first two characters of its version. */
export const DISCHARGE_UTP_SINCE = 0x3139;

/** Stands for a byte that a pack does not report, where 0 means something. */
export const UNREPORTED = 0xff;

/** A read without a reply is retried once; the next poll follows anyway. */
export const READ_TRIES = 2;
/** Consecutive polls without an answer before the other read mode is tried, and between wake triggers without effect. */
export const POLLS_BEFORE_CHANGE = 5;

/** What contradicts itself is shown once it has come so many times in a row. */
export const DOUBTED_REPLIES = 3;
/** Voltage of the pack and sum of its cells: mV, and one part in 64. In all captures they agree within 6 mV. */
export const VOLTAGE_TOLERANCE = 100;
/** Power and voltage times current: mW, and a quarter, since a load may change between the two. In all captures but one they agree within 20 mW. */
export const POWER_TOLERANCE = 200_000;
/** How often the settings or the device information are asked for in a read: so many in a row must agree if they are not what is known … */
export const BLOCK_LOOKS = 4;
export const AGREEING_BLOCKS = 2;
/** … or cannot be, or are others than are known and come as frames: of two frames the same bit may be wrong. */
export const AGREEING_RARE = 3;
/** State of charge, and state of health, %. */
export const MAX_CHARGE = 100;
/** State of charge and ampere-hours left, points. */
export const CHARGE_TOLERANCE = 20;
/** Of a frame, from one reply to the next: mV of the pack, mV of the lowest or highest cell, tenths of a degree; and power, mW and one part in 100. */
export const VOLTAGE_JUMP = 200;
export const CELLS_JUMP = 20;
export const TEMPERATURE_JUMP = 20;
export const POWER_ACCURACY = 2_000;

/** A write is an absolute value, so a repeat is harmless. Fewer tries if the time then does not suffice for a read-back. */
export const WRITE_TRIES = 3;
/** Reads by registers that must agree before their value counts: each has another length, so one reply of another master cannot pass for both. */
export const AGREEING_READS = 2;
/** Consecutive reads that contradict each other before the value counts as unreadable: another master reads the same BMS. */
export const MAX_UNSETTLED_READS = 6;
/**
 * A written value is read until the time is up: twice in the current mode, then once in the other, and so on. So many exceptions in a row say
 * that the BMS does not report it.
 */
export const READ_BACK_TRIES = 3;
/** A parameter is applied once it is acknowledged; the second check covers an undetected damaged reply. */
export const READ_BACKS_OF_A_PARAMETER = 2;
/** The emergency countdown may take a moment to show. */
export const READ_BACKS_OF_EMERGENCY = 5;
/** Of the other switches that have changed in the word of one, so many are named. */
export const MAX_NAMED = 2;
/** Between two checks, ms. */
export const READ_BACK_INTERVAL = 200;

/** Text registers hold 16 bytes. */
export const MAX_TEXT = 16;
