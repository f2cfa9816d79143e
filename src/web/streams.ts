import TextEncoder from "text/encoder";
import Timer from "timer";
import type { BmsObserver } from "../bms/types";
import type { BusPack } from "../packs/types";
import type { BodySource, Exchange } from "http-server/types";
import { repeat } from "../runtime/timers";
import type { GroupName, SettingsObserver } from "../settings/types";
import { Changes } from "./changes";
import { NO_STORE_HEADERS } from "./headers";
import { MAX_EVENT_BYTES, MAX_LISTENERS, SAMPLE_INTERVAL } from "./limits";
import type { WebDevice } from "./types";
import { principalOf, type Session, type Sessions } from "./sessions";

/** One listening browser. Nothing is queued for it: it gets the newest counters when its window has room. */
class Listener implements BodySource {
  /** The last revision sent to it. */
  sent = 0;

  constructor(
    readonly streams: EventStreams,
    readonly exchange: Exchange,
    readonly session: Session,
  ) {}

  read(into: Uint8Array): number {
    return this.streams.write(this, into);
  }

  close(): void {
    this.streams.forget(this);
  }
}

const NO_LISTENERS: readonly Listener[] = Object.freeze([], true);

/**
 * Server-sent events: at most MAX_LISTENERS listeners, each holding a connection. Without listeners nothing runs and nothing is allocated.
 */
export class EventStreams implements BmsObserver, SettingsObserver {
  private readonly device: WebDevice;
  private readonly sessions: Sessions;
  private listeners = NO_LISTENERS;
  /** Exists while there are listeners. */
  private changes: Changes | undefined;
  private timer: Timer | undefined;
  /** Initial value of the next counters: above all earlier ones. */
  private next = 1;

  constructor(device: WebDevice, sessions: Sessions) {
    this.device = device;
    this.sessions = sessions;
    device.monitor.observe(this);
    device.settings.observe(this);
  }

  packUpdated(pack: BusPack): void {
    this.changes?.sawReply(pack);
  }

  packOnlineChanged(): void {
    this.changes?.sawStatus();
  }

  /** The page says what came instead of replies, also of a BMS that has never answered. */
  packUnanswered(): void {
    this.changes?.sawStatus();
  }

  writeEnded(): void {
    this.changes?.sawWrite();
  }

  settingsChanged(group: GroupName): void {
    this.changes?.sawSettings(group);
  }

  /**
   * Answers with an event stream that ends with the session. One of MAX_LISTENERS gives way to a client who may do more; false if none of
   * them may do less.
   */
  open(exchange: Exchange, session: Session): boolean {
    const who = principalOf(session);
    const full = this.listeners.length >= MAX_LISTENERS;
    const less = full ? this.listeners.find((listener) => principalOf(listener.session) < who) : undefined;
    if (full && !less) return false;
    this.changes ??= new Changes(this.device, this.next);
    this.timer ??= repeat(this, SAMPLE_INTERVAL);
    const listener = new Listener(this, exchange, session);
    this.listeners = [...this.listeners.filter((other) => other !== less), listener];
    // It has ended: see `write`.
    less?.exchange.resume();
    exchange.respond(200, "text/event-stream", listener, NO_STORE_HEADERS);
    return true;
  }

  close(): void {
    Timer.clear(this.timer);
    if (this.changes) this.next = this.changes.next;
    this.timer = this.changes = undefined;
    this.listeners = NO_LISTENERS;
  }

  tick(): void {
    this.sessions.sweep();
    this.changes?.sample();
    const revision = this.changes?.revision;
    for (const { session, sent, exchange } of this.listeners)
      if (sent !== revision || !this.sessions.has(session)) exchange.resume();
  }

  /** Called by a listener: writes the next event if it is due and fits. */
  write(listener: Listener, into: Uint8Array): number {
    const changes = this.changes;
    if (!changes || !this.listeners.includes(listener) || !this.sessions.has(listener.session)) return 0;
    if (listener.sent === changes.revision || into.length < MAX_EVENT_BYTES) return -1;
    // HTML standard, section 9.2.6.
    const event = new TextEncoder().encode(`data: ${changes.json}\n\n`);
    into.set(event);
    listener.sent = changes.revision;
    return event.length;
  }

  /** Removes a listener. */
  forget(gone: Listener): void {
    if (!this.listeners.includes(gone)) return;
    const left = this.listeners.filter((listener) => listener !== gone);
    if (left.length) this.listeners = left;
    else this.close();
  }
}
