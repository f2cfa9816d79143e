import type { Clock, ClockEvent } from "../clock";
import { type OrderOption, orderHelp, parseOrder } from "../order";
import { byteTime, type Wire, type WireEnd } from "../wire";
import { withCrc } from "./codec";

const TELEMETRY = 0x1620;
const SETTINGS = 0x161e;
const DEVICE_INFO = 0x161c;
const SECOND = 1_000;
/** Between a reply's end and the next request, ms. */
const PAUSE = 80;
/** Bytes of a frame and its acknowledgement. */
const REPLY_BYTES = 308;

/** What it asks each pack for: when it starts, and then every so many seconds. */
interface Asking {
  readonly first: readonly number[];
  readonly then: readonly number[];
  readonly every: number;
}

/** Programs that read packs by frames, each with a line of help. JK's own master is a BMS: BusMaster. */
export const FRAME_MASTERS = {
  "dbus-serialbattery": "settings and device information once, at its start, then telemetry every second",
  yambms: "telemetry and settings every 5 s, as a master of JK's does",
  esphome: "the component for ESPHome: device information, settings and telemetry every 5 s",
  "home-assistant": "an add-on: telemetry every 5 s, settings once (settings=N: every N seconds; 0: never)",
} as const;

export type FrameMasterKind = keyof typeof FRAME_MASTERS;

const ORDERS: Readonly<Record<FrameMasterKind, Asking>> = {
  "dbus-serialbattery": { first: [SETTINGS, DEVICE_INFO], then: [TELEMETRY], every: 1 },
  yambms: { first: [], then: [TELEMETRY, SETTINGS], every: 5 },
  esphome: { first: [], then: [DEVICE_INFO, SETTINGS, TELEMETRY], every: 5 },
  "home-assistant": { first: [SETTINGS], then: [TELEMETRY], every: 5 },
};

const OPTIONS: Readonly<Record<string, OrderOption<FrameMasterKind>>> = {
  every: { lowest: 1, highest: 3_600 },
  settings: { lowest: 0, highest: 1_000_000, kind: "home-assistant" },
};

export interface FrameMasterOrder {
  readonly kind: FrameMasterKind;
  /** s; undefined: as that program does. */
  readonly every?: number;
  readonly settings?: number;
}

/** Throws an Error with a message for the user if the text is invalid. */
export const parseFrameMaster = (text: string): FrameMasterOrder =>
  parseOrder("other master", text, FRAME_MASTERS, OPTIONS);

export const frameMasterHelp = (): string => orderHelp(FRAME_MASTERS);

/** One of them on the wire. It asks one pack after the other, without listening whether the line is free. */
export class FrameMaster {
  requests = 0;
  /** As many bytes as a reply has came. */
  answered = 0;
  /** It asks for the settings at some time. */
  readonly asksForSettings: boolean;
  readonly every: number;
  readonly #clock: Clock;
  readonly #line: WireEnd;
  readonly #addresses: readonly number[];
  readonly #asking: Asking;
  /** In rounds; 0: not again. */
  readonly #settings: number;
  /** From one request to the next, ms. */
  readonly #gap: number;
  #turn = 0;
  #bytes = 0;
  #next: ClockEvent | undefined;

  constructor(
    {
      clock,
      wire,
      baud = 115_200,
      addresses,
    }: {
      clock: Clock;
      wire: Wire;
      baud?: number | undefined;
      addresses: readonly number[];
    },
    { kind, every, settings }: FrameMasterOrder,
  ) {
    const { first, ...usual } = ORDERS[kind];
    this.#asking = { ...usual, first: settings === 0 ? [] : first, ...(every !== undefined && { every }) };
    this.every = this.#asking.every;
    this.#settings = settings ? Math.max(1, Math.round(settings / this.every)) : 0;
    this.asksForSettings = [...this.#asking.first, ...this.#asking.then].includes(SETTINGS);
    this.#gap = PAUSE + Math.ceil(REPLY_BYTES * byteTime(baud));
    this.#clock = clock;
    this.#addresses = addresses;
    this.#line = wire.join();
    this.#line.onByte = () => this.#bytes++;
    this.#next = clock.after(0, () => this.#round());
  }

  stop(): void {
    this.#clock.cancel(this.#next);
    this.#next = undefined;
  }

  #round(): void {
    const { first, then } = this.#asking;
    const turn = this.#turn++;
    const isSettingsTurn = turn > 0 && this.#settings > 0 && turn % this.#settings === 0;
    const wanted = [...(turn ? [] : first), ...then, ...(isSettingsTurn ? [SETTINGS] : [])];
    const requests = this.#addresses.flatMap((address) => wanted.map((register) => [address, register] as const));
    const end = this.#clock.now + Math.max(this.every * SECOND, requests.length * this.#gap);
    const ask = (at: number): void => {
      if (at > 0 && this.#bytes >= REPLY_BYTES) this.answered++;
      const request = requests[at];
      if (!request) {
        this.#next = this.#clock.at(end, () => this.#round());
        return;
      }
      const [address, register] = request;
      this.requests++;
      this.#bytes = 0;
      this.#line.send(withCrc([address, 0x10, register >> 8, register & 0xff, 0, 1, 2, 0, 0]));
      this.#next = this.#clock.after(this.#gap, () => ask(at + 1));
    };
    ask(0);
  }
}
