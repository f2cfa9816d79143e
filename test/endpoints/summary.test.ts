import * as FIELDS from "jk-bms/field-table";
import { JsonWriter } from "json/writer";
import { expect, it } from "vitest";
import { Rendered } from "../../src/endpoints/rendered";
import { getSummary, SUMMARY_ITEMS, SUMMARY_SLACK } from "../../src/endpoints/summary";
import { FakeExchange } from "../support/http/fake-exchange";
import { CountingWriter } from "../support/fakes/counting-writer";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";
import fc from "../support/property";

it("is rendered once until something changes", () => {
  let rendered = 0;
  let uptime = 0;
  const parts = fakeParts();
  const pack = Object.assign(parts.monitor.pack, { fixedRevision: 1 });
  const sensors = Object.assign(parts.sensors, { samples: 1 });
  const context = {
    pack,
    device: {
      ...parts,
      sensors,
      uptime: () => uptime,
      json: new CountingWriter(() => void rendered++),
    },
    dialect: DIALECT,
    summary: new Rendered(),
  };
  const ask = (): number => {
    getSummary(context, new FakeExchange({}));
    return rendered;
  };
  const changes: Record<string, () => void> = {
    "a poll": () => void pack.fixedRevision++,
    "a sample": () => void sensors.samples++,
    "a setting": () => parts.settings.update("device", { name: "another" }),
    "a second": () => void uptime++,
    "the relay on": () => void (parts.relay.value = 1),
    "the relay off": () => void (parts.relay.value = 0),
    "an edge of input 1": () => void (sensors.inputs = [0, 0]),
    "an edge of input 2": () => void (sensors.inputs = [0, 1]),
  };
  let times = ask();
  expect([ask(), ask()]).toEqual([1, 1]);
  for (const [what, change] of Object.entries(changes)) {
    change();
    expect([ask(), ask()], what).toEqual([++times, times]);
  }
});

it("brought up to date in place is the one that is written whole, byte for byte, whatever changes", () => {
  const number = fc.oneof(fc.constantFrom(0, 9, 10, 99, 100, 9_999, 10_000, 99_999), fc.nat({ max: 100_000 }));
  const measured = fc.oneof(number, number, number, fc.constant(undefined));
  const step = fc.record(
    {
      seconds: number,
      temperature: measured,
      voltage: fc.tuple(fc.nat({ max: 2 }), measured),
      pack: fc.tuple(
        fc.constantFrom(FIELDS.soc, FIELDS.packVoltage, FIELDS.packPower, FIELDS.remainingCapacity, FIELDS.alarmCode),
        fc.nat({ max: 0xff }),
      ),
      /** What the document shows besides its numbers. */
      other: fc.constantFrom("", "", "", "", "", "", "network", "relay", "input"),
    },
    { requiredKeys: [] },
  );
  let revised = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20, size: "max" }), fc.boolean(), (steps, isReader) => {
      const parts = fakeParts();
      const own = Object.assign(parts.monitor.pack, { fixedRevision: 1 });
      const sensors = Object.assign(parts.sensors, { samples: 1 });
      const network = Object.assign(parts.network, { revision: 1 });
      let uptime = 0;
      let written = 0;
      const device = { ...parts, sensors, network, uptime: () => uptime, start: undefined as never };
      const answer = (summary: Rendered | undefined): string => {
        const json = summary ? new CountingWriter(() => void written++) : new JsonWriter();
        const exchange = new FakeExchange({});
        getSummary(
          { device: { ...device, json }, pack: own, dialect: DIALECT, reader: isReader, ...(summary && { summary }) },
          exchange,
        );
        return new TextDecoder().decode(exchange.body);
      };
      const kept = new Rendered(SUMMARY_ITEMS, SUMMARY_SLACK);
      answer(kept);
      for (const { seconds = 1, temperature, voltage, pack, other } of steps) {
        uptime += seconds;
        own.fixedRevision++;
        sensors.samples++;
        if (temperature !== undefined) sensors.temperature = temperature;
        if (voltage) sensors.voltages[voltage[0]] = voltage[1];
        if (pack) own.telemetry.set(pack[0], pack[1]);
        if (other === "input") sensors.inputs = [sensors.input(0), sensors.input(1) ? 0 : 1];
        if (other === "relay") parts.relay.value = parts.relay.value ? 0 : 1;
        if (other === "network") network.ip = `192.0.2.${++network.revision}`;
        const before = written;
        expect(answer(kept)).toBe(answer(undefined));
        if (written === before) revised++;
      }
    }),
    { numRuns: 200 },
  );
  // Otherwise the test would show nothing.
  expect(revised).toBeGreaterThan(100);
});
