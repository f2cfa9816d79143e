/** The relay's modes that the code distinguishes (`relay.mode` of the settings). */
export const MANUAL = 0;
export const AUTOMATIC = 1;
