import { expect, it } from "vitest";
import { Rendered } from "../../src/endpoints/rendered";
import { getSummary } from "../../src/endpoints/summary";
import { FakeExchange } from "../support/http/fake-exchange";
import { CountingWriter } from "../support/fakes/counting-writer";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";

it("is rendered once until something changes", () => {
  let rendered = 0;
  let uptime = 0;
  const parts = fakeParts();
  const monitor = Object.assign(parts.monitor, { revision: 1 });
  const sensors = Object.assign(parts.sensors, { samples: 1 });
  const context = {
    device: {
      ...parts,
      monitor,
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
    "a poll": () => void monitor.revision++,
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
