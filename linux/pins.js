/** What is on the pins. A map that is preloaded can never change, so neither this module nor those that import it are preloaded. */
const levels = new Map();
const analog = new Map();

/** An input that nothing drives is pulled up. */
export const level = (pin) => levels.get(pin) ?? 1;

export const setLevel = (pin, value) => void levels.set(pin, value);

/** 0 to 4095. */
export const counts = (pin) => analog.get(pin) ?? 0;

export const setCounts = (pin, value) => void analog.set(pin, value);
