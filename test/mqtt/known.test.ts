import { expect, it } from "vitest";
import { Known } from "../../src/mqtt/known";

it("the MQTT client gets the resolved address for any name", () => {
  const heard: string[][] = [];
  new Known({ address: "10.0.0.9" }).resolve({
    host: "broker.lan",
    onResolved: (host, address) => void heard.push([host, address]),
  });
  expect(heard).toEqual([["broker.lan", "10.0.0.9"]]);
});
