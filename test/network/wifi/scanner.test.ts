import { beforeEach, expect, it } from "vitest";
import { MAX_SCANNED, SCAN_KEPT, SCAN_TIMEOUT } from "../../../src/network/limits";
import { Scanner } from "../../../src/network/wifi/scanner";

let scanner: Scanner;
beforeEach(() => {
  scanner = new Scanner();
});

const find = (SSID: string, RSSI = -60, security = "wpa2_psk"): void => {
  const network = { SSID, RSSI, channel: 1, security };
  scanner.found(network);
};
const names = (now = 0): string[] => scanner.networks(now).map(({ ssid, rssi }) => `${ssid} ${rssi}`);

it("keeps the strongest access point of a name, in any order", () => {
  scanner.start(0, { ssid: "Home", bssid: "" });
  find("Home", -70);
  find("Home", -50);
  find("Home", -60);
  find("Shed", -55);
  scanner.complete();
  expect(names()).toEqual(["Home -50", "Shed -55"]);
});

it("keeps a limited number, and none without a name", () => {
  scanner.start(0, { ssid: "", bssid: "" });
  for (let n = 0; n <= MAX_SCANNED; n++) find(`Net ${n}`, -40 - n);
  find("", -30);
  scanner.complete();
  expect(names()).toHaveLength(MAX_SCANNED);
  expect(names().at(-1)).toBe(`Net ${MAX_SCANNED - 1} ${-40 - MAX_SCANNED + 1}`);
});

it("reports whether the scan saw the chosen network, even if it is not kept", () => {
  scanner.start(0, { ssid: "Weak", bssid: "" });
  for (let n = 0; n < MAX_SCANNED; n++) find(`Net ${n}`, -40);
  find("Weak", -90);
  scanner.complete();
  expect([scanner.seen, names().some((name) => name.startsWith("Weak"))]).toEqual([true, false]);
  scanner.start(0, { ssid: "Weak", bssid: "" });
  scanner.complete();
  expect(scanner.seen).toBe(false);
});

it("reports whether it saw the chosen access point, and not another one of that name", () => {
  for (const [BSSID, seen] of [
    ["a4:2b:b0:01:02:03", true],
    ["a4:2b:b0:01:02:04", false],
  ] as const) {
    scanner.start(0, { ssid: "Home", bssid: "a4:2b:b0:01:02:03" });
    scanner.found({ SSID: "Home", BSSID, RSSI: -60, channel: 1 });
    scanner.complete();
    expect(scanner.seen).toBe(seen);
  }
});

it("keeps the last results until the next scan has ended", () => {
  scanner.start(0, { ssid: "", bssid: "" });
  find("Home");
  scanner.complete();
  scanner.start(1_000, { ssid: "", bssid: "" });
  find("Shed");
  expect([scanner.scanning, names()]).toEqual([true, ["Home -60"]]);
  scanner.complete();
  expect([scanner.scanning, names()]).toEqual([false, ["Shed -60"]]);
});

it("a cancelled scan adds nothing and keeps earlier results", () => {
  scanner.start(0, { ssid: "Shed", bssid: "" });
  find("Home");
  scanner.complete();
  scanner.start(0, { ssid: "Shed", bssid: "" });
  expect(scanner.over(SCAN_TIMEOUT - 1)).toBe(false);
  expect(scanner.scanning).toBe(true);
  scanner.over(SCAN_TIMEOUT);
  expect(scanner.scanning).toBe(false);
  find("Shed");
  scanner.complete();
  expect([scanner.seen, names(SCAN_TIMEOUT)]).toEqual([false, ["Home -60"]]);
});

it("results expire when not requested for long, or empty; across the tick wrap", () => {
  const start = (2 ** 31 - 1_000) | 0;
  scanner.start(start, { ssid: "", bssid: "" });
  expect(scanner.over(start)).toBe(false);
  find("Home");
  scanner.complete();
  expect(scanner.over((start + SCAN_KEPT - 1) | 0)).toBe(false);
  scanner.networks((start + 10_000) | 0);
  expect(scanner.over((start + SCAN_KEPT) | 0)).toBe(false);
  expect(scanner.over((start + 10_000 + SCAN_KEPT) | 0)).toBe(true);
  scanner = new Scanner();
  scanner.start(0, { ssid: "", bssid: "" });
  scanner.complete();
  expect(scanner.over(0)).toBe(true);
});
