/** The page's copy of the device's documents: events say what has changed, the page fetches what it shows. */
import type { WriteReport } from "../src/bms/outcomes";
import type { AllPacksJob, BankDocument, Config, Device, Queue, Session, StatusDocument, Summary } from "./documents";
import { addressLink } from "./address-code";
import { browserName } from "./browser-name";
import { sawCurrent } from "./estimate";
import { nameThem } from "./pack-names";
import { keep, keepForTab, kept, keptForTab, LINK_KEY, OWN_WRITE_KEY } from "./preferences";
import { beside, listen, request, requestJson } from "./request";
import { RequestError } from "./request-error";

export interface Documents {
  status: StatusDocument;
  config: Config;
  queue: Queue;
  relay: Summary;
  device: Device;
  packs: BankDocument;
  job: AllPacksJob;
}

export type DocumentName = keyof Documents;

const PATHS: Readonly<Record<DocumentName, string>> = {
  status: "/web/status",
  config: "/web/config",
  queue: "/web/queue",
  relay: "/web/summary",
  device: "/web/device",
  packs: "/web/packs",
  job: "/web/packs/settings",
};
const NAMES = Object.keys(PATHS) as DocumentName[];
/**
 * Shortest ms between fetches of documents that change constantly (an event every second). "Urgent" changes and the user's own
 * actions do not wait. With these a screen takes less than 0.8 KB/s.
 */
const PACE: Readonly<Partial<Record<DocumentName, number>>> = { status: 10_000, relay: 4_000, packs: 10_000 };
/** Same for the status, on screens that show all of it. */
const CLOSE_PACE = 4_000;
/** Of a pack, while one is looked at. */
const OF_PACK: readonly DocumentName[] = ["status", "config", "queue"];
/** Needed on every screen: banner, and writes by other clients. */
const ALWAYS: readonly DocumentName[] = ["status", "queue"];

/** ms between polls while there is no event stream: of the status, and of what has no pace. */
const POLL_INTERVAL = 1_000;
const OTHER_PACE = 2_000;
/** The configuration rarely changes and is fetched after each write; otherwise once in this many polls. */
const CONFIG_POLLS = 20;
/** ms without an event before the stream counts as dead; the device sends one every 15 s. */
const STREAM_SILENCE = 20_000;
/** ms before retrying a refused stream. */
const STREAM_RETRY = 30_000;
/** ms before the session is asked for again. */
const SESSION_RETRY = 3_000;
/** s. */
const CLOCK_TOLERANCE = 30;
/** ms between polls of a pending write. */
const WRITE_INTERVAL = 400;
/** ms before giving up on a write; the device ends each within 5 s. */
const WRITE_PATIENCE = 20_000;

/** A smaller change of the bank's current is no load that was switched, A. */
const LEAST_STEP = 1;

/** Payload of an event: change counters; current and power of the only pack or of the bank, mA and mW. */
type Counters = Partial<Record<DocumentName | "settings" | "urgent" | "current" | "power", number | undefined>>;

/** A write started by this page. */
export interface OwnWrite {
  readonly name: string;
  readonly phase: "sending" | "queued" | "confirmed" | "refused" | "unknown";
  /** How it ended. */
  readonly report?: WriteReport | undefined;
  /** Why it was not queued. */
  readonly error?: RequestError;
}

/** Without an answer, or if the firmware failed (500), it is unknown whether the write was accepted. */
const notQueued = (name: string, error: unknown): OwnWrite =>
  error instanceof RequestError && error.status && error.status !== 500
    ? { name, phase: "refused", error }
    : { name, phase: "unknown" };

