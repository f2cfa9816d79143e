/**
 * What goes over the pipe between the simulator and the XS worker. All numbers big-endian.
 *
 *     delivery  event u8, 3 × 0, object u32, value i32, ticks i32, bytes    →  status u8, bytes
 *     call      operation u8, 3 × 0, object u32, value i32, bytes           →  status u8, 3 × 0, value i32, bytes
 *
 * A delivery is a callback of the platform; the firmware's calls of the platform happen inside one, and each waits for its answer. With a
 * status other than `STATUS.done` the bytes are the error's text.
 */
export const DELIVERY_HEADER = 16;
export const CALL_HEADER = 12;
export const ANSWER_HEADER = 8;

export const EVENT = {
  /** Runs the firmware's main. The answer is JSON: the names that may be asked for. */
  boot: 0,
  /** The bytes are JSON, `[name, ...parameters]`, as is the answer: a function that the bundle's entry exposes. */
  ask: 1,
  onReadable: 2,
  onWritable: 3,
  onError: 4,
  onTimer: 5,
  /** 0: the connection, 1: the address. */
  onChanged: 6,
  /** The object's `found` answers what. */
  onFound: 7,
  onComplete: 8,
  /** Of the `wifi` module, a disconnection: the value is its code. */
  onDisconnect: 9,
  /** The board's name server has an answer. */
  onResolved: 10,
  /** Of an MQTT client: the object's `control` answers what. */
  onControl: 11,
} as const;

/** In the order of their numbers, from EVENT.onReadable on. */
export const CALLBACKS = [
  "onReadable",
  "onWritable",
  "onError",
  "onTimer",
  "onChanged",
  "onFound",
  "onComplete",
  "onDisconnect",
  "onResolved",
  "onControl",
] as const;

export const OPERATION = {
  /** The bytes are JSON, an `OpenOrder`. */
  open: 0,
  close: 1,
  /** Into a buffer of `value` bytes, or with `ALL` whatever is there. The answer's value is the count or NOTHING. */
  read: 2,
  /** The answer's value is what `write` returned, or NOTHING. */
  write: 3,
  /** The listener's next socket becomes object `value`. The answer's value is 1, or NOTHING. */
  accept: 4,
  /** The bytes are JSON, `[member, ...parameters]`, as is the answer (empty: undefined). */
  invoke: 5,
  trace: 6,
  /** `value` random bytes. */
  random: 7,
  /** The SHA-256 of the bytes. */
  digest: 8,
  /** The file of that name among the build's. The answer's value is its length or NOTHING. */
  resource: 9,
} as const;

/** The object that stands for the board itself in OPERATION.invoke. */
export const BOARD = 0;
export const ALL = -1;
export const NOTHING = -1;

export const STATUS = { done: 0, error: 1, typeError: 2, rangeError: 3 } as const;

export type Kind =
  | "serial"
  | "digital"
  | "analog"
  | "tcp"
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
  | "wifi"
  | "name";

export interface OpenOrder {
  readonly kind: Kind;
  /** Without the callbacks; a socket to take over is its number. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly callbacks: readonly (typeof CALLBACKS)[number][];
}
