import { HttpRequest, type HttpRequestOptions } from "http-client/http-request";
import { requestBytes } from "http-client/request-bytes";
import type { HttpAnswer, HttpOwner } from "http-client/types";
import { base64, markup, type Content, type Service } from "notification-services/services";
import Resource from "Resource";
import { beginHandshake, endHandshake, TLS_BUSY, TLS_MEMORY } from "../network/handshake";
import { ROOTS_NEED, TLS_NEED } from "../network/limits";
import { Receiver } from "../network/receiver";
import { derOf } from "../runtime/pem";
import { urlOf, type ServiceUrl } from "../settings/url";
import { FIRST_BACK_OFF, MAX_BACK_OFF } from "./limits";
import { requestFor, serviceOf, type NotifyTarget } from "./services";
import type { DeliveryProblem, NotifyDevice } from "./types";
import { resultOf } from "./words";

/** Called with each delivery's result. */
export interface CourierOwner {
  ended(courier: Courier): void;
}

/** Shown in place of a secret. */
const HIDDEN = "…";
/** Fewer characters of a secret at the end of what is cut are no secret. */
const CUT_SECRET = 4;

/** The name is still being looked up, or another connection is in its TLS handshake. */
export const PENDING = "pending";
/** As modules/http-client says it. */
export const TIMEOUT = "timeout";
const NO_MEMORY = "no-memory";
/** Of scripts/roots.mjs, in flash. */
const ROOTS = "roots.der";

/** Takes messages to one target, one at a time, and remembers how that went. */
export class Courier implements HttpOwner {
  private readonly device: NotifyDevice;
  private readonly owner: CourierOwner;
  private readonly target: NotifyTarget;
  /** Undefined: the target is off or incomplete. */
  private readonly service: Service | undefined;
  private readonly url: ServiceUrl | undefined;
  private receiver: Receiver | undefined;
  private request: HttpRequest | undefined;
  private failures = 0;
  /** Uptime before which nothing is tried: back-off. */
  until = 0;
  /** Why the last message did not get through; empty: it did, or there was none. */
  problem: DeliveryProblem = "";
  /** Of the last answer; 0: none. */
  status = 0;
  /** What the service said, without what is secret. */
  answer = "";
  /** Messages since the settings were changed. */
  sent = 0;

  constructor(device: NotifyDevice, owner: CourierOwner, target: NotifyTarget) {
    this.device = device;
    this.owner = owner;
    this.target = target;
    this.service = serviceOf(target);
    this.url = this.service && urlOf(target.url || this.service.url);
  }

  /** Result of the last delivery in English; empty: there was none. */
  get words(): string {
    const { problem, status, answer } = this;
    return problem || status ? resultOf(problem, status, answer) : "";
  }

  get kind(): NotifyTarget["kind"] {
    return this.target.kind;
  }

  /** Begins to send; the owner hears how it ended. False: it has not begun, for the `problem`. */
  begin(content: Content): boolean {
    this.problem = this.obstacle();
    if (this.problem) {
      if (this.problem === NO_MEMORY) this.until = this.device.uptime() + FIRST_BACK_OFF;
      return false;
    }
    this.status = 0;
    this.answer = "";
    try {
      this.open(content);
    } catch (error) {
      trace(`notify: ${String(error)}\n`);
      this.failed("no-connection");
    }
    return true;
  }

  /** Drops the cached address and the back-off, so that a test starts at once. */
  renew(): void {
    this.receiver?.close();
    this.receiver = undefined;
    this.until = this.failures = 0;
  }

  /** A test has taken too long. */
  giveUp(): void {
    this.close();
    this.problem = TIMEOUT;
  }

  close(): void {
    this.request?.close();
    this.receiver?.close();
    this.receiver = undefined;
    this.end();
  }

