import { KEPT_FIELDS } from "./fields";

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
