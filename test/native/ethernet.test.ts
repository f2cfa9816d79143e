/** boards/esp32/ethernet/ethernet.c around a stand-in for the SDK's driver and ESP-IDF. Under AddressSanitizer. */
import { expect, it } from "vitest";
import { NativeTests } from "../support/boards/native-tests";

const tests = new NativeTests({
  name: "ethernet",
  sources: ["boards/esp32/ethernet/ethernet.c"],
  includes: ["test/native/ethernet"],
  script: "test/native/ethernet/driver.js",
  modules: { "ethernet-driver": "boards/esp32/ethernet/ethernet-driver.js" },
});

async function ask(order: string, value: unknown = null): Promise<unknown> {
  const { result, error } = await tests.program.ask({ [order]: value }, order, () => true);
  return error ?? result;
}

/** The driver's task ends in its own time. */
async function ended(): Promise<unknown> {
  for (;;) {
    const isStarted = await ask("isStarted");
    if (isStarted !== null) return isStarted;
  }
}

it("the script goes on while the driver starts, and TCP/IP runs from the first moment", async () => {
  expect([await ask("isStarted"), await ask("isStackUp")]).toEqual([null, false]);
  expect(await ask("start", "battery")).toBeNull();
  expect([await ask("isStarted"), await ask("isStackUp")]).toEqual([null, true]);
  expect(await ask("start", "battery")).toContain("already starting");
  await ask("release");
  expect(await ended()).toBe(true);
});

it("DHCP's first request has the host name, not ESP-IDF's", async () => {
  await ask("start", "battery");
  await ask("release");
  await ended();
  expect(await ask("requested")).toBe("battery ");
});

it("the chip clocks the PHY at the pin that its manifest names; all else of the driver's configuration is the SDK's", async () => {
  await ask("start", "battery");
  await ask("release");
  await ended();
  expect(await ask("configured")).toBe("23 18 7 out 17");
});

it("a driver that failed can be started again, with another name", async () => {
  await ask("fail", ["driver", true]);
  for (let count = 0; count < 20; count++) {
    expect(await ask("start", "battery")).toBeNull();
    await ask("release");
    expect(await ended()).toBe(false);
  }
  await ask("fail", ["driver", false]);
  await ask("start", "bank");
  await ask("release");
  expect(await ended()).toBe(true);
  expect(await ask("requested")).toBe("bank ");
});

it.each(["netif", "loop", "handler", "task"])("without memory (%s) it says so, and starts later", async (what) => {
  await ask("fail", [what, true]);
  expect(await ask("start", "battery")).toContain("no memory");
  expect(await ask("isStarted")).not.toBe(true);
  await ask("fail", [what, false]);
  expect(await ask("start", "battery")).toBeNull();
  await ask("release");
  expect(await ended()).toBe(true);
  expect(await ask("requested")).toBe("battery ");
});

it("a name that is too long for ESP-IDF is an error", async () => {
  expect(await ask("start", "x".repeat(32))).toBeNull();
  await ask("release");
  await ended();
  expect(await ask("start", "x".repeat(33))).toContain("RangeError");
});

it("the MAC address is known before the driver is started", async () => {
  expect(await ask("mac")).toBe("24:6f:28:01:02:06");
  await ask("fail", ["mac", true]);
  expect(await ask("mac")).toContain("no MAC address");
});
