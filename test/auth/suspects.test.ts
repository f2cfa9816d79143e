import { expect, it } from "vitest";
import { FAILURE_MEMORY } from "../../src/auth/limits";
import { Suspects } from "../../src/auth/suspects";

const BEGUN = 2 ** 31 - 5;

it("tells all addresses of a /24 network apart", () => {
  const addresses = Array.from({ length: 256 }, (_, last) => `192.168.1.${last}`);
  for (const one of addresses) {
    const suspects = new Suspects();
    suspects.add(one, BEGUN);
    expect(addresses.filter((address) => suspects.has(address, BEGUN))).toEqual([one]);
  }
});

it("accepts any string as an address", () => {
  const suspects = new Suspects();
  for (const address of ["", "2001:db8::1", "999.999.999.999.999.999", "x".repeat(45)]) {
    suspects.add(address, BEGUN);
    expect(suspects.has(address, BEGUN)).toBe(true);
  }
});

it("forgets every address after a quiet period", () => {
  const suspects = new Suspects();
  suspects.add("192.0.2.1", BEGUN);
  const later = (BEGUN + FAILURE_MEMORY) | 0;
  expect(suspects.has("192.0.2.1", later)).toBe(true);
  suspects.add("192.0.2.2", later);
  expect(suspects.has("192.0.2.1", (later + FAILURE_MEMORY) | 0)).toBe(true);
  const end = (later + FAILURE_MEMORY + 1) | 0;
  expect([suspects.has("192.0.2.1", end), suspects.has("192.0.2.2", end)]).toEqual([false, false]);
  suspects.add("192.0.2.3", end);
  expect([suspects.has("192.0.2.1", end), suspects.has("192.0.2.3", end)]).toEqual([false, true]);
});
