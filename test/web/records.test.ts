/** How many answers of records are sent at a time. */
import type { BodySource, HeaderLine, Render } from "http-server/types";
import { expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { MAX_TRANSFERS } from "../../src/endpoints/limits";
import { RecordStore } from "../../src/history/record-store";
import { FakeExchange } from "../support/http/fake-exchange";
import { HOST, WebBench } from "../support/web/web-bench";

/** Its body is read by the test. */
class HeldExchange extends FakeExchange {
  source: BodySource | undefined;

  override respond(status: number, type?: string, body?: Render | BodySource, headers?: readonly HeaderLine[]): void {
    this.source = typeof body === "object" ? body : undefined;
    super.respond(status, type, typeof body === "object" ? undefined : body, headers);
  }
}

it("as many as there are sessions of the owner; what has ended makes room", () => {
  const today = { number: undefined, chargedWattHours: undefined, dischargedWattHours: undefined };
  const recorder = { today, cellRanges: new Uint8Array(8) };
  const flashHistory = { store: new RecordStore(new NorFlash(64)), recorder, transfers: 0 };
  const bench = new WebBench({ flashHistory });
  const cookie = bench.signIn();
  const ask = (): HeldExchange => {
    const exchange = new HeldExchange({ path: "/web/records", headers: { host: HOST, cookie } });
    bench.web.answer(exchange);
    return exchange;
  };

  const sent = Array.from({ length: MAX_TRANSFERS }, ask);
  expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: MAX_TRANSFERS }, () => 200));
  for (let times = 0; times < 2; times++) {
    const refused = ask();
    expect([refused.status, refused.responseHeader("retry-after")]).toEqual([503, "2"]);
  }
  sent[0]!.source!.close!();
  expect([ask(), ask()].map(({ status }) => status)).toEqual([200, 503]);
});
