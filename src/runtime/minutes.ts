/** Times in retained memory: minutes since 2020-01-01 in 24 bits, which last until 2051. 0: unknown. */
const MINUTE = 60;
/** 2020-01-01, s since 1970. */
const EPOCH = 1_577_836_800;
const MAX_MINUTES = 0xff_ffff;

/** `time`: seconds since 1970; before 2020: unknown. */
export const minutesOf = (time: number): number =>
  Math.min(Math.max(0, Math.floor((time - EPOCH) / MINUTE)), MAX_MINUTES);

/** Seconds since 1970; undefined: unknown. */
export const timeOf = (minutes: number): number | undefined => (minutes ? EPOCH + minutes * MINUTE : undefined);
