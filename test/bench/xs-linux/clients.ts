/** Clients over real sockets that know no more HTTP than a measurement needs. */
import { connect, type Socket } from "node:net";
import { TOKEN } from "../../support/system/system";

const HEADERS = `Host: device\r\nAuthorization: Bearer ${TOKEN}\r\nAccept: application/json\r\n`;
const END_OF_HEAD = "\r\n\r\n";

export const request = (path: string, headers = ""): string => `GET ${path} HTTP/1.1\r\n${HEADERS}${headers}\r\n`;

export const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${HEADERS}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A response, if `text` begins with a whole one. */
function responseIn(text: string): string | undefined {
  const head = text.indexOf(END_OF_HEAD);
  if (head < 0) return undefined;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + END_OF_HEAD.length + length;
  return text.length < end ? undefined : text.slice(0, end);
}

export const statusOf = (response: string): number => Number(response.slice(9, 12));

export const bodyOf = (response: string): string => response.slice(response.indexOf(END_OF_HEAD) + END_OF_HEAD.length);

/** A connection. */
export class Client {
  readonly #socket: Socket;
  #received = "";
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(baseUrl: string) {
    this.#socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    this.#socket.setNoDelay(true).setEncoding("latin1");
    this.#socket.on("data", (text: string) => {
      this.#received += text;
      this.#wake?.();
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("end", () => this.#end());
    this.#socket.on("close", () => this.#end());
  }

  #end(): void {
    this.#closed = true;
    this.#wake?.();
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(text: string): this {
    if (!this.#closed) this.#socket.write(text);
    return this;
  }

  /** Sends, and waits for a response; undefined when the connection ends without one, or after so many ms. */
  async ask(text: string, patience = 10_000): Promise<string | undefined> {
    this.#received = "";
    this.send(text);
    const deadline = Date.now() + patience;
    for (;;) {
      const response = responseIn(this.#received);
      if (response !== undefined || this.#closed || Date.now() >= deadline) return response;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** One request on a connection of its own. */
export async function askOnce(baseUrl: string, text: string, patience?: number): Promise<string | undefined> {
  const client = new Client(baseUrl);
  try {
    return await client.ask(text, patience);
  } finally {
    client.close();
  }
}

export interface Load {
  /** Requests that were answered with 200 until now. */
  readonly answered: number;
  readonly failed: number;
  /** Resolves when all clients have ended. */
  stop(): Promise<void>;
}

interface Counters {
  answered: number;
  failed: number;
  running: boolean;
}

/** So many clients; each runs until the counters tell it not to. */
function start(clients: number, run: (counters: Counters, client: number) => Promise<void>): Load {
  const counters = { answered: 0, failed: 0, running: true };
  const all = Promise.all(Array.from({ length: clients }, (_, client) => run(counters, client)));
  return {
    get answered() {
      return counters.answered;
    },
    get failed() {
      return counters.failed;
    },
    async stop() {
      counters.running = false;
      await all;
    },
  };
}

/** Clients that ask as soon as they are answered. `keepAlive` false: each time on a new connection, which the server closes. */
export function load(baseUrl: string, text: string, clients: number, keepAlive = true): Load {
  return start(clients, async (counters) => {
    let client = new Client(baseUrl);
    while (counters.running) {
      const response = await client.ask(text);
      if (response && statusOf(response) === 200) counters.answered++;
      else counters.failed++;
      if (keepAlive && !client.closed) continue;
      client.close();
      client = new Client(baseUrl);
    }
    client.close();
  });
}

/** Requests that no server takes; each ends its connection. */
const MALFORMED = [
  "\r\n\r\n\r\n\r\nnonsense\r\n\r\n",
  `GET /${"a".repeat(400)} HTTP/1.1\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${"b".repeat(2000)}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${"Y: c\r\n".repeat(60)}\r\n`,
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
  "POST /api/bms/commands HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
  "POST /api/bms/commands HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "GET / HTTP/1.1\r\nHost : a\r\n folded\r\n\r\n",
  "\u0000\u0001\u0002\u0003\r\n\r\n",
];

/** Clients that send one malformed request after the other. */
export function storm(baseUrl: string, clients: number): Load {
  return start(clients, async (counters, client) => {
    for (let at = client; counters.running; at++) {
      await askOnce(baseUrl, MALFORMED[at % MALFORMED.length] ?? "", 2000);
      counters.failed++;
    }
  });
}
