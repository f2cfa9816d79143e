import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";

const FUNCTION = /^(?:export )?function (\w+)\([\w, ]*\) \{\n([^]*?)^\}/gm;
const NATIVE = /^return native\("xs_\w+"\)\.call\(this(, \w+)*\);$/;
/** Called once, at the start. */
const ONCE = ["watchAborts", "openConsole"];

/**
 * `heap`, `keep` and `recall` are called again and again: an object made by each call, with a function for each native, would be 14 of them
 * every second. The Linux build cannot show that: its memory table counts what the chip has in flash.
 */
it("what the script asks of the chip calls a native of the preloaded heap, and makes nothing", () => {
  const source = readFileSync(join(root, "boards/esp32/application.js"), "utf8");
  const bodies = new Map([...source.matchAll(FUNCTION)].map(([, name, body]) => [name!, body!.trim()]));
  expect([...bodies.keys()]).toEqual(expect.arrayContaining(["heap", "keep", "recall", "runningSlot", ...ONCE]));
  for (const once of ONCE) bodies.delete(once);
  for (const body of bodies.values()) expect(body).toMatch(NATIVE);
});
