import { MORE_ORDERS } from "more-orders";
import { level, setCounts, setHeap, setLevel } from "native";

/** Commands from the parent process: settings, time and pin levels. */
export const ORDERS = Object.freeze(
  {
    /** Sets the time as a time server would; `utc`: ms since 1970. */
    time: ({ utc }, { clock }) => clock.set(utc),
    configure: ({ group, change }, { settings }) => settings.update(group, change),
    level: ({ pin }) => level(pin),
    drive: ({ pin, value }) => setLevel(pin, value),
    /** Simulated heap figures, bytes; unknown until set. */
    heap: ({ free, least, block }) => setHeap(free, least, block),
    analog: ({ pin, value }) => setCounts(pin, value),
    ...MORE_ORDERS,
  },
  true,
);
