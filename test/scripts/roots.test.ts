/** The CAs in the device's flash. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expiringRoots, FILE, installedRoots, minimal, PAGE, pageWithRoots, rootsFile } from "../../scripts/roots.mjs";

/** What is set aside in the image. */
const MAX_BYTES = 3_072;

describe("src/notify/roots.der", () => {
  it("is made of Debian's certificates, and so is the table of docs/notifications.md: npm run roots", () => {
    expect(readFileSync(FILE).equals(rootsFile())).toBe(true);
    const page = readFileSync(PAGE, "utf8");
    expect(page).toBe(pageWithRoots(page));
    expect(rootsFile().length).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.each(installedRoots().map(({ certificate }) => [certificate.subject, certificate] as const))(
    "has the name, key and validity of %s, and that it is a CA",
    (_, whole) => {
      const made = new X509Certificate(minimal(whole.raw));
      for (const name of ["subject", "validFrom", "validTo", "ca"] as const) expect(made[name]).toEqual(whole[name]);
      expect(made.publicKey.equals(whole.publicKey)).toBe(true);
    },
  );

  it("those that expire within two years are named", () => {
    expect(expiringRoots(Date.parse("2033-06-04T11:00:00Z"))).toEqual([]);
    expect(expiringRoots(Date.parse("2033-06-04T11:05:00Z"))).toEqual(["ISRG Root X1 (2035-06-04)"]);
  });

  it("cannot be written into a page without its marks", () => {
    expect(() => pageWithRoots("# Notifications\n")).toThrow("no place");
  });
});
