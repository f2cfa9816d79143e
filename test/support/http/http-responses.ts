/** A strict parser of HTTP/1.1 responses: throws on any deviation from RFC 9112. */

export interface ParsedResponse {
  status: number;
  reason: string;
  /** By name in lower case. A repeated field throws. */
  headers: Record<string, string>;
  body: Buffer;
  chunks: number;
}

const indexOf = (bytes: Buffer, text: string, from: number): number => {
  const at = bytes.indexOf(text, from, "latin1");
  if (at < 0) throw new Error("response: truncated");
  return at;
};

/**
 * Parses the responses in `bytes` to requests with `methods` (GET beyond the list). A body delimited by the end of the connection takes
 * all remaining bytes.
 */
export function parseResponses(bytes: Buffer, methods: readonly string[] = []): ParsedResponse[] {
  const responses: ParsedResponse[] = [];
  let answered = 0;
  for (let at = 0; at < bytes.length;) {
    const end = indexOf(bytes, "\r\n\r\n", at);
    const [statusLine = "", ...lines] = bytes.toString("latin1", at, end).split("\r\n");
    at = end + 4;
    const match = /^HTTP\/1\.1 ([1-5]\d\d) ([\x20-\x7e]*)$/.exec(statusLine);
    if (!match) throw new Error(`response: status line ${JSON.stringify(statusLine)}`);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line);
      if (!field) throw new Error(`response: header line ${JSON.stringify(line)}`);
      const name = (field[1] as string).toLowerCase();
      if (name in headers) throw new Error(`response: ${name} twice`);
      headers[name] = field[2] as string;
    }
    const status = Number(match[1]);
    const response: ParsedResponse = { status, reason: match[2] as string, headers, body: Buffer.alloc(0), chunks: 0 };
    responses.push(response);
    if (status < 200) continue;
    const method = methods[answered++] ?? "GET";
    if (method === "HEAD" || status === 204 || status === 304) continue;
    const length = headers["content-length"];
    if (headers["transfer-encoding"] === "chunked") {
      if (length !== undefined) throw new Error("response: both framings");
      const pieces: Buffer[] = [];
      for (;;) {
        const lineEnd = indexOf(bytes, "\r\n", at);
        const size = bytes.toString("latin1", at, lineEnd);
        if (!/^[0-9a-f]+$/.test(size)) throw new Error(`response: chunk size ${JSON.stringify(size)}`);
        const from = lineEnd + 2;
        at = from + parseInt(size, 16);
        if (bytes.toString("latin1", at, at + 2) !== "\r\n") throw new Error("response: chunk end");
        at += 2;
        if (at === from + 2) break;
        pieces.push(bytes.subarray(from, at - 2));
      }
      response.body = Buffer.concat(pieces);
      response.chunks = pieces.length;
    } else if (length !== undefined) {
      if (!/^\d+$/.test(length)) throw new Error("response: length");
      if (at + Number(length) > bytes.length) throw new Error("response: truncated");
      response.body = bytes.subarray(at, at + Number(length));
      at += Number(length);
    } else {
      if (headers["connection"] !== "close") throw new Error("response: no end");
      response.body = bytes.subarray(at);
      at = bytes.length;
    }
  }
  return responses;
}
