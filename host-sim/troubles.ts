import type { SimulatedBoard } from "./board";
import { orderHelp, parseOrder } from "./order";

/** Events that can happen to the chip, each with a line of help. */
export const EVENTS = {
  hang: "the firmware hangs, until the task watchdog restarts the chip 30 s later",
  panic: "the firmware crashes, and the chip restarts",
  exception: "the script throws an exception that nothing catches, and the chip restarts",
  "brown-out": "the supply voltage breaks down for a moment",
  "power-cut": "the plug is pulled and put in again",
  button: "the button is held (for=N seconds, default 1): 5 s open the access point, 15 s reset all settings",
} as const;

/** Conditions of the platform, which last: from the start, or from `at`, for `for` seconds or to the end. */
export const CONDITIONS = {
  "no-link": "the cable is unplugged, and no Wi-Fi is in range",
  "no-phy": "the Ethernet driver does not start",
  "no-lease": "no DHCP server answers, and a lease that was had expires",
  "other-lease": "the DHCP server gives another address",
  "no-access-point": "the Wi-Fi driver refuses to open the device's own access point",
  "no-sockets": "no socket can be opened",
  "no-time": "the time server does not answer",
  "no-memory": "one allocation of a platform object fails (nth=N, default the first)",
  "lost-messages": "the message queue is full whenever an interrupt has something to tell",
  "storage-full": "nothing can be stored",
  "storage-fails": "one write of a setting fails (nth=N, default the first)",
  "storage-corrupt": "the stored settings cannot be read when the chip starts: they are set aside",
  "storage-closed": "the storage cannot be opened",
  "no-serial": "the serial port of the BMS cannot be opened",
  "no-pins": "no pin can be claimed, digital or analogue (pin=N: only that one)",
  "no-conversions": "the ADC converts nothing",
} as const;

export const TROUBLES = { ...EVENTS, ...CONDITIONS } as const;

type Event = keyof typeof EVENTS;
export type Condition = keyof typeof CONDITIONS;
export type Trouble = keyof typeof TROUBLES;

export interface TroubleOrder {
  readonly kind: Trouble;
  /** Seconds from the start, and between repetitions. */
  readonly at: number;
  readonly times: number;
  /** How long the button is held or a condition lasts, seconds; Infinity: to the end. */
  readonly for: number;
  /** For `no-memory` and `storage-fails`. */
  readonly nth: number;
  /** For `no-pins`: the only one. */
  readonly pin?: number;
}

const EVENT_DEFAULTS = { at: 10, times: 1, for: 1, nth: 1 } as const;
const CONDITION_DEFAULTS = { at: 0, times: 1, for: Infinity, nth: 1 } as const;

const EVENT_OPTIONS = {
  at: { lowest: 1, highest: 1_000_000 },
  times: { lowest: 1, highest: 1_000_000 },
  for: { lowest: 1, highest: 3_600, kind: "button" },
} as const;
const CONDITION_OPTIONS = {
  at: { lowest: 0, highest: 1_000_000 },
  times: { lowest: 1, highest: 1_000_000 },
  for: { lowest: 1, highest: 1_000_000 },
} as const;
const NTH_OPTIONS = { ...CONDITION_OPTIONS, nth: { lowest: 1, highest: 1_000_000 } } as const;
const PIN_OPTIONS = { ...CONDITION_OPTIONS, pin: { lowest: 0, highest: 39 } } as const;

const SECOND = 1_000;

const isCondition = (kind: string): kind is Condition => Object.hasOwn(CONDITIONS, kind);

function optionsOf(kind: string): typeof EVENT_OPTIONS | typeof CONDITION_OPTIONS {
  if (kind === "no-memory" || kind === "storage-fails") return NTH_OPTIONS;
  if (kind === "no-pins") return PIN_OPTIONS;
  return isCondition(kind) ? CONDITION_OPTIONS : EVENT_OPTIONS;
}

/**
 * Parses a trouble: an event `KIND[:at=N][:times=N]`, `button` also with `:for=N`, or a condition
 * `KIND[:at=N][:for=N][:times=N]`. Throws an Error with a message for the user if the text is invalid.
 */
