/** The setting network.mask: one that is none makes everybody, or nobody, the device's own network. */
import { describe, expect, it } from "vitest";
import { isStatic } from "../../src/network/addressing";
import { MAX_HOSTS, MIN_HOSTS } from "../../src/settings/limits";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { poweredBoard } from "../support/system/simulated-board";

/** Of a network with so many addresses. */
const maskOf = (hosts: number): string => {
  const mask = 2 ** 32 - hosts;
  return [24, 16, 8, 0].map((bits) => Math.floor(mask / 2 ** bits) % 256).join(".");
};
const REFUSED = ["0.0.0.0", "0.0.0.1", "255.0.255.0", "0.255.255.255", "255.255.255.1", "255.255.0.255", "1.0.0.0"];

const storage = (): FaultyStorage => {
  poweredBoard();
  return new FaultyStorage();
};
const FIXED = { addressing: "static", address: "10.0.0.9", gateway: "10.0.0.1" } as const;

describe("network.mask", () => {
  it("is each of a /30 to a /8, and no smaller and no larger network", () => {
    const settings = startSettings(storage());
    const taken: number[] = [];
    for (let bits = 0; bits <= 32; bits++)
      if (settings.update("network", { ...FIXED, mask: maskOf(2 ** bits) }) === undefined) taken.push(2 ** bits);
    expect([taken[0], taken.at(-1), taken.length]).toEqual([MIN_HOSTS, MAX_HOSTS, 23]);
    expect([maskOf(MIN_HOSTS), maskOf(MAX_HOSTS)]).toEqual(["255.255.255.252", "255.0.0.0"]);
  });

  it.each([...REFUSED, "", "255.255.255", "255.255.255.0.0", "/24", "255.255.255.00"])("is not %j", (mask) => {
    const stored = storage();
    const settings = startSettings(stored);
    expect(settings.update("network", { mask })).toBe("not-text\tnetwork.mask\t0\t15\tmask");
    expect([settings.network.mask, startSettings(stored).problems]).toEqual(["255.255.255.0", []]);
  });

  it.each(REFUSED)("%s, as an older version took it, stays, is reported, and takes no network away: DHCP", (mask) => {
    const stored = storage();
    startSettings(stored).update("network", { ...FIXED, mask: "255.255.0.0" });
    expect(isStatic(startSettings(stored).network)).toBe(true);
    stored.put("settings", "network", String(stored.get("settings", "network")).replace("255.255.0.0", mask));
    const settings = startSettings(stored);
    expect([settings.network.mask, settings.problems]).toEqual([mask, ["not-allowed\tnetwork.mask"]]);
    expect(isStatic(settings.network)).toBe(false);
    // Until another is chosen.
    expect(settings.update("network", { mask: "255.255.255.0" })).toBeUndefined();
    expect([isStatic(settings.network), startSettings(stored).problems]).toEqual([true, []]);
  });
});
