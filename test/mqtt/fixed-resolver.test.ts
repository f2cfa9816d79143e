import { expect, it } from "vitest";
import { FixedResolver } from "../../src/mqtt/fixed-resolver";

it("the MQTT client gets the resolved address for any name", () => {
  const heard: string[][] = [];
  new FixedResolver({ address: "10.0.0.9" }).resolve({
    host: "broker.lan",
    onResolved: (host, address) => void heard.push([host, address]),
  });
  expect(heard).toEqual([["broker.lan", "10.0.0.9"]]);
});
