import { lowerCase } from "ascii/case";
import TextDecoder from "text/decoder";
import { MAX_BODY_BYTES, MAX_BODY_READ, MAX_HEAD_BYTES, MAX_LINE_BYTES, MAX_RETRY_AFTER } from "./limits";
import type { HttpAnswer } from "./types";

type State = "status" | "fields" | "body" | "size" | "chunk" | "gap" | "done" | "malformed";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const DELETE = 0x7f;

const NO_LENGTH = -1;

/** Reads an answer (RFC 9112) as it comes, in pieces of any size, in memory of its own size. */
export class AnswerReader implements HttpAnswer {
  private state: State = "status";
  private readonly line = new Uint8Array(MAX_LINE_BYTES);
  /** Of the line so far; beyond MAX_LINE_BYTES only counted. */
  private lineLength = 0;
  private headLength = 0;
  private readonly kept = new Uint8Array(MAX_BODY_BYTES);
  private bodyLength = 0;
  /** Bytes that the body or the chunk still has; NO_LENGTH: it ends with the connection. */
  private left = NO_LENGTH;
  private chunked = false;
  status = 0;
  retryAfter: number | undefined;

  /** Nothing more is to be read. */
  get done(): boolean {
    return this.state === "done";
  }

  get malformed(): boolean {
    return this.state === "malformed";
  }

  /** The head has been read: there is an answer, even if its body never ends. */
  get answered(): boolean {
    return this.state !== "status" && this.state !== "fields" && this.state !== "malformed";
  }

  get body(): string {
    return new TextDecoder().decode(this.kept.subarray(0, Math.min(this.bodyLength, MAX_BODY_BYTES)));
  }

  take(bytes: Uint8Array): void {
    for (let index = 0; index < bytes.length && !this.done && !this.malformed; index++)
      this.takeByte(bytes[index] as number);
  }

  private takeByte(byte: number): void {
    switch (this.state) {
      case "status":
      case "fields":
        if (++this.headLength > MAX_HEAD_BYTES) this.state = "malformed";
        else this.takeLine(byte);
        break;
      case "size":
      case "gap":
        // Chunks without end count as a body without end.
        this.count();
        if (!this.done) this.takeLine(byte);
        break;
      case "body":
      case "chunk":
        this.keep(byte);
        break;
      case "done":
      case "malformed":
    }
  }

  private takeLine(byte: number): void {
    if (byte !== LINE_FEED) {
      if (this.lineLength < MAX_LINE_BYTES) this.line[this.lineLength] = byte;
      this.lineLength++;
      return;
    }
    const { line } = this;
    let length = Math.min(this.lineLength, MAX_LINE_BYTES);
    if (length === this.lineLength && length > 0 && line[length - 1] === CARRIAGE_RETURN) length--;
    this.lineLength = 0;
    let text = "";
    for (let index = 0; index < length; index++) text += String.fromCharCode(line[index] as number);
    this.endLine(text);
  }

  private endLine(text: string): void {
    switch (this.state) {
      case "status":
        this.status = statusOf(text);
        this.state = this.status ? "fields" : "malformed";
        break;
      case "fields":
        if (text) this.takeField(lowerCase(text));
        else this.endHead();
        break;
      case "gap":
        this.state = "size";
        break;
      case "size":
        this.left = sizeOf(text);
        // The trailer does not matter.
        if (this.left > 0) this.state = "chunk";
        else this.state = "done";
        break;
      case "body":
      case "chunk":
      case "done":
      case "malformed":
    }
  }

  private takeField(text: string): void {
    const colon = text.indexOf(":");
    const value = text.slice(colon + 1).trim();
    switch (text.slice(0, Math.max(0, colon))) {
      case "content-length":
        this.left = numberOf(value) ?? NO_LENGTH;
        break;
      case "transfer-encoding":
        this.chunked = value.endsWith("chunked");
        break;
      case "retry-after": {
        const seconds = numberOf(value);
        this.retryAfter = seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_AFTER);
        break;
      }
      default:
    }
  }

  private endHead(): void {
    const { status, left } = this;
    if (status < 200) {
      // Interim: another head follows.
      this.state = "status";
      this.left = NO_LENGTH;
      this.chunked = false;
      this.retryAfter = undefined;
    } else if (status === 204 || status === 304) this.state = "done";
    else if (this.chunked) this.state = "size";
    else this.state = left === 0 ? "done" : "body";
  }

  private keep(byte: number): void {
    if (this.bodyLength < MAX_BODY_BYTES) this.kept[this.bodyLength] = byte < BLANK || byte === DELETE ? BLANK : byte;
    this.bodyLength++;
    if (this.left > 0 && !--this.left) this.state = this.state === "chunk" ? "gap" : "done";
    this.count();
  }

  private bodyRead = 0;
  private count(): void {
    if (++this.bodyRead >= MAX_BODY_READ) this.state = "done";
  }
}

/** "HTTP/1.1 200 OK": 200; 0: not of HTTP/1. */
function statusOf(text: string): number {
  const status = numberOf(text.slice(9, 12)) ?? 0;
  const isHttp =
    text.startsWith("HTTP/1.") && text.charAt(8) === " " && (text.length === 12 || text.charAt(12) === " ");
  return isHttp && status >= 100 && status < 600 ? status : 0;
}

/** Digits only; undefined for anything else. */
function numberOf(text: string): number | undefined {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x30 || code > 0x39) return undefined;
  }
  return text ? Number(text) : undefined;
}

/** A chunk's size, without its extensions; 0, the end, for what is none. */
function sizeOf(text: string): number {
  const size = parseInt(text, 16);
  return size > 0 ? size : 0;
}