class Live {
  readonly documents: Partial<Documents> = {};
  session: Session | undefined;
  /** Address of the pack that is looked at; undefined: the first, and the bank. */
  pack: number | undefined;
  /** The session expired while the page was open. */
  expired = false;
  /** The secret of a read-only link, with which this browser begins each session; empty: none. */
  link = addressLink || kept(LINK_KEY) || "";
  /** Why the link does not let it in. */
  refused: RequestError | undefined;
  /** The device answered the last request. */
  connected = true;
  /** Something else did. */
  foreign = false;
  /** Documents that the device answered with an error when they were last asked for. */
  readonly failed = new Set<DocumentName>();
  /** The status shown may be old: the last request for it failed, or the device has been silent since. */
  old = false;
  /** Date.now() of the last telemetry from the BMS: performance.now() may stand still while the computer sleeps. */
  seenAt: number | undefined;
  own: OwnWrite | undefined;
  /** It switches a pack on whose voltage could not be compared with that of the others. */
  isUncompared = false;
  /** What the next hours may bring, in a sentence; empty: not known. */
  outlook = "";
  /** This page has sent a setting for all packs: its outcomes are shown even if it was over before they were asked for. */
  sentToAll = false;
  /** Seconds between the device's clock and the browser's; of one that is not set since 1970. */
  late = 0;
  /** Changes when settings may have changed, here or elsewhere. */
  settings = 0;
  /** Documents answered with 503 (the configuration is not loaded). */
  readonly unavailable = new Set<DocumentName>();

