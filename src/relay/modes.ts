/** The relay's modes by their number (`relay.mode` of the settings), as the interfaces name them; then those that the code distinguishes. */
export const MODES = Object.freeze(["manual", "automatic", "disabled"] as const, true);
export const MANUAL = 0;
export const AUTOMATIC = 1;
