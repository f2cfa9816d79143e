import type { BodySource, HeaderLine, Render } from "http-server/types";
import { FakeExchange } from "./fake-exchange";

/** Its body is read by the test. */
export class HeldExchange extends FakeExchange {
  source: BodySource | undefined;

  override respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    this.source = typeof body === "object" ? body : undefined;
    super.respond(status, type, typeof body === "object" ? undefined : body, headers);
  }
}
