/** The owner's own service for notifications: takes every message. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface WebhookMessage {
  readonly event: string;
  readonly state: string;
  readonly alarm: string | null;
  readonly condition: string | null;
  readonly message: string;
  readonly packs: readonly number[];
}

export class Webhook {
  readonly messages: WebhookMessage[] = [];
  readonly #server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (bytes: Buffer) => (text += bytes.toString()));
    request.on("end", () => {
      this.messages.push(JSON.parse(text) as WebhookMessage);
      response.end("taken");
    });
  });

  open(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** Once it is open. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** What the owner reads. */
  get texts(): string[] {
    return this.messages.map(({ message }) => message);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
