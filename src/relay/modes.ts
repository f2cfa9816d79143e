/** The relay's modes that the code distinguishes (`relay.mode` of the settings). */
/** By their number, as the interfaces name them. */
export const MODES = Object.freeze(["manual", "automatic", "disabled"] as const, true);
export const MANUAL = 0;
export const AUTOMATIC = 1;
