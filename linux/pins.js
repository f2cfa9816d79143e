/** What is on the pins: module variables, so this module is not preloaded. */
const levels = new Map();
const analog = new Map();

/** An input that nothing drives is pulled up. */
export const level = (pin) => levels.get(pin) ?? 1;

export const setLevel = (pin, value) => void levels.set(pin, value);

/** 0 to 4095. */
export const counts = (pin) => analog.get(pin) ?? 0;

export const setCounts = (pin, value) => void analog.set(pin, value);
