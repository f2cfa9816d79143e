/** The limits of the metrics. */

/** Characters of a label's value; what is beyond is cut off. */
export const MAX_LABEL_CHARACTERS = 32;
/** Bytes of a sample's line: the longest has six labels of the BMS's texts, whose registers hold at most 16 characters. */
export const MAX_LINE_BYTES = 320;
