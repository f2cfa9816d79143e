import type { SimulatedBoard } from "./board";
import { orderHelp, parseOrder } from "./order";

/** Events that can happen to the chip, each with a line of help. */
export const TROUBLES = {
  hang: "the firmware hangs, until the task watchdog restarts the chip 30 s later",
  panic: "the firmware crashes, and the chip restarts",
  "brown-out": "the supply voltage breaks down for a moment",
  "power-cut": "the plug is pulled and put in again",
  button: "the button is held (for=N seconds, default 1): 5 s open the access point, 15 s reset all settings",
} as const;

export type Trouble = keyof typeof TROUBLES;

export interface TroubleOrder {
  readonly kind: Trouble;
  /** Seconds from the start, and between repetitions. */
  readonly at: number;
  readonly times: number;
  /** For `button`: how long it is held, seconds. */
  readonly for: number;
}

const DEFAULTS = { at: 10, times: 1, for: 1 } as const;

const OPTIONS = {
  at: { lowest: 1, highest: 1_000_000 },
  times: { lowest: 1, highest: 1_000_000 },
  for: { lowest: 1, highest: 3_600, kind: "button" },
} as const;

const SECOND = 1_000;

/**
 * Parses a command-line event: `KIND[:at=N][:times=N]`, `button` also with `:for=N`. Throws an Error with a message for
 * the user if the text is invalid.
 */
export const parseTrouble = (text: string): TroubleOrder => ({
  ...DEFAULTS,
  ...parseOrder<Trouble>("trouble", text, TROUBLES, OPTIONS),
});

export const troubleHelp = (): string => orderHelp(TROUBLES);

const PLAYS: Readonly<Record<Trouble, (board: SimulatedBoard, order: TroubleOrder) => void>> = {
  hang: (board) => board.hang(),
  panic: (board) => board.panic(),
  "brown-out": (board) => board.brownOut(),
  "power-cut": (board) => board.powerCut(),
  button: (board, order) => board.press(order.for * SECOND),
};

/** Schedules the event for `board` on its clock; `report` is called each time. */
export function play(board: SimulatedBoard, order: TroubleOrder, report: (text: string) => void): void {
  const strike = (left: number): void => {
    report(`simulator: ${order.kind}\n`);
    PLAYS[order.kind](board, order);
    if (left > 1) wait(left - 1);
  };
  const wait = (times: number): void => void board.clock.after(order.at * SECOND, () => strike(times));
  wait(order.times);
}
