import { beforeEach, describe, expect, it } from "vitest";
import { MAX_CERTIFICATE, MAX_CERTIFICATE_LINES } from "../../src/settings/limits";
import { Authority } from "../support/tls/certificates";
import { pemOf } from "../support/tls/pem";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";

let settings: ReturnType<typeof startSettings>;
beforeEach(() => {
  poweredBoard();
  settings = startSettings();
});
const set = (ca: string): string | undefined => settings.update("mqtt", { ca });
const DEMAND = "not-text\tmqtt.ca\t0\t2048\tcertificate";

/** With so many line feeds. */
function withLines(feeds: number): string {
  const lines = pemOf(1_000).split("\n");
  return (
    lines.slice(0, 2).join("\n") + "\n".repeat(feeds - 2) + lines.slice(2).join("").replace("-----END", "\n-----END")
  );
}

describe("mqtt.ca", () => {
  it.each(["rsa", "ec"] as const)("accepts openssl's certificate with a %s key, and none", (kind) => {
    const authority = new Authority(kind);
    expect(set(authority.pem)).toBeUndefined();
    expect(settings.mqtt.ca).toBe(authority.pem);
    expect(set("")).toBeUndefined();
    authority.remove();
  });

  it.each([
    [MAX_CERTIFICATE - 1, undefined],
    [MAX_CERTIFICATE, undefined],
    [MAX_CERTIFICATE + 1, DEMAND],
  ])("of %i characters: %s", (length, problem) => {
    expect(pemOf(length)).toHaveLength(length);
    expect(set(pemOf(length))).toBe(problem);
  });

  it.each([
    [MAX_CERTIFICATE_LINES - 1, undefined],
    [MAX_CERTIFICATE_LINES, undefined],
    [MAX_CERTIFICATE_LINES + 1, DEMAND],
  ])("with %i line feeds: %s", (feeds, problem) => {
    expect(withLines(feeds).split("\n")).toHaveLength(feeds + 1);
    expect(set(withLines(feeds))).toBe(problem);
  });

  it("accepts nothing else", () => {
    for (const wrong of [
      "a",
      pemOf(1_000).slice(1),
      pemOf(1_000).replaceAll("\n", "\r\n"),
      pemOf(1_000).replace("W", "\u00e9"),
      pemOf(1_000) + "\n" + pemOf(1_000),
      pemOf(1_000).replaceAll("CERTIFICATE", "PUBLIC KEY"),
      // Around it, where a reader of PEM passes over blanks of all kinds.
      "\t" + pemOf(1_000),
      pemOf(1_000) + "\u00a0",
    ])
      expect(set(wrong), wrong).toBe(DEMAND);
    expect(settings.mqtt.ca).not.toContain("PUBLIC");
  });
});
