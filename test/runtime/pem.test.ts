import { describe, expect, it } from "vitest";
import fc from "../support/property";
import { derOf } from "../../src/runtime/pem";
import { Authority } from "../support/tls/certificates";
import { pemOf } from "../support/tls/pem";

const BEGIN = "-----BEGIN CERTIFICATE-----\n";
const END = "\n-----END CERTIFICATE-----";
const wrap = (base64: string): string => BEGIN + base64 + END;

/** A SEQUENCE with `length` bytes in it. */
function sequence(length: number): Buffer {
  const head = length < 0x100 ? [0x30, 0x81, length] : [0x30, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), Buffer.alloc(length, 7)]);
}

describe("a certificate as PEM", () => {
  it("made by openssl is accepted", () => {
    const authority = new Authority();
    const base64 = authority.pem.replace(/-----.*-----|\n/g, "");
    expect(derOf(authority.pem)).toEqual(Uint8Array.from(Buffer.from(base64, "base64")));
    authority.remove();
  });

  it("may have any length and any last base64 group", () => {
    fc.assert(
      fc.property(fc.integer({ min: 128, max: 1_500 }), (length) => {
        const der = sequence(length);
        expect(derOf(wrap(der.toString("base64")))).toEqual(Uint8Array.from(der));
      }),
    );
  });

  it("is rejected when it is anything else", () => {
    const base64 = sequence(200).toString("base64");
    expect(derOf(wrap(base64))).toBeDefined();
    for (const wrong of [
      "",
      base64,
      BEGIN + base64,
      base64 + END,
      wrap(""),
      wrap(base64.slice(1)),
      wrap(base64.slice(0, -1)),
      wrap(`${base64}=`),
      wrap(`${base64.slice(0, 40)}=${base64.slice(41)}`),
      wrap(`${base64.slice(0, 40)}*${base64.slice(41)}`),
      wrap(`${base64.slice(0, 40)} ${base64.slice(40)}`),
      wrap(base64) + wrap(base64),
      wrap(sequence(200).subarray(0, -1).toString("base64")),
      wrap(Buffer.concat([sequence(200), Buffer.of(0)]).toString("base64")),
      wrap(Buffer.alloc(300, 0x30).toString("base64")),
      wrap(base64).replaceAll("CERTIFICATE", "PRIVATE KEY"),
      wrap(base64).replace("BEGIN CERTIFICATE", "BEGIN PRIVATE KEY"),
      wrap(base64).replace("END CERTIFICATE", "END PRIVATE KEY"),
      wrap(`${base64.slice(0, 40)}=${base64.slice(40, -1)}`),
      wrap(`${sequence(201).toString("base64")}A===`),
      wrap(Buffer.from([0x31, ...sequence(200).subarray(1)]).toString("base64")),
      wrap(Buffer.from([0x30, 0x83, ...sequence(300).subarray(2)]).toString("base64")),
      wrap(sequence(300).subarray(0, -1).toString("base64")),
      wrap(Buffer.concat([sequence(300), Buffer.of(0)]).toString("base64")),
    ])
      expect(derOf(wrong), wrong).toBeUndefined();
  });

  it("may contain only base64 characters and line feeds", () => {
    const base64 = sequence(200).toString("base64");
    for (let code = 0; code < 0x100; code++) {
      const text = wrap(base64.slice(0, 40) + String.fromCharCode(code) + base64.slice(41));
      // A line feed leaves a digit out.
      expect(derOf(text) !== undefined, String(code)).toBe(/[A-Za-z0-9+/]/.test(String.fromCharCode(code)));
    }
  });

  it("has zeros in its unused bits", () => {
    const base64 = sequence(203).toString("base64");
    expect(base64).toMatch(/[^=]==?$/);
    const padded = base64.replace(/.(==?)$/, "/$1");
    expect(derOf(wrap(base64))).toBeDefined();
    expect(derOf(wrap(padded))).toBeUndefined();
  });

  it("may begin and end with blank lines", () => {
    expect(derOf(`\n\n${pemOf(1_000)}\n`)).toEqual(derOf(pemOf(1_000)));
  });
});
