/** How many answers of records are sent at a time. */
import { expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";
import { MAX_TRANSFERS } from "../../src/endpoints/limits";
import { RecordStore } from "../../src/history/record-store";
import { HeldExchange } from "../support/http/held-exchange";
import { HOST, WebBench } from "../support/web/web-bench";

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