export function parseTrouble(text: string): TroubleOrder {
  const kind = text.trim().split(":")[0] ?? "";
  const defaults = isCondition(kind) ? CONDITION_DEFAULTS : EVENT_DEFAULTS;
  return { ...defaults, ...parseOrder<Trouble>("trouble", text, TROUBLES, optionsOf(kind)) };
}

export const troubleHelp = (): string => orderHelp(TROUBLES);

const STRIKES: Readonly<Record<Event, (board: SimulatedBoard, order: TroubleOrder) => void>> = {
  hang: (board) => board.hang(),
  panic: (board) => board.panic(),
  exception: (board) => board.abort(),
  "brown-out": (board) => board.brownOut(),
  "power-cut": (board) => board.powerCut(),
  button: (board, order) => board.press(order.for * SECOND),
};

/** The pads of the ESP32 that anything on the board could claim. */
const ALL_PINS = Array.from({ length: 40 }, (_, pin) => pin);
/** Another address of this machine, so that what is sent to it arrives. */
const OTHER_ADDRESS = "127.0.0.2";

type Begin = (board: SimulatedBoard, order: TroubleOrder) => (() => void) | void;

/** Each begins its condition; the function that it returns ends it. */
const BEGINNINGS: Readonly<Record<Condition, Begin>> = {
  "no-link"({ ethernet, air }) {
    const { cable } = ethernet;
    const networks = air.networks;
    ethernet.cable = false;
    for (const { ssid } of networks) air.remove(ssid);
    return () => {
      ethernet.cable = cable;
      for (const network of networks) air.add(network);
    };
  },
  "no-phy"({ ethernet }) {
    ethernet.fails = true;
    return () => void (ethernet.fails = false);
  },
  "no-lease"(board) {
    board.lease = undefined;
    return () => void (board.lease = board.network.ip);
  },
  "other-lease"(board) {
    board.lease = OTHER_ADDRESS;
    return () => void (board.lease = board.network.ip);
  },
  "no-access-point": ({ refusals }) => refuse(refusals, "accessPoint"),
  "no-sockets": ({ refusals }) => refuse(refusals, "sockets"),
  "no-time": ({ refusals }) => refuse(refusals, "time"),
  "no-memory": ({ refusals }, { nth }) => refusals.failAllocation(nth),
  "lost-messages": ({ refusals }) => refuse(refusals, "interrupts"),
  "storage-full"({ refusals }) {
    refusals.storage = "full";
    return () => void (refusals.storage = undefined);
  },
  "storage-fails": ({ refusals }, { nth }) => refusals.failWrite(nth),
  "storage-corrupt": ({ storage }) => storage.corrupt(),
  "storage-closed"({ refusals }) {
    refusals.storage = "closed";
    return () => void (refusals.storage = undefined);
  },
  "no-serial": ({ refusals }) => refuse(refusals, "serial"),
  "no-pins"({ refusals }, { pin }) {
    const pins = pin === undefined ? ALL_PINS : [pin];
    for (const one of pins) refusals.pins.add(one);
    return () => pins.forEach((one) => refusals.pins.delete(one));
  },
  "no-conversions": ({ refusals }) => refuse(refusals, "conversions"),
};

type Flag = "accessPoint" | "sockets" | "time" | "interrupts" | "serial" | "conversions";

function refuse(refusals: SimulatedBoard["refusals"], what: Flag): () => void {
  refusals[what] = true;
  return () => void (refusals[what] = false);
}

/** What happens now; a condition ends after its time. */
function strike(board: SimulatedBoard, order: TroubleOrder): void {
  const { kind } = order;
  if (!isCondition(kind)) return STRIKES[kind](board, order);
  const end = BEGINNINGS[kind](board, order);
  if (end && order.for !== Infinity) board.clock.after(order.for * SECOND, end);
}

/**
 * Schedules the trouble for `board` on its clock; `report` is called each time. Call before the board starts: what is to
 * hold from the start begins at once.
 */
export function play(board: SimulatedBoard, order: TroubleOrder, report: (text: string) => void): void {
  const happen = (left: number): void => {
    report(`simulator: ${order.kind}\n`);
    strike(board, order);
    if (left > 1) wait(left - 1);
  };
  const wait = (times: number): void => void board.clock.after(order.at * SECOND, () => happen(times));
  if (order.at === 0) happen(1);
  else wait(order.times);
}
