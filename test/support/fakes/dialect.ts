import type { Dialect } from "../../../src/endpoints/context";

/** All that a dialect may show, except what is kept from guests. */
export const DIALECT: Dialect = {
  headers: [],
  queuePath: "",
  forms: true,
  error: (code) => code,
  outcomes: true,
  origin: "page",
  unmeasured: null,
  community: false,
  relay: true,
};
