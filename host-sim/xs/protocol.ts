/**
 * Protocol on the pipe between the simulator and the XS worker. All numbers are big-endian.
 *
 *     delivery  event u8, levels u8, flags u8, 0, object u32, value i32, ticks i32, bytes
 *            →  status u8, count u8, count × order, bytes
 *     call      operation u8, count u8, 2 × 0, object u32, value i32, count × order, bytes
 *            →  status u8, 3 × 0, value i32, bytes
 *     order     what u8, 3 × 0, object u32, value i32, repeat i32
 *
 * A delivery is a callback of the platform. The firmware calls the platform only from within a delivery, and waits for
 * each reply. If the status is not `STATUS.done`, the bytes are the error's text.
 *
 * Crossing the pipe is most of a call's cost, so frequent kinds do without. Orders, which cannot fail unless FLAG.refuses
 * is set, are carried by the next message and executed before it. `levels` has the pins of up to LEVELS digital
 * inputs, a bit each. What was read of the Ethernet interface, of an analogue input or of the system heap holds until its
 * flag is set.
 */
export const DELIVERY_HEADER = 16;
export const CALL_HEADER = 12;
export const ANSWER_HEADER = 8;
/** Bytes of a delivery's reply before its orders. */
export const REPLY_HEADER = 2;
export const ORDER = 16;
/** Orders in one message. */
export const MAX_ORDERS = 255;
export const LEVELS = 8;

/** A timer's delay, or a pin's level, is the order's value. `fire`: the next of EVENT.onTimers is called from here on. */
export const ORDERED = { setTimer: 0, schedule: 1, unschedule: 2, clearTimer: 3, writePin: 4, fire: 5 } as const;

export const FLAG = { refuses: 1, wiredChanged: 2, analogChanged: 4, heapChanged: 8 } as const;

export const EVENT = {
  /** Runs the firmware's main. The reply is JSON: the names exposed to the simulator. */
  boot: 0,
  /** The bytes are JSON, `[name, ...parameters]`, as is the reply: calls a function exposed by the bundle's entry. */
  ask: 1,
  onReadable: 2,
  onWritable: 3,
  onError: 4,
  onTimer: 5,
  /** 0: the connection, 1: the address. */
  onChanged: 6,
  /** The object's `found` returns the result. */
  onFound: 7,
  onComplete: 8,
  /** A disconnection in the `wifi` module: the value is its code. */
  onDisconnect: 9,
  /** For an MQTT client: the object's `control` returns the message. */
  onControl: 10,
  /** Once the program is loaded, before boot: reads the board's configuration. */
  configure: 11,
  /** Timers that are due one after another: the bytes are their numbers, u32 each. */
  onTimers: 12,
} as const;

/** In numerical order, starting at EVENT.onReadable. */
export const CALLBACKS = [
  "onReadable",
  "onWritable",
  "onError",
  "onTimer",
  "onChanged",
  "onFound",
  "onComplete",
  "onDisconnect",
  "onControl",
] as const;

export const OPERATION = {
  /** The bytes are JSON, an `OpenOrder`. */
  open: 0,
  close: 1,
  /**
   * Reads into a buffer of `value` bytes, or everything available with `ALL`. The reply's value is the count or
   * NOTHING.
   */
  read: 2,
  /** The reply's value is the return value of `write`, or NOTHING. */
  write: 3,
  /** The listener's next socket becomes object `value`. The reply's value is 1, or NOTHING. */
  accept: 4,
  /** The bytes are JSON, `[member, ...parameters]`, as is the reply (empty: undefined). */
  invoke: 5,
  trace: 6,
  /** `value` random bytes. */
  random: 7,
  /** The SHA-256 of the bytes. */
  digest: 8,
  /** The file of that name in the build. The reply's value is its length or NOTHING. */
  resource: 9,
  /**
   * As `invoke`, with bytes, which as JSON would take many times the memory in the firmware: `value` is the length of the JSON, the rest is the
   * last parameter. A result of bytes is the reply's; its value is NOTHING if the result is undefined.
   */
  transfer: 10,
} as const;

/** Number of the object that represents the board itself in OPERATION.invoke. */
export const BOARD = 0;
export const ALL = -1;
export const NOTHING = -1;

export const STATUS = { done: 0, error: 1, typeError: 2, rangeError: 3 } as const;

export type Kind =
  | "serial"
  | "digital"
  | "analog"
  | "tcp"
  | "tls"
  | "listener"
  | "udp"
  | "key-value"
  | "timer"
  | "update"
  | "digest"
  | "resolver"
  | "mqtt"
  | "ethernet"
  | "wifi-station"
  | "wifi";

export interface OpenOrder {
  readonly kind: Kind;
  /** Without the callbacks; a socket to take over is represented by its number, a digital input's bit of `levels` by `bit`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly callbacks: readonly (typeof CALLBACKS)[number][];
}
