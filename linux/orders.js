import { MORE_ORDERS } from "more-orders";
import { level, setCounts, setLevel } from "native";

/** What whoever started the program may ask of the firmware: the settings screen, and the world at the pins. */
export const ORDERS = Object.freeze(
  {
    /** `utc`: ms since 1970, as a time server would tell. */
    time: ({ utc }, { clock }) => clock.set(utc),
    configure: ({ group, change }, { settings }) => settings.update(group, change),
    level: ({ pin }) => level(pin),
    drive: ({ pin, value }) => setLevel(pin, value),
    analog: ({ pin, value }) => setCounts(pin, value),
    ...MORE_ORDERS,
  },
  true,
);
