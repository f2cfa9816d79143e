/** Limits of the history. */

/** Duration of a slot, s … */
export const SLOT_SECONDS = 120;
/** … and number of slots: 12 hours, 2,520 bytes. */
export const SLOTS = 360;

/** Watts per unit of stored power: 16 bits cover ±327 kW. */
export const POWER_UNIT = 10;
/** Bytes of the longest row: "-43140,100,-327670,65.535,65.535" plus CRLF. */
export const MAX_ROW_BYTES = 36;

/** What follows is recorded in flash: docs/history.md. */

/** Duration of a fine record, s. */
export const FINE_SECONDS = 600;
/** Cells, temperatures and charge are read at intervals of this many seconds; power and alarms at each reply. */
export const SAMPLE_SECONDS = 10;
/** What is not complete is saved in the retained memory at intervals of this many seconds: a crash loses no more. */
export const SAVE_SECONDS = 30;
/** Interval at which records get their time once it is known, one at a time, and what must be erased is, ms. */
export const TICK = 1_000;
/** Earliest time that a clock can show, 2020-01-01, seconds since 1970: what is below counts from the start. */
export const FIRST_TIME = 1_577_836_800;
/**
 * A clock that is set by more than this many seconds was wrong, and what was recorded by it is taken out: the newest ten minutes without a longer gap,
 * if they are a day at most, or so many seconds where the time goes on as before them. A clock that was right for longer, and is wrong now, costs
 * nothing.
 */
export const CLOCK_JUMP = 3_600;
export const LONGEST_RUN = 86_400;
export const LONGEST_BETWEEN = 604_800;
/** A clock set back by up to this many seconds begins no ten minutes again. */
export const BACK_SECONDS = 60;
/** After a power cut the day is rebuilt from the newest sectors of ten minutes, so many: two days at least … */
export const REBUILD_SECTORS = 3;
/** … and so many records at each reply. */
export const REBUILD_RECORDS = 8;
/** A pack is at rest up to this current, mA, or this part of its capacity a hour, whichever is more … */
export const REST_MILLIAMPERES = 1_000;
export const REST_SHARE = 100;
/** … and its cells are read once it has been for this many seconds. */
export const REST_SECONDS = 600;
/** State of charge from which a pack that is not discharged is full, %. */
export const FULL_CHARGE = 100;
/** The cells of each pack are recorded by the week, from so many packs on by the month. */
export const MANY_PACKS = 5;
/** While the clock is unknown it is noted what the counters show, at intervals of so many seconds; of more notes every other one goes: then those are twice as long. */
export const MARK_INTERVAL = 900;
export const MARKS = 96;
/** Runs of records beside each other, at equal intervals, whose time is added later: with the clock unknown for more, the oldest stay without. */
export const MAX_UNTIMED = 96;

/** Numbers of all ones, as in a record of which they are no part. */
export const UNKNOWN_BYTE = 0xff;
export const UNKNOWN_WORD = 0xffff;
export const UNKNOWN_LONG = 0xffff_ffff;
