/** The limits of the metrics. */

/** Characters of a label's value; what is beyond is cut off. */
export const MAX_LABEL_CHARACTERS = 32;
/** The same where it tells of a crash: task, program counter and some ten steps of the backtrace. */
export const MAX_CRASH_CHARACTERS = 128;
/** Bytes of a sample's line: the longest has six labels of the BMS's texts, whose registers hold at most 16 characters. */
export const MAX_LINE_BYTES = 320;
/** Bytes of a family's head, `# HELP …` and `# TYPE …`. */
export const MAX_FAMILY_HEAD_BYTES = 224;
/** Bytes of a sample with the head of its family. */
export const MAX_SAMPLE_BYTES = MAX_FAMILY_HEAD_BYTES + MAX_LINE_BYTES;
