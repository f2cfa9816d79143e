/** The service worker: the demonstration's own files, from its cache, and below `device/` the firmware's answers. */
import { ASSETS, VERSION } from "web-sim:assets";
import { bodyOf, bytesOfRequest, Incoming, readHead } from "./http";

/** Those of the specification that are used: the DOM's types do not have them. */
interface Worker extends EventTarget {
  readonly location: Location;
  readonly clients: { claim(): Promise<void>; matchAll(options: object): Promise<Client[]> };
  skipWaiting(): Promise<void>;
}
interface Client {
  postMessage(message: unknown): void;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface ClientMessage extends MessageEvent<unknown> {
  readonly source: (Client & MessageEventSource) | null;
}

const worker = self as unknown as Worker;
const { href, origin, host } = worker.location;
const BASE = new URL("./", href).pathname;
const DEVICE = `${BASE}device/`;
const CACHE = `web-sim ${BASE} ${VERSION}`;
const COOKIES = `web-sim ${BASE} cookies`;
/** Without the answer of a page that has a device. */
const UNAVAILABLE = 503;
const PATIENCE = 10_000;
const NO_BODY = [204, 205, 304];

/** Everything stays in this browser: scripts, requests and frames of this place alone. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let device: MessagePort | undefined;
let waiting: (() => void)[] = [];

/** The port to the worker of the page. Lost when the browser ends this service worker: the page hands it over anew. */
async function devicePort(): Promise<MessagePort | undefined> {
  if (device) return device;
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage("port?");
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    setTimeout(resolve, PATIENCE);
  });
  return device;
}

async function cookies(): Promise<Record<string, string>> {
  const stored = await (await caches.open(COOKIES)).match(DEVICE);
  return stored ? ((await stored.json()) as Record<string, string>) : {};
}

/** A response of a service worker sets no cookies: this has them in place of the browser. All are of the device's whole address. */
async function keepCookies(lines: readonly string[]): Promise<void> {
  if (!lines.length) return;
  const kept = await cookies();
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.split("=", 2);
    if (attributes.some((attribute) => attribute.trim().toLowerCase() === "max-age=0")) delete kept[name];
    else kept[name] = value;
  }
  await (await caches.open(COOKIES)).put(DEVICE, new Response(JSON.stringify(kept)));
}

/** The page stands in a frame here, which its own policy forbids to everybody. */
const headerOf = ([name, value]: readonly [string, string]): [string, string] =>
  name === "content-security-policy"
    ? [name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")]
    : [name, value];

const DROPPED = ["connection", "content-length", "transfer-encoding", "content-encoding", "set-cookie"];

async function answerOfDevice(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const port = await devicePort();
  if (!port) return new Response("The demonstration is not open.\n", { status: UNAVAILABLE });
  const { port1: own, port2: other } = new MessageChannel();
  const incoming = new Incoming(own);
  port.postMessage(undefined, [other]);
  const kept = Object.entries(await cookies());
  own.postMessage(
    bytesOfRequest({
      method: request.method,
      target: `/${pathname.slice(DEVICE.length)}${search}`,
      ...{ host, origin, headers: request.headers },
      cookie: kept.map(([name, value]) => `${name}=${value}`).join("; "),
      body: new Uint8Array(await request.arrayBuffer()),
    }),
  );
  const head = await readHead(incoming);
  const { status, statusText, headers } = head;
  await keepCookies(headers.filter(([name]) => name === "set-cookie").map(([, value]) => value));
  const init = { status, statusText, headers: headers.filter(([name]) => !DROPPED.includes(name)).map(headerOf) };
  if (NO_BODY.includes(status) || request.method === "HEAD") {
    incoming.close();
    return new Response(null, init);
  }
  const parts = bodyOf(incoming, head);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const part = await parts.next();
      if (!part.done) return controller.enqueue(part.value);
      controller.close();
      incoming.close();
    },
    cancel: () => incoming.close(),
  });
  const isCompressed = headers.some(([name, value]) => name === "content-encoding" && value === "gzip");
  return new Response(isCompressed ? body.pipeThrough(new DecompressionStream("gzip")) : body, init);
}

async function ownFile(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const name = pathname.slice(BASE.length) || "index.html";
  const cached = await (await caches.open(CACHE)).match(BASE + name);
  if (!cached) return new Response("Not found.\n", { status: 404 });
  const headers = new Headers(cached.headers);
  headers.set("Content-Security-Policy", POLICY);
  return new Response(cached.body, { headers });
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(ASSETS.map((name) => new Request(BASE + name, { cache: "reload" })));
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter(
    (name) => name.startsWith(`web-sim ${BASE} `) && name !== CACHE && name !== COOKIES,
  );
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

worker.addEventListener("install", (event) => (event as ExtendableEvent).waitUntil(install()));
worker.addEventListener("activate", (event) => (event as ExtendableEvent).waitUntil(activate()));

worker.addEventListener("message", (event) => {
  const { data, ports, source } = event as ClientMessage;
  if (data !== "port" || !ports[0]) return;
  device?.close();
  device = ports[0];
  for (const resolve of waiting) resolve();
  waiting = [];
  source?.postMessage("connected");
});

worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const { pathname, origin: itsOrigin } = new URL(request.url);
  if (itsOrigin !== origin || !pathname.startsWith(BASE)) return;
  (event as FetchEvent).respondWith(pathname.startsWith(DEVICE) ? answerOfDevice(request) : ownFile(request));
});
