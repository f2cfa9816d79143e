import type TextDecoder from "text/decoder";
import { KEPT_FIELDS } from "./fields";
import type { Input } from "./input";

/** A request's head. */
export class RequestHead {
  method = "";
  /** `*`, or the path as sent. */
  path = "";
  query = "";
  /** Minor version, HTTP/1.x. */
  minor = 1;
  /** -1 without the field; LONGEST for anything longer. */
  contentLength = -1;
  chunked = false;
  /** The connection may serve another request (RFC 9112 section 9.3). */
  persistent = false;
  /** `100 Continue` is expected. */
  asksContinue = false;
  /** Values of the kept fields, by number. */
  readonly values: (string | undefined)[] = new Array<undefined>(KEPT_FIELDS).fill(undefined);
}

const textOf = ({ bytes }: Input, end: number, decoder: TextDecoder): string => decoder.decode(bytes.subarray(0, end));

/** A client that polls sends the same head again and again: it is recognized by comparison instead of being parsed. */
export class RememberedHead {
  readonly head: RequestHead;
  /** See Exchange.memo. */
  memo: unknown;
  readonly bytes: number;
  private readonly text: string;

  /** Remembers `head`, just read from the first bytes of `input`. */
  constructor(head: RequestHead, input: Input, decoder: TextDecoder) {
    this.head = head;
    this.bytes = input.start;
    this.text = textOf(input, input.start, decoder);
  }

  /**
   * The same head has arrived again, so everything parsed from it is still valid. Compares strings, which XS does natively. As the lengths
   * match, different heads can compare equal only in bytes that are not UTF-8, and for those the handler would see the same text anyway.
   */
  comesAgain(input: Input, decoder: TextDecoder): boolean {
    const { bytes } = this;
    return input.start === 0 && input.end >= bytes && textOf(input, bytes, decoder) === this.text;
  }
}
