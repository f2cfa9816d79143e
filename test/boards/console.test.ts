/** What boards/esp32/application.js sends to the console; its natives are C, in place of which there is one here that keeps the text. */
import { afterEach, expect, it } from "vitest";

const before = globalThis.trace;
afterEach(() => {
  globalThis.trace = before;
  delete (globalThis as { native?: unknown }).native;
});

it("says what the firmware and the SDK trace, but not that the SDK's MQTT client does not know why", async () => {
  const said: string[] = [];
  Object.assign(globalThis, { native: () => (text: string) => void said.push(text) });
  const MODULE = "../../boards/esp32/application.js";
  const { openConsole } = (await import(MODULE)) as { openConsole: () => void };
  openConsole();
  trace("MQTT: unreachable\n");
  trace("mqttClient error: ", "unknown", "\n");
  trace("mqttClient error: ", "connection refused", "\n");
  expect(said.join("")).toBe("MQTT: unreachable\nmqttClient error: connection refused\n");
});
