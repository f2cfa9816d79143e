/** What browsers with the page open do: signed in, each with its stream of events, their documents asked for again and again. */
import type { IncomingMessage } from "node:http";
import { setUpCode, WebClient, type WebAnswer } from "../support/web/web-client";

const PASSWORD = "correct horse";
/** In the document of /web/session: nobody has chosen a password yet. */
const FIRST_START = '"firstStart":true';
/** What the page keeps fresh. */
const DOCUMENTS = ["status", "config", "queue", "summary", "device"];

/** Lets some of the device's time pass. */
export type Advance = () => Promise<void>;

/** Lets the device's time pass until `promise` is settled. */
async function meanwhile<Value>(promise: Promise<Value>, advance: Advance): Promise<Value> {
  let settled = false;
  const end = (): void => void (settled = true);
  promise.then(end, end);
  while (!settled) await advance();
  return promise;
}

function expectStatus({ status, text }: Pick<WebAnswer, "status" | "text">, what: string): void {
  if (status !== 200) throw new Error(`${what}: ${status} ${text}`);
}

class Browser {
  readonly #client: WebClient;
  readonly #stream: IncomingMessage;
  #events = 0;

  private constructor(client: WebClient, stream: IncomingMessage) {
    this.#client = client;
    this.#stream = stream.on("data", () => this.#events++).on("error", () => undefined);
  }

  static async open(client: WebClient): Promise<Browser> {
    const stream = await client.open("GET", "/web/events");
    expectStatus({ status: stream.statusCode ?? 0, text: "" }, "/web/events");
    return new Browser(client, stream);
  }

  /** Asks for each of its documents, one after another. */
  async ask(): Promise<void> {
    for (const document of DOCUMENTS) expectStatus(await this.#client.get(`/web/${document}`), document);
  }

  /** Throws when the stream has ended. */
  close(): void {
    const { destroyed, complete } = this.#stream;
    this.#stream.destroy();
    if (destroyed || complete || !this.#events) throw new Error(`the stream ended after ${this.#events} events`);
  }
}

export class Browsers {
  readonly #browsers: readonly Browser[];
  readonly #advance: Advance;

  private constructor(browsers: readonly Browser[], advance: Advance) {
    this.#browsers = browsers;
    this.#advance = advance;
  }

  /** Signs so many in to a device, the first of all by choosing its password, if that is still to be done. */
  static async open(url: string, count: number, advance: Advance, console: readonly string[]): Promise<Browsers> {
    const browsers: Browser[] = [];
    for (let number = 0; number < count; number++) {
      const client = new WebClient({ url });
      const session = await meanwhile(client.get("/web/session"), advance);
      const signingIn = session.text.includes(FIRST_START)
        ? client.post("/web/password", { new: PASSWORD, code: setUpCode(console) })
        : client.signIn(PASSWORD);
      expectStatus(await meanwhile(signingIn, advance), "signing in");
      browsers.push(await meanwhile(Browser.open(client), advance));
    }
    return new Browsers(browsers, advance);
  }

  /** Each asks for all its documents, one browser after another: together they hold one connection beside their streams. */
  async ask(): Promise<void> {
    for (const browser of this.#browsers) await meanwhile(browser.ask(), this.#advance);
  }

  close(): void {
    for (const browser of this.#browsers) browser.close();
  }
}
