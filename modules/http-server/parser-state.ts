import { type Numbers, PROBLEM } from "./numbers";

/* What the parser of a request's head waits for: see PARSER_STATE. */

/** Nothing of the request has come; what there was of the one before is still there. */
export const NEXT = 0;
export const EMPTY_LINE = 1;
export const EMPTY_LINE_LF = 2;
export const METHOD = 3;
export const TARGET = 4;
export const VERSION = 5;
export const REQUEST_LINE_LF = 6;
export const FIELD_START = 7;
export const NAME = 8;
export const BEFORE_VALUE = 9;
export const VALUE = 10;
export const FIELD_LF = 11;
export const LAST_LF = 12;
export const COMPLETE = 13;

/** The request is refused for what is at `at`; `problem` is a number of problems.ts. Answers how far the parser got. */
export function fail(numbers: Numbers, problem: number, at: number): number {
  numbers[PROBLEM] = problem;
  return at;
}
