import type { ReadLog } from "../../../src/events/changes";

/** An empty log. */
export const NO_EVENTS: ReadLog = {
  newest: 0,
  length: 0,
  at: (index) => {
    throw new RangeError(`no event ${index}`);
  },
};
