import { expect, it } from "vitest";
import { parameterRequest } from "../../src/catalogue/requests.ts";
import { findParameter } from "../../src/catalogue/parameters.ts";

it.each([
  ["cell_uvp_voltage", "2.8"],
  ["BalanceEnabled", 1],
  [" balance_enabled ", true],
  ["bluetooth_name", "true"],
])("%j with %j is a request for its row", (name, value) => {
  expect(parameterRequest(name, value)).toEqual({ parameter: findParameter(name), value });
});

it("a name that no parameter has is handed on, for the queue to refuse it", () => {
  expect(parameterRequest("invented", 1)).toEqual({ parameter: "invented", value: 1 });
});

it.each([
  ["cell_uvp_voltage", true],
  ["bluetooth_name", false],
  // A boolean belongs to switches alone, and what has no name is none.
  ["invented", true],
  ["cell_uvp_voltage", null],
  ["cell_uvp_voltage", [1]],
  ["cell_uvp_voltage", {}],
  ["cell_uvp_voltage", undefined],
  [1, 1],
  [undefined, 1],
])("%j with %j is malformed", (name, value) => {
  expect(parameterRequest(name, value)).toBeUndefined();
});
