/** Limits of what is known of a pack: when it is online, and when its blocks are read. All times in milliseconds. */

/** Offline after this many consecutive telemetry polls without a valid reply … */
export const OFFLINE_POLLS = 3;
/** … or this long without one, whichever is later (docs/api.md, "Online and configurationLoaded"). */
export const OFFLINE_TIME = 5000;

/** Of several packs one is asked less often once it falls silent: offline after this many polls in a row … */
export const OFFLINE_POLLS_IN_BANK = 3;
/** … and OFFLINE_TIME, or this many rounds of the others, whichever is longer. */
export const OFFLINE_ROUNDS = 3;
/** Multiplier of that time after a single missed poll: among many silent packs the second one may take a while to come. */
export const OFFLINE_PATIENCE = 3;

/** Polls without a valid reply take at most one part in so many of the bus's time, while other packs answer. */
export const SILENT_SHARE = 10;
/** … or one in so many at a start and when a pack has fallen silent, for so long; because of the same pack once in GRACE_PAUSE. */
export const GRACE_SHARE = 2;
export const GRACE = 60_000;
export const GRACE_PAUSE = 10 * 60_000;
/** Cap on unused bus time that silent packs may save up: a pack that is missed once is asked again in the next round. */
export const SILENT_CREDIT = 5_000;
/** Cap on the bus time that several packs overdraw when they fall silent at once. */
export const SILENT_DEBT = 20_000;
/** A pack that is offline waits for those that have only just fallen silent, up to this. */
export const OFFLINE_TURN = 20_000;
/** A silent pack that is written to is tried at once, unless more than this is overdrawn. */
export const URGENT_DEBT = 10_000;

/**
 * A write is not started with less time than this left: one attempt takes the wait for a reply, some 220 ms, plus the
 * preceding gap (the default one; with a longer gap the link sends nothing if its reply would be too late).
 */
export const WRITE_MINIMUM = 350;
/** The serial number is read before and after a write to one of several packs; so much of the time is kept for afterwards: three tries. */
export const IDENTITY_RESERVE = 1_000;

/** A pack of several is asked for its serial number so often … */
export const IDENTITY_PERIOD = 60_000;
/** … or as often as it takes one part in so many of the bus's time, all packs together. */
export const IDENTITY_SHARE = 33;

/**
 * A pack that has answered so many of its last MAX_TRUST polls, less TRUST_LOST for each one lost, is asked up to twice more when a reply is lost; below
 * that it begins anew …
 */
export const TRUSTED = 3;
export const MAX_TRUST = 8;
export const TRUST_LOST = 3;
/** … unless so many polls in a row have been lost in spite of that, in one round. */
export const LOST_IN_A_ROW = 2;
/** A silent pack may be asleep: it is woken until it has missed so many polls. */
export const MAX_WAKES = 3;

/**
 * A pack whose voltage differs by more than this from that of the connected packs, mV with INRUSH_CELLS cells, and by more than their current alone
 * makes, mV at the current of their capacity in an hour, is connected only on an explicit yes. Values older than INRUSH_AGE, ms, are not compared.
 */
export const INRUSH_BY = 300;
export const INRUSH_CELLS = 16;
export const INRUSH_LOADED = 4_200;
export const INRUSH_AGE = 5_000;

/** After the start, s: until then a bank is not summed up unless all packs answer. */
export const BANK_SETTLING = 10;

/** Characters of a serial number: the register's bytes. */
export const MAX_SERIAL = 16;
/** Longest text of the stored serial numbers, characters: of 16 packs, each byte escaped. */
export const MAX_STORED_SERIALS = 2_048;

/** What a search keeps of a pack: address, cells, baud rate, model and serial number. */
export const FOUND_BYTES = 34;
/** Packs that a search at both baud rates keeps. */
export const MAX_FOUND = 16;
/** While no pack has ever answered, a search listens for so long at each baud rate before it asks, ms … */
export const SEARCH_LISTEN = 10_000;
/** … and once it has heard anything, until the line has been silent for so long, … */
export const SEARCH_SILENCE = 30_000;
/** … for which it waits so long at most, and once more if it is disturbed: then it gives the baud rate up. */
export const SEARCH_PATIENCE = 60_000;
/** How often it looks whether the line is silent. */
export const SEARCH_LOOK = 500;

