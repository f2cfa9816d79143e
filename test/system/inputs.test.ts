/** The board's own inputs, from the pins to the API. */
import { expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { ENGINE } from "../support/system/engines";
import { System } from "../support/system/system";

const EDGES_ONLY = 60;

it(`inputs and voltages follow the pins, on ${ENGINE}`, async ({ onTestFinished }) => {
  const system = await System.start({ unpaced: true });
  onTestFinished(() => system.stop());
  const { board } = system;
  const { temperature, voltages, inputs } = WT32_PINS;
  const monitoring = async (): Promise<unknown> => {
    const reply = await system.get("/api");
    return (reply.json as { data: { monitoring: unknown } }).data.monitoring;
  };

  voltages.forEach((pin, at) => board.setAnalog(pin, 1 + at / 4 + 0.0005));
  board.setAnalog(temperature, 1.0315);
  board.clock.runFor(3000);
  expect(await monitoring()).toMatchObject({
    voltageDC0: 25,
    voltageDC1: 31.25,
    voltageDC2: 37.5,
    temp0: 25,
    sensorInputValue0: 0,
    sensorInputValue1: 0,
  });

  // Sooner than the next look at the pins: by the edge.
  board.pin(inputs[1]).drive(0);
  board.clock.runFor(EDGES_ONLY);
  expect(await monitoring()).toMatchObject({ sensorInputValue0: 0, sensorInputValue1: 1 });
});
