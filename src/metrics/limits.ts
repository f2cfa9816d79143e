/** Limits of the metrics. */

/** Length of an external text as a label, bytes of UTF-8; longer ones are truncated. */
export const MAX_LABEL_BYTES = 32;
/** The same for crash information: task, program counter and about ten levels of the backtrace. */
export const MAX_CRASH_BYTES = 128;
/** Length of a sample line, bytes: the longest has the crash location, which may need escaping. */
export const MAX_LINE_BYTES = 320;
/** Length of the longest value with its line end, bytes: a sign, 16 digits, a decimal point. */
export const MAX_VALUE_BYTES = 19;
/** Length of a family's header, `# HELP …` and `# TYPE …`, bytes. */
export const MAX_FAMILY_HEAD_BYTES = 224;
/** Length of a sample together with its family's header, bytes. */
export const MAX_SAMPLE_BYTES = MAX_FAMILY_HEAD_BYTES + MAX_LINE_BYTES;
/** Bytes that a pack's name, of at most 32 characters, may take beyond one for each character: UTF-8 has up to three for each. */
export const NAME_RESERVE = 64;