  private readonly subscribers = new Set<() => void>();
  private readonly wanted = new Map<DocumentName, number>();
  private readonly loading = new Map<DocumentName, Promise<void>>();
  /** Time of each document's last fetch, and the timer for the next. */
  private readonly asked = new Map<DocumentName, number>();
  private readonly later = new Map<DocumentName, ReturnType<typeof setTimeout>>();
  /** Number of components that watch the status closely. */
  private close = 0;
  private readonly again = new Set<DocumentName>();
  private readonly counters: Counters = {};
  private stream: EventSource | undefined;
  private streaming = false;
  /** Date.now() of the last event or status. */
  private heardAt = 0;
  private retryAt = 0;
  private queueFetches = 0;
  /** The bank's current when its packs were last fetched for a change of it, A. */
  private flow = 0;
  private tick = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private beginning: Promise<void> | undefined;
  private beginAgain: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    listen({
      reached: (reached, foreign = false) => {
        if (this.connected === reached && this.foreign === foreign) return;
        // It may have been restarted: into safe mode, or as new.
        if (reached && this.session) this.beginLater();
        this.connected = reached;
        this.foreign = foreign;
        this.changed();
      },
      unauthorized: () => this.signedOut(true),
    });
    document.addEventListener("visibilitychange", () => this.attend());
  }

  subscribe(callback: () => void): () => void {
    this.subscribers.add(callback);
    return () => this.subscribers.delete(callback);
  }

  expect(outlook: string): void {
    if (outlook === this.outlook) return;
    this.outlook = outlook;
    this.changed();
  }

  private changed(): void {
    for (const callback of [...this.subscribers]) callback();
  }

  /**
   * Fetches the session; call this first. Throws if that fails, and then goes on asking: without it nobody gets past a form that no longer
   * fits. Requests are answered one after another, so a fetch under way is new enough for every caller.
   */
  begin(): Promise<void> {
    return (this.beginning ??= this.beginSession().finally(() => (this.beginning = undefined)));
  }

  private async beginSession(): Promise<void> {
    clearTimeout(this.beginAgain);
    const askAgain = (): void => void (this.beginAgain = setTimeout(() => this.beginLater(), SESSION_RETRY));
    try {
      const session = await this.enter(await request<Session>("GET", "/web/session"));
      if (session.signedIn) {
        this.expired = false;
        this.refused = undefined;
      }
      this.session = session;
      this.late = Math.abs(Date.now() / 1_000 - (session.time ?? 0));
      this.attend();
      this.changed();
      // Until the device is reset, or there is room for those who come by a link.
      if (session.passwordLost || (this.link && !session.signedIn)) askAgain();
    } catch (error) {
      askAgain();
      throw error;
    }
  }

  /** By the link, unless somebody is signed in. */
  private async enter(session: Session): Promise<Session> {
    const { link } = this;
    // The owner's browser needs none.
    if (session.signedIn && !session.link) this.setLink("");
    if (session.signedIn || session.firstStart || !link) return session;
    try {
      const entered = await request<Session>("POST", "/web/session", { link, browser: browserName() });
      this.setLink(link);
      return entered;
    } catch (error) {
      if (!(error instanceof RequestError) || !error.status) throw error;
      this.refused = error;
      if (error.status === 401) this.setLink("");
      return session;
    }
  }

  private setLink(link: string): void {
    this.link = link;
    keep(LINK_KEY, link || null);
  }

  /** The same for those who need not wait for it. */
  beginLater(): void {
    this.begin().catch(() => undefined);
  }

  /** Unless the device has ended the session, it goes on, here as there. */
  async signOut(): Promise<void> {
    await request("DELETE", "/web/session").catch((error: RequestError) => {
      if (error.status !== 401) throw error;
    });
    this.setLink("");
    this.signedOut(false);
  }

  signedOut(expired: boolean): void {
    if (!this.session?.signedIn) return;
    this.session = { ...this.session, signedIn: false };
    this.expired = expired;
    for (const name of NAMES) delete this.documents[name];
    this.failed.clear();
    this.own = undefined;
    this.sentToAll = false;
    this.attend();
    this.changed();
    // After a factory reset there is no password, so the device reports a first start.
    if (expired) this.beginLater();
  }

  /** From now on status, configuration, queue and writes are those of the pack at this address. */
  look(pack: number | undefined): void {
    if (this.pack === pack) return;
    this.pack = pack;
    this.own = undefined;
    this.seenAt = undefined;
    sawCurrent(null, Date.now());
    for (const name of OF_PACK) {
      delete this.documents[name];
      this.failed.delete(name);
      this.unavailable.delete(name);
      if (this.session?.signedIn && this.isWanted(name)) void this.load(name);
    }
    this.changed();
  }

  /** There are several packs, and none of them is looked at. */
  get hasBank(): boolean {
    return this.pack === undefined && Number(this.documents.status?.bms?.packs) > 1;
  }

  /** Path of a resource of the pack that is looked at. */
  pathOf(path: string): string {
    if (this.pack === undefined) return path;
    return path === PATHS.status ? `${path}?pack=${this.pack}` : path.replace("/web/", `/web/packs/${this.pack}/`);
  }

  /** Keeps `names` fresh until the returned function is called. */
  want(names: readonly DocumentName[]): () => void {
    for (const name of names) {
      this.wanted.set(name, (this.wanted.get(name) ?? 0) + 1);
      if (this.session?.signedIn) void this.load(name);
    }
    return () => {
      for (const name of names) this.wanted.set(name, (this.wanted.get(name) ?? 1) - 1);
    };
  }

  /** Fetches the status more often until the returned function is called. */
  watchClosely(): () => void {
    this.close++;
    this.whenDue("status");
    return () => {
      this.close--;
    };
  }

  /** Behind what is summed up by the day as long as no time zone is chosen. */
  get utc(): string {
    const { zone, offset } = this.session ?? {};
    return zone === "" && !offset ? " (UTC)" : "";
  }

  /** It differs from the browser's, and no time server keeps it right. */
  get isClockWrong(): boolean {
    return this.session?.inStep === false && this.late > CLOCK_TOLERANCE;
  }

  /** A document that is shown could not be refreshed, although the device answers. */
  get failing(): boolean {
    return [...this.failed].some((name) => this.isWanted(name));
  }

  private isWanted(name: DocumentName): boolean {
    return ALWAYS.includes(name) || (this.wanted.get(name) ?? 0) > 0;
  }

  /** Fetches a document, one fetch at a time; callers during a fetch share the next one. Never throws. */
  load(name: DocumentName): Promise<void> {
    const running = this.loading.get(name);
    if (!running) {
      const loading = this.fetch(name);
      this.loading.set(name, loading);
      return loading;
    }
    if (this.again.has(name)) return running;
    this.again.add(name);
    const next = running.then(() => {
      this.again.delete(name);
      return this.fetch(name);
    });
    this.loading.set(name, next);
    return next;
  }

  /** Fetches the document now, or as soon as its pace allows. */
  private whenDue(name: DocumentName): void {
    const pace = name === "status" && this.close ? CLOSE_PACE : (PACE[name] ?? 0);
    const wait = (this.asked.get(name) ?? -Infinity) + pace - performance.now();
    clearTimeout(this.later.get(name));
    if (wait <= 0) void this.load(name);
    else
      this.later.set(
        name,
        setTimeout(() => this.isActive() && this.isWanted(name) && void this.load(name), wait),
      );
  }

  private async fetch(name: DocumentName): Promise<void> {
    clearTimeout(this.later.get(name));
    this.asked.set(name, performance.now());
    const { pack } = this;
    const isOfPack = OF_PACK.includes(name);
    try {
      const answer = await requestJson<{ data: never }>("GET", isOfPack ? this.pathOf(PATHS[name]) : PATHS[name]);
      if (!this.session?.signedIn || (isOfPack && pack !== this.pack)) return;
      const before = this.documents.queue;
      // The page also needs `bms` of the status.
      this.documents[name] = (name === "status" ? answer : answer.data) as never;
      if (name === "packs") nameThem(this.documents.packs?.packs ?? []);
      this.unavailable.delete(name);
      this.failed.delete(name);
      if (name === "status") this.sawStatus();
      if (name === "queue") this.sawQueue(before);
      if (name === "packs" && this.hasBank) {
        const { bank } = this.documents.packs as BankDocument;
        sawCurrent(bank.online < bank.packs ? null : bank.current, Date.now());
      }
    } catch (error) {
      if (isOfPack && pack !== this.pack) return;
      const status = error instanceof RequestError ? error.status : 0;
      // The settings no longer have it.
      if (status === 404 && pack !== undefined && isOfPack) return this.look(undefined);
      // A configuration that has not been read yet is no failure.
      if (status && (name !== "config" || status !== 503)) this.failed.add(name);
      if (status === 503) this.unavailable.add(name);
      // Fetched again at the next event.
      else delete this.counters[name];
      if (name === "status") this.old = true;
    } finally {
      if (!this.again.has(name)) this.loading.delete(name);
      this.changed();
    }
  }

  private sawStatus(): void {
    const status = this.documents.status;
    if (!status) return;
    this.old = false;
    this.heardAt = Date.now();
    // Of several it is the bank's.
    if (!this.hasBank) sawCurrent(status.data.online ? status.data.pack.current : null, this.heardAt);
    const age = status.bms?.age;
    if (typeof age === "number") this.seenAt = Date.now() - age * 1_000;
    else if (status.data.online) this.seenAt = Date.now();
  }

  /** The page has been reloaded: what is pending may be its own. */
  private resume(pending: boolean): void {
    const kept = keptForTab(OWN_WRITE_KEY);
    if (kept === null || this.own) return;
    const [pack = "", name = ""] = kept.split(" ");
    if (pending && pack === String(this.pack ?? ""))
      void this.follow(name, this.pack).then(() => keepForTab(OWN_WRITE_KEY, null));
    else keepForTab(OWN_WRITE_KEY, null);
  }

  /** Refetches switches and configuration once a write has ended. */
  private sawQueue(before: Queue | undefined): void {
    this.queueFetches++;
    const { queue } = this.documents;
    if (!before) this.resume(queue?.pending === true);
    const ended = before?.pending && !queue?.pending;
    if (before?.pending !== queue?.pending && this.isWanted("job")) void this.load("job");
    const loaded = queue?.configurationLoaded && !before?.configurationLoaded;
    if (ended || loaded || before?.lastCommand !== queue?.lastCommand)
      for (const name of ["config", "status"] as const) if (this.isWanted(name)) void this.load(name);
  }

  /** Starts or stops stream and polling: both stop while the page is hidden or signed out. */
  private attend(): void {
    if (!this.isActive()) {
      clearInterval(this.timer);
      this.timer = undefined;
      this.closeStream();
    } else if (this.timer === undefined) {
      this.tick = 0;
      this.noticeSilence();
      this.timer = setInterval(() => this.poll(), POLL_INTERVAL);
      for (const name of NAMES) if (this.isWanted(name)) void this.load(name);
      this.openStream();
    }
  }

  private isActive(): boolean {
    return Boolean(this.session?.signedIn) && document.visibilityState === "visible";
  }

  private openStream(): void {
    this.closeStream();
    this.retryAt = performance.now() + STREAM_RETRY;
    this.heardAt = Date.now();
    const stream = new EventSource(beside("/web/events"));
    this.stream = stream;
    stream.onmessage = ({ data }) => this.heard(String(data));
    // The browser reconnects, except after a refusal (503: too many listeners).
    stream.onerror = () => {
      this.streaming = false;
      if (stream.readyState === EventSource.CLOSED) this.stream = undefined;
    };
  }

  private closeStream(): void {
    this.stream?.close();
    this.stream = undefined;
    this.streaming = false;
  }

  private heard(text: string): void {
    let counters: Counters;
    try {
      counters = JSON.parse(text) as Counters;
    } catch {
      return;
    }
    this.heardAt = Date.now();
    this.streaming = true;
    const { settings } = this.counters;
    this.counters.settings = counters.settings;
    // The first event only sets the baseline: what is shown is as recent.
    if (settings !== undefined && counters.settings !== settings) this.sawSettings();
    const urgent = counters.urgent !== this.counters.urgent;
    this.counters.urgent = counters.urgent;
    for (const name of NAMES) {
      const counter = counters[name];
      if (counter === undefined || counter === this.counters[name]) continue;
      this.counters[name] = counter;
      if (!this.isWanted(name)) continue;
      if (name === "status" && urgent) void this.load(name);
      else this.whenDue(name);
    }
    // It may be another pack than the first.
    if (urgent && this.isWanted("packs")) void this.load("packs");
    this.sawFlow(counters);
  }

  /** Between two fetches of the status of the only pack, or of the bank's document. */
  private sawFlow({ current: milliamps, power: milliwatts }: Counters): void {
    const { status, packs } = this.documents;
    if (!status || this.old || milliamps === undefined || milliwatts === undefined) return;
    const flow = { current: milliamps / 1_000, power: milliwatts / 1_000 };
    if (Number(status.bms?.packs) > 1) {
      if (packs) this.documents.packs = { ...packs, bank: { ...packs.bank, ...flow } };
      const step = Math.abs(flow.current - this.flow);
      if (step > Math.max(LEAST_STEP, Math.abs(this.flow) / 10)) {
        this.flow = flow.current;
        // A load has been switched: which pack carries it is not in the event.
        for (const name of ["packs", "status"] as const)
          if (this.isWanted(name) && (name === "packs" || !this.hasBank)) void this.load(name);
      }
    } else if (status.data.online) {
      const pack = { ...status.data.pack, ...flow };
      this.documents.status = { ...status, data: { ...status.data, pack } };
    }
    this.changed();
  }

  private sawSettings(): void {
    this.settings++;
    this.changed();
  }

  private noticeSilence(): void {
    // A clock that has been set back says nothing about the time since.
    if (!this.documents.status || Math.abs(Date.now() - this.heardAt) <= STREAM_SILENCE) return;
    this.closeStream();
    this.old = true;
    this.changed();
  }

  private poll(): void {
    if (this.streaming) this.noticeSilence();
    if (!this.stream && performance.now() >= this.retryAt) this.openStream();
    // They have no counter among the events.
    if (this.isWanted("packs")) this.whenDue("packs");
    if (this.documents.job?.running && this.isWanted("job")) this.whenDue("job");
    if (this.pack !== undefined) this.whenDue("status");
    if (this.streaming && this.connected && !this.old) return this.loadFailed();
    const settingsDue = this.isConfigDue();
    if (settingsDue) this.sawSettings();
    const configDue = settingsDue || this.unavailable.has("config");
    for (const name of NAMES) if (name !== "config" || configDue) this.whenPolled(name);
  }

  private isConfigDue(): boolean {
    return this.tick++ % CONFIG_POLLS === 0;
  }

  /** Events tell only of changes, and what could not be had may stay as it is for days. */
  private loadFailed(): void {
    for (const name of this.isConfigDue() ? this.unavailable : this.failed) this.whenPolled(name);
  }

  /** Without events urgency is unknown: the status, which shows the load, is asked for at each poll, others with a pace at CLOSE_PACE. */
  private whenPolled(name: DocumentName): void {
    const at = this.asked.get(name) ?? -Infinity;
    if (!this.isWanted(name) || this.loading.has(name)) return;
    const pace = name === "status" ? 0 : PACE[name] ? CLOSE_PACE : OTHER_PACE;
    if (performance.now() - at >= pace - POLL_INTERVAL / 2) void this.load(name);
  }

  /** Sends a setting for all packs; how it goes is in `job`. */
  async writeToAll(name: string, value: string): Promise<void> {
    this.own = { name, phase: "sending" };
    this.changed();
    try {
      await request("POST", PATHS.job, { setting: name, value });
      this.own = undefined;
      this.sentToAll = true;
    } catch (error) {
      this.own = notQueued(name, error);
    }
    this.changed();
    await Promise.all([this.load("job"), this.load("queue")]);
  }

  /**
   * Sends a write to the pack that is looked at and follows it until it ends. One at a time.
   * @param pack what was looked at when the user was asked: if it is another one by now, nothing is sent
   */
  async write(name: string, path: string, body: unknown, pack = this.pack): Promise<void> {
    if (pack !== this.pack) return;
    this.isUncompared = false;
    this.tell(pack, name, "sending");
    try {
      const answer = await request<{ above?: null } | undefined>("POST", this.pathOf(path), body);
      this.isUncompared = answer?.above === null;
    } catch (error) {
      const { phase, ...more } = notQueued(name, error);
      this.tell(pack, name, phase, more);
      return;
    }
    keepForTab(OWN_WRITE_KEY, `${pack ?? ""} ${name}`);
    await this.follow(name, pack);
    keepForTab(OWN_WRITE_KEY, null);
  }

  private tell(pack: number | undefined, name: string, phase: OwnWrite["phase"], more: Partial<OwnWrite> = {}): void {
    if (pack !== this.pack) return;
    this.own = { name, phase, ...more };
    this.changed();
  }

  /** A write that this page has sent, before it was reloaded perhaps. */
  private async follow(name: string, pack: number | undefined): Promise<void> {
    this.tell(pack, name, "queued");
    const end = performance.now() + WRITE_PATIENCE;
    while (performance.now() < end) {
      const fetched = this.queueFetches;
      await this.load("queue");
      if (!this.session?.signedIn || pack !== this.pack) return;
      const { queue } = this.documents;
      if (queue && this.queueFetches !== fetched && !queue.pending) {
        // Another client's write may have ended since.
        const report = queue.last?.name === name ? queue.last : undefined;
        this.tell(pack, name, !report ? "unknown" : queue.lastCommandOk ? "confirmed" : "refused", { report });
        for (const changed of ["config", "status"] as const) if (this.isWanted(changed)) void this.load(changed);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, WRITE_INTERVAL));
    }
    this.tell(pack, name, "unknown");
  }
}

export const live = new Live();
