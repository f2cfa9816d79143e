import { MAX_HOST, MAX_PORT } from "./limits";
import { HTTP_PORT } from "../runtime/page-address";
import { isText } from "./text-rules";

/** The address of a service. */
export interface ServiceUrl {
  readonly tls: boolean;
  readonly host: string;
  readonly port: number;
  /** With its query; empty, or beginning with "/". */
  readonly path: string;
}

const HTTP = "http://";
const HTTPS = "https://";
const HTTPS_PORT = 443;

/** Reads `http://host[:port][/path]`, or the same with `https`. Undefined: it is neither. */
export function urlOf(text: string): ServiceUrl | undefined {
  const tls = text.startsWith(HTTPS);
  if (!tls && !text.startsWith(HTTP)) return undefined;
  const rest = text.slice((tls ? HTTPS : HTTP).length);
  const slash = rest.indexOf("/");
  const end = slash < 0 ? rest.length : slash;
  const [host = "", digits, more] = rest.slice(0, end).split(":");
  const ordinary = tls ? HTTPS_PORT : HTTP_PORT;
  const port = digits === undefined ? ordinary : Number(digits) | 0;
  if (!isText("host", host, 1, MAX_HOST) || more !== undefined) return undefined;
  if (digits !== undefined && (digits !== String(port) || port < 1 || port > MAX_PORT)) return undefined;
  return { tls, host, port, path: rest.slice(end) };
}

/** Whether `text` can be stored as a service's address. Empty: the service's own, or none. */
export const isUrl = (text: string): boolean => !text || urlOf(text) !== undefined;
