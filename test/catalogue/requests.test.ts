import { expect, it } from "vitest";
import { settingRequest } from "../../src/catalogue/requests.ts";
import { findSetting } from "../../src/catalogue/settings.ts";

it.each([
  ["cell_uvp_voltage", "2.8"],
  ["BalanceEnabled", 1],
  [" balance_enabled ", true],
  ["bluetooth_name", "true"],
])("%j with %j is a request for its row", (name, value) => {
  expect(settingRequest(name, value)).toEqual({ setting: findSetting(name), value });
});

it("a name that no setting has is handed on, for the queue to refuse it", () => {
  expect(settingRequest("invented", 1)).toEqual({ setting: "invented", value: 1 });
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
  expect(settingRequest(name, value)).toBeUndefined();
});
