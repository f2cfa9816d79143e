import type { EventCode } from "../src/events/types";
import type { MISDIRECTED } from "../src/web/messages";
import type { ProblemCode, RefusalCode } from "../src/settings/messages";

/** Codes whose texts may have parameters. */
export type MessageCode =
  Exclude<EventCode, "password-lost" | "no-reply"> | ProblemCode | RefusalCode | typeof MISDIRECTED;