/** While another master is listened to: offline after this many of its cycles without telemetry … */
export const OFFLINE_CYCLES = 3;
/** … or this long, whichever is later. JK masters take 4.4 to 7.2 s a cycle. */
export const OFFLINE_LISTENING = 15_000;
/** Its cycle until it has been measured. */
export const USUAL_CYCLE = 5_000;
/** A longer pause between two frames is no cycle. */
export const MAX_CYCLE = 120_000;

/** How often the setup is re-read, since it can also change through the vendor's app: of one of several packs, so that a change is told within five minutes, and of one alone … */
export const SETUP_PERIOD = 290_000;
export const LONE_SETUP_PERIOD = 60_000;
/** … and when a MOSFET or the capacity of the telemetry changes, but no more often than this. */
export const SETUP_PAUSE_AFTER_CHANGE = 10_000;
/** How often the device information is re-read: it rarely changes and its counters are slow. */
export const DEVICE_INFO_PERIOD = 60 * 60_000;
/** The BMS's own log is read once it has come online, and then so often. */
export const LOG_PERIOD = 60 * 60_000;
/** A failed block read is retried after each subsequent successful poll, up to this many attempts in all … */
export const BLOCK_ATTEMPTS = 3;
/** … then only after a pause, so that a pack that never serves the block costs few telemetry polls. */
export const SETUP_PAUSE = 30_000;
export const DEVICE_INFO_PAUSE = 5 * 60_000;

/** The link is weak, or poor, while more than this share of the requests of the last LINK_QUALITY_PERIODS × LINK_QUALITY_PERIOD is lost, % … */
export const SOME_LOST_PERCENT = 10;
export const MANY_LOST_PERCENT = 25;
/** … of at least this many: one lost request among the first is no verdict. */
export const MIN_QUALITY_REQUESTS = 10;
export const LINK_QUALITY_PERIODS = 5;
/** ms */
export const LINK_QUALITY_PERIOD = 60_000;

/** Two proofs within so many seconds: two packs share an address … */
export const SHARED_WITHIN = 300;
/** … until there has been none for so many. A pack of a large bank gives one in 75 s at least, when it tells its serial number. */
export const SHARED_FOR = 600;
/** Telemetry is another pack's if the time of running differs by more than so many seconds, or the charge by as many Ah: more than a minute brings. */
export const OTHER_PACK_BY = 10;

/** What counts a pack's late replies rises by so much with each, up to MAX_LATENESS, and falls by one with each poll without a reply … */
export const LATENESS = 3;
export const MAX_LATENESS = 6;
/** … from here on the pack is late: two replies in two polls. */
export const LATE_FROM = 4;
/** One that has answered late since its last reply in time is polled again after so many ms at least. */
export const LATE_PAUSE = 5_000;

/** Probes that are not read at each poll are old after so many times as long as it usually takes to read them … */
export const TAILS_MISSED = 3;
/** … but not before so many ms. */
export const TAIL_OLD_AFTER = 120_000;

/** What was told of a pack's settings is stored so often at most, s. */
export const REFERENCE_PERIOD = 86_400;

/** More changes of a pack's settings than this … */
export const MANY_CHANGES = 3;
/** … are told as one, and what follows within so many seconds together. */
export const CHANGES_TOGETHER = 60;

/** What energy has flowed is unknown for more than so many tenths of a percent … */
export const SHORT_BY = 10;
/** … of the last ENERGY_PERIODS times so many seconds, the current one included. */
export const ENERGY_PERIOD = 21_600;
export const ENERGY_PERIODS = 4;

/** Protection limits of a bank's packs count as alike within so many mV, mA and tenths of a degree Celsius. */
export const ALIKE_VOLTAGE = 10;
export const ALIKE_CURRENT = 1_000;
export const ALIKE_TEMPERATURE = 10;
