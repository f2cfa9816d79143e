/** What the boards ask of ESP-IDF, read from the sources. What mcconfig makes of it is test/xs-linux/boards.test.ts. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { REQUIRED, settingsOf } from "../support/boards/sdkconfig";

const text = readFileSync("boards/esp32/sdkconfig/sdkconfig.defaults", "utf8");
const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));

describe("sdkconfig", () => {
  it("has lines that mcconfig can merge: unique name, value, no spaces", () => {
    for (const line of lines) expect(line).toMatch(/^CONFIG_[A-Z0-9_]+=\S+$/);
    const names = lines.map((line) => line.split("=")[0]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it.each(Object.entries(REQUIRED))("CONFIG_%s is %s", (name, value) => {
    expect(settingsOf(text).get(name)).toBe(value);
  });

  it("keeps the window a whole number of segments and within the 16 bits of the SDK's socket", () => {
    const number = (name: string): number => Number(settingsOf(text).get(name));
    for (const name of ["LWIP_TCP_WND_DEFAULT", "LWIP_TCP_SND_BUF_DEFAULT"]) {
      expect(number(name) % number("LWIP_TCP_MSS")).toBe(0);
      expect(number(name)).toBeLessThan(65_536);
    }
  });
});
