import { JsonWriter } from "json/writer";
import { expect, it } from "vitest";
import { getSummary } from "../../src/endpoints/summary";
import { FakeExchange } from "../support/http/fake-exchange";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";
import fc, { runs } from "../support/property";

/** Without arithmetic. */
function decimal(value: number, decimals: number): string {
  const digits = `${Math.abs(value)}`.padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return `${value < 0 ? "-" : ""}${digits.slice(0, -decimals)}${fraction && "."}${fraction}`;
}

it("shows exactly what the board has measured", () => {
  const parts = fakeParts();
  const { sensors } = parts;
  const device = { ...parts, json: new JsonWriter(), start: undefined as never };
  const shows = (temperature: number, millivolts: number): void => {
    sensors.temperature = temperature;
    sensors.voltages = [millivolts, undefined, millivolts];
    const exchange = new FakeExchange({});
    getSummary({ device, pack: parts.monitor.pack, dialect: DIALECT }, exchange);
    const text = new TextDecoder().decode(exchange.body);
    expect(text).toContain(`"temp0":${decimal(temperature, 1)},`);
    expect(text).toContain(`"voltageDC0":${decimal(millivolts, 3)},`);
    expect(text).toContain('"voltageDC1":null,');
    expect(text).toContain(`"voltageDC2":${decimal(millivolts, 3)},`);
  };
  for (const tenths of [-400, -1, 0, 1, 9, 10, 1250]) shows(tenths, 0);
  fc.assert(fc.property(fc.integer({ min: -1000, max: 2000 }), fc.integer({ min: -100_000, max: 1_000_000 }), shows), {
    numRuns: runs(250),
  });
});
