import { expect, it } from "vitest";
import { STATUS_ITEMS } from "../../src/catalogue/document";
import { Rendered } from "../../src/endpoints/rendered";
import { getStatus } from "../../src/endpoints/status";
import { FakeExchange } from "../support/http/fake-exchange";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";

it("includes the age: null before the first telemetry, and never the age of another second", () => {
  const parts = fakeParts();
  const pack = Object.assign(parts.monitor.pack, { fixedRevision: 1 });
  const context = {
    pack,
    device: parts,
    status: new Rendered(STATUS_ITEMS),
    dialect: DIALECT,
  };
  const age = (): unknown => {
    const exchange = new FakeExchange({});
    getStatus(context, exchange);
    return (exchange.json as { data: { ageSeconds: unknown } }).data.ageSeconds;
  };
  expect(age()).toBeNull();
  for (const seconds of [0, 0, 1, 2, 1, 65_534, 65_535, 65_536, 1_000_000, 0]) {
    pack.telemetryAge = seconds;
    expect(age()).toBe(seconds);
  }
});
