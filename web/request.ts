/** Requests to the device, limited in number and each with a timeout. */
import { RequestError } from "./request-error";

/** Concurrent requests besides the event stream: the device serves 6 connections, and two browsers must leave room for others. */
const MAX_CONNECTIONS = 1;
/** Timeout, ms; the device takes a while to hash a password. */
const TIMEOUT = 15_000;

/** From a proxy that got no answer: the device may have executed the request all the same. */
export const UNANSWERED: readonly number[] = [502, 504];
/** From a device that does not have the name in the address. */
const OTHER_NAME = 421;

/** Of a resource of the device, relative to the page, which a proxy may have below a path. */
export const beside = (path: string): string => path.slice(1);

let active = 0;
const waiting: (() => void)[] = [];

async function enter(): Promise<void> {
  if (active >= MAX_CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
  else active++;
}

function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else active--;
}

/** Waits until the page may open another connection, and counts `work` as one. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  await enter();
  try {
    return await work();
  } finally {
    leave();
  }
}

interface Listener {
  /** Called after each request: true if the device answered it. `foreign`: something else did. */
  reached(reached: boolean, foreign?: boolean): void;
  /** Called when the device requires a session. */
  unauthorized(): void;
}

let listener: Listener | undefined;

export function listen(to: Listener): void {
  listener = to;
}

interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
  /** In place of the text, of a type that is none. */
  readonly bytes: Uint8Array | undefined;
}

const BYTES = "application/octet-stream";

const NO_CONTENT = 204;

/** What the device answers to `path`: JSON with `success`, or 204. A web page is from another machine, or from a proxy. */
function isFromDevice(path: string, { status, ok, text, bytes }: Answer, type: string): boolean {
  if (type.includes("html")) return false;
  if (!ok || bytes || status === NO_CONTENT || path.endsWith(".csv")) return true;
  try {
    return typeof (JSON.parse(text) as { success?: unknown }).success === "boolean";
  } catch {
    return false;
  }
}

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  await enter();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT);
  let foreign = false;
  try {
    const init: RequestInit = { method, signal: abort.signal, cache: "no-store", credentials: "same-origin" };
    if (body !== undefined) {
      init.headers = { "Content-Type": "application/json" };
      init.body = JSON.stringify(body);
    }
    const response = await fetch(beside(path), init);
    const { status, ok } = response;
    // Read the body here, so that the connection stays counted until it is free.
    const type = response.headers.get("Content-Type") ?? "";
    const bytes = ok && type === BYTES ? new Uint8Array(await response.arrayBuffer()) : undefined;
    const text = bytes ? "" : await response.text();
    if (UNANSWERED.includes(status)) throw new Error();
    const answer = { status, ok, text, bytes };
    foreign = !isFromDevice(path, answer, type);
    if (foreign) throw new Error();
    listener?.reached(status !== OTHER_NAME);
    return answer;
  } catch {
    listener?.reached(false, foreign);
    throw new RequestError(0, "");
  } finally {
    clearTimeout(timer);
    leave();
  }
}

/** Returns the text of a 2xx response. Throws RequestError otherwise. */
export async function requestText(method: string, path: string, body?: unknown): Promise<string> {
  return (await succeed(method, path, body)).text;
}

/** Returns the bytes of a 2xx response. Throws RequestError otherwise. */
export async function requestBytes(path: string): Promise<Uint8Array> {
  const { bytes } = await succeed("GET", path);
  if (!bytes) throw new RequestError(0, "");
  return bytes;
}

async function succeed(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await send(method, path, body);
  const { status, ok, text } = answer;
  if (ok) return answer;
  if (status === 401 && path !== "/web/session" && path !== "/web/password") listener?.unauthorized();
  throw new RequestError(status, errorOf(text) || String(status), ...reasonIn(text));
}

/** Returns the whole JSON response; undefined if the body is empty. */
export async function requestJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = await requestText(method, path, body);
  try {
    return (text ? JSON.parse(text) : undefined) as T;
  } catch {
    throw new RequestError(0, "");
  }
}

/** Returns `data` of the response. */
export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await requestJson<{ data?: T } | undefined>(method, path, body);
  return answer?.data as T;
}

function reasonIn(text: string): [reason?: string | undefined, above?: number | undefined] {
  try {
    const { data } = JSON.parse(text) as { data?: { reason?: string; above?: number } };
    return [data?.reason, data?.above];
  } catch {
    return [];
  }
}

export function errorOf(text: string): string {
  try {
    const { error, data } = JSON.parse(text) as { error?: unknown; data?: unknown };
    if (typeof error === "string") return error;
    return typeof data === "string" ? data : "";
  } catch {
    return "";
  }
}
