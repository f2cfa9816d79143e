import type { Exchange, HeaderLine } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { JobProblem, Origin, RefusalReason } from "../bms/outcomes";
import type { ConditionSource } from "../conditions/types";
import type { EventStore } from "../events/types";
import type { Monitor } from "../bms/types";
import type { Energy } from "../energy/types";
import type { CurrentDay } from "../history/current-day";
import type { RecordStore } from "../history/record-store";
import type { Network } from "../network/types";
import type { SettingChange } from "../packs/setting-changes";
import type { BusPack, SearchProblem } from "../packs/types";
import type { Relay } from "../relay/types";
import type { Sensors } from "../sensors/types";
import type { Build } from "../runtime/build";
import type { Settings } from "../settings/types";
import type { ResourceProblem } from "./problems";
import type { Turns } from "./turns";

/** What the documents and writes of the HTTP interfaces need of the device. */
export interface Sources {
  readonly build: Build;
  readonly settings: Settings;
  readonly monitor: Monitor;
  readonly relay: Relay;
  readonly sensors: Sensors;
  readonly network: Network;
  /** Shared: a document is written from beginning to end within one callback. */
  readonly json: JsonWriter;
  /** Whole seconds since the firmware started. */
  uptime(): number;
  /** The history in flash; undefined: there is none. */
  readonly flashHistory?: HistorySource | undefined;
  readonly storedEvents?: EventStore | undefined;
  readonly energy?: Energy | undefined;
  readonly conditions: ConditionSource;
  /** Of the history's answers. */
  readonly turns: Turns;
  /** Undefined: not started. */
  readonly notify?: NotifySource | undefined;
  /** Seconds since 1970, UTC; undefined while the time is not set. */
  time?(): number | undefined;
  /** Sets the clock and logs who did it. False: a time server keeps it right. */
  setTime?(time: number, who: string): boolean;
  /** Seconds from UTC to the owner's time at `utc`, seconds since 1970. */
  offsetAt?(utc: number): number;
  readonly references: ReferenceSource;
  /** The pack that answers at an address instead of the one that is expected is expected there from now on. False: none does. */
  acceptPack?(pack: BusPack): boolean;
}

/** How each pack was set when that was right. */
export interface ReferenceSource {
  differences(pack: BusPack): readonly SettingChange[] | undefined;
  keep(pack: BusPack, name?: string): boolean;
}

/** Result of the last delivery attempt. */
export interface Delivery {
  /** Empty: it has got through. */
  readonly problem: string;
  /** Of the service's answer; 0: there was none. */
  readonly status: number;
  /** Its own words, without what is secret. */
  readonly answer: string;
  /** All of that as a sentence. */
  readonly words: string;
}

/** Notifications, for those who show or test them. */
export interface NotifySource {
  /** Messages that wait, and for how many seconds the oldest has; undefined: none does, or since before a restart. */
  readonly waiting: number;
  readonly waitingFor: number | undefined;
  /** Messages of this day. */
  readonly today: number;
  /** Of both targets; undefined: both are off. */
  readonly couriers:
    | readonly (Delivery & {
        readonly kind: string;
        /** Messages since it was set. */ readonly sent: number;
      })[]
    | undefined;
  /** Sends a message to the target with this index and calls `done` once. False: another test is not over. */
  sendTest(index: number, done: (delivery: Delivery) => void): boolean;
}

/** The history in flash, for those who read it. */
export interface HistorySource {
  readonly store: RecordStore;
  readonly recorder: {
    /** The day that is not over: its number since 1970 by the owner's time, and Wh; undefined: unknown. */
    readonly today: Pick<CurrentDay, "number" | "chargedWattHours" | "dischargedWattHours">;
    /** Lowest and highest voltage of each cell in it: two big-endian words each, mV; all ones: unknown. */
    readonly cellRanges: Uint8Array;
  };
  /** The last known time when the device started without one, seconds since 1970: it was later. */
  readonly about?: number | undefined;
  /** Answers of records as they are. */
  transfers: number;
}

/** How an HTTP interface answers: what differs for the resources between interfaces. */
export interface Dialect {
  /** Header lines of every answer. */
  readonly headers: readonly HeaderLine[];
  /** Path where a client finds the outcome of a write. */
  readonly queuePath: string;
  /** Resources that support forms accept them as well as JSON. */
  readonly forms: boolean;
  /** Picks what an error says: the code, which the page translates, or the sentence. */
  readonly error: (code: RefusalReason | ResourceProblem | SearchProblem | JobProblem, sentence: string) => string;
  /** Refusals and outcomes of writes have codes beside their sentences; a notification that failed is an outcome. */
  readonly outcomes: boolean;
  /** Of the writes that it queues. */
  readonly origin: Origin;
  /** What GET /api shows for what is not measured; null: the configuration has null, too, for what is not known. */
  readonly unmeasured: 0 | null;
  /** GET /api has the SNMP community, a password. */
  readonly community: boolean;
  /** GET /api has the relay's state even without inputs. */
  readonly relay: boolean;
}

/** Shared by the resources of an interface. A resource names what it reaches of the device: `Context<"monitor" | "relay">`. */
export interface Context<Reached extends keyof Sources = never> {
  readonly device: Pick<Sources, Reached | "json">;
  readonly dialect: Dialect;
  /** The client of the request being answered may only read. */
  readonly reader?: boolean;
  /** It came by a read-only link, which others may have been given: no serial numbers for it, and no writes. */
  readonly byLink?: boolean;
  /** The pack that the request is about: below /api/packs/ the one that the path names, everywhere else the first. */
  readonly pack: BusPack;
}

/** Answers a request. */
export type Answer = (context: Context<keyof Sources>, exchange: Exchange) => void;
