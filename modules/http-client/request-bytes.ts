import TextEncoder from "text/encoder";
import { MAX_REQUEST_BYTES } from "./limits";

export interface RequestOptions {
  readonly method: "GET" | "POST" | "PUT";
  /** With its query, as it is to be sent: printable ASCII without blanks, beginning with "/". */
  readonly path: string;
  /** Host header: name or address, with the port if it is not the scheme's own. */
  readonly host: string;
  /** Names and values of further fields: printable ASCII. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Sent as UTF-8. */
  readonly body: string;
}

/** A whole request (RFC 9112). Throws a RangeError for what cannot be in a head, or beyond MAX_REQUEST_BYTES; it does not show the text. */
export function requestBytes({ method, path, host, fields, body }: RequestOptions): Uint8Array {
  requirePrintable(path, 0x21);
  requirePrintable(host, 0x21);
  if (!path.startsWith("/") || !host) throw new RangeError("invalid request");
  const encoder = new TextEncoder();
  const content = encoder.encode(body);
  let text = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${content.byteLength}\r\n`;
  for (const [name, value] of fields) {
    requirePrintable(name, 0x21);
    requirePrintable(value, 0x20);
    text += `${name}: ${value}\r\n`;
  }
  const head = encoder.encode(`${text}\r\n`);
  const length = head.byteLength + content.byteLength;
  if (length > MAX_REQUEST_BYTES) throw new RangeError("request too long");
  const bytes = new Uint8Array(length);
  bytes.set(head);
  bytes.set(content, head.byteLength);
  return bytes;
}

/** A line feed would begin a field of its own, and a blank end the path. */
function requirePrintable(text: string, first: number): void {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < first || code > 0x7e) throw new RangeError("invalid request");
  }
}