  answered({ status, retryAfter = 0, body }: HttpAnswer): void {
    this.status = status;
    this.answer = this.withoutSecrets(body);
    if (status < 300) {
      this.end();
      this.failures = this.until = 0;
      this.problem = "";
      this.sent++;
      this.owner.ended(this);
    } else this.failed(problemOf(status), retryAfter);
  }

  failed(problem: string, least = 0): void {
    this.end();
    this.problem = problem;
    const pause = Math.min(FIRST_BACK_OFF * 2 ** Math.min(this.failures++, 16), MAX_BACK_OFF);
    this.until = this.device.uptime() + Math.max(pause, least);
    this.owner.ended(this);
  }

  /** The request is over, and with it its handshake. */
  private end(): void {
    this.request = undefined;
    endHandshake(this.device, this);
  }

  /** The owner's CA, PEM; empty: the device's roots are trusted, which a service's own server always is by. */
  private get ca(): string {
    return this.target.url && this.device.settings.notify.ca;
  }

  /** What is in the way of a message; empty: nothing. */
  private obstacle(): DeliveryProblem {
    const { device, url } = this;
    if (!url) return "incomplete";
    if (!device.network.online) return "no-network";
    if (url.tls) {
      if (!device.tls) return "no-tls";
      if (device.time() === undefined) return "no-time";
    }
    const receiver = (this.receiver ??= new Receiver(url.host));
    receiver.resolve("notify", device);
    if (!receiver.address) return receiver.waiting ? PENDING : "unknown-host";
    const refusal = url.tls && beginHandshake(device, this, this.ca ? TLS_NEED : ROOTS_NEED);
    if (refusal === TLS_BUSY) return PENDING;
    return refusal === TLS_MEMORY ? NO_MEMORY : "";
  }

  private open(content: Content): void {
    const { device, receiver, ca } = this;
    const url = this.url as ServiceUrl;
    const { host, port, tls } = url;
    const certificate = ca ? derOf(ca)?.slice().buffer : tls && new Resource(ROOTS);
    this.request = new HttpRequest({
      io: (tls ? device.tls : device.tcp) as unknown as HttpRequestOptions["io"],
      address: receiver?.address as string,
      port,
      bytes: requestBytes(requestFor(this.service as Service, this.target, url, content)),
      owner: this,
      ...(tls && { socket: { TCP: { io: device.tcp }, host, secure: { certificate, date: device.time() } } }),
    });
  }

  /** A service may repeat what it was sent, in a form of its own, or, where its words are cut, the beginning of it. */
  private withoutSecrets(words: string): string {
    const { token, channel } = this.target;
    const path = this.url?.path ?? "";
    let text = words;
    for (const secret of [token, ...token.split(":"), channel, path, ...partsOf(path)]) {
      if (secret.length < 2) continue;
      for (const form of formsOf(secret)) {
        text = text.replaceAll(form, HIDDEN);
        for (let length = form.length - 1; length >= CUT_SECRET; length--)
          if (text.endsWith(form.slice(0, length))) text = text.slice(0, -length) + HIDDEN;
      }
    }
    return text.trim();
  }
}

/** The steps of a path, and names and values of its query, that are long enough to reveal something. */
const partsOf = (path: string): string[] =>
  ["?", "&", "="]
    .reduce((text, mark) => text.replaceAll(mark, "/"), path)
    .split("/")
    .filter(({ length }) => length >= CUT_SECRET);

/** A secret as it is, and as it stands in a header, a path, a page and PHP's JSON. */
function formsOf(secret: string): string[] {
  const encoded = base64(secret);
  const end = encoded.indexOf("=");
  return [
    secret,
    end < 0 ? encoded : encoded.slice(0, end),
    encodeURIComponent(secret),
    markup(secret),
    secret.replaceAll("/", "\\/"),
  ];
}

function problemOf(status: number): DeliveryProblem {
  if (status < 400) return "redirect";
  if (status === 429) return "too-many";
  return status < 500 ? "refused" : "server-error";
}
