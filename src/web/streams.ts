import Time from "time";
import Timer from "timer";
import type { BodySource, Exchange } from "http-server/types";
import type { JsonWriter } from "json/writer";
import type { Changes } from "./changes";
import { NO_STORE_HEADERS } from "./headers";
import { HEARTBEAT, MAX_EVENT_BYTES, MAX_LISTENERS, SAMPLE_INTERVAL } from "./limits";
import type { Session, Sessions } from "./sessions";

/** "data: " and the line ends behind it, in the terms of the HTML standard, section 9.2.6. */
const DATA = "data: ";
const LF = 0x0a;

/** One browser that listens. Nothing is kept for it: it gets what is newest when its window has room. */
class Listener implements BodySource {
  readonly exchange: Exchange;
  readonly session: Session;
  readonly #changes: Changes;
  readonly #json: JsonWriter;
  readonly #gone: (listener: Listener) => void;
  #sent = -1;
  #sentAt = 0;

  constructor(
    exchange: Exchange,
    session: Session,
    changes: Changes,
    json: JsonWriter,
    gone: (listener: Listener) => void,
  ) {
    this.exchange = exchange;
    this.session = session;
    this.#changes = changes;
    this.#json = json;
    this.#gone = gone;
  }

  get due(): boolean {
    const silent = (Time.ticks - this.#sentAt) | 0;
    return this.session.ended || this.#changes.revision !== this.#sent || silent < 0 || silent >= HEARTBEAT;
  }

  read(into: Uint8Array): number {
    if (this.session.ended) return 0;
    if (!this.due || into.length < MAX_EVENT_BYTES) return -1;
    let length = 0;
    for (; length < DATA.length; length++) into[length] = DATA.charCodeAt(length);
    const json = this.#json.begin(into.subarray(length));
    this.#changes.write(json);
    length += json.end();
    into[length++] = LF;
    into[length++] = LF;
    this.#sent = this.#changes.revision;
    this.#sentAt = Time.ticks;
    return length;
  }

  close(): void {
    this.#gone(this);
  }
}

/** The server-sent events: at most MAX_LISTENERS listeners, each with a connection; without any nothing runs. */
export class EventStreams {
  readonly #changes: Changes;
  readonly #sessions: Sessions;
  readonly #json: JsonWriter;
  readonly #listeners: Listener[] = [];
  #timer: Timer | undefined;

  constructor(changes: Changes, sessions: Sessions, json: JsonWriter) {
    this.#json = json;
    this.#changes = changes;
    this.#sessions = sessions;
  }

  /** Answers with a stream that ends with the session. False: there are as many as there may be. */
  open(exchange: Exchange, session: Session): boolean {
    if (this.#listeners.length >= MAX_LISTENERS) return false;
    if (!this.#listeners.length) {
      this.#changes.touchAll();
      this.#timer = Timer.repeat(() => this.tick(), SAMPLE_INTERVAL);
    }
    const listener = new Listener(exchange, session, this.#changes, this.#json, (gone) => this.forget(gone));
    this.#listeners.push(listener);
    exchange.respond(200, "text/event-stream", listener, NO_STORE_HEADERS);
    return true;
  }

  close(): void {
    this.#listeners.length = 0;
    this.stop();
  }

  private tick(): void {
    this.#sessions.sweep();
    this.#changes.sample();
    for (const listener of [...this.#listeners]) if (listener.due) listener.exchange.resume();
  }

  private forget(listener: Listener): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
    if (!this.#listeners.length) this.stop();
  }

  private stop(): void {
    Timer.clear(this.#timer);
    this.#timer = undefined;
  }
}
