/** Growth of what a board gets is seen where it is made, without the SDK. */
import { describe, expect, it } from "vitest";
import { bundleDevice } from "../../scripts/device-bundle.mjs";
import { changesOf, recorded, sizesOf, TOLERANCE } from "../../scripts/size/recorded.mjs";

describe("the bytes of bundle and page", () => {
  it("are those recorded, more or less; 3,000 bytes of text in the bundle, or in the page, are seen", async () => {
    const code = (await bundleDevice()).get("firmware.js")!;
    const sizes = await sizesOf(code);
    expect(changesOf(sizes, recorded())).toEqual([]);
    const text = `throw "${"t".repeat(3_000)}";\n`;
    expect(changesOf(await sizesOf(code + text), sizes)).toEqual([expect.stringMatching(/^bundle: /)]);
    expect(changesOf({ ...sizes, page: sizes.page + 3_000 }, sizes)).toEqual([expect.stringMatching(/^page: /)]);
  });

  it.each(["bundle", "page"] as const)("may differ by 2,000, up or down, and no more: %s", (part) => {
    const before = { bundle: 500_000, page: 100_000 };
    const by = (bytes: number): string[] => changesOf({ ...before, [part]: before[part] + bytes }, before);
    expect([by(TOLERANCE), by(-TOLERANCE), by(0)]).toEqual([[], [], []]);
    for (const bytes of [TOLERANCE + 1, -TOLERANCE - 1])
      expect(by(bytes)).toEqual([
        `${part}: ${before[part] + bytes} bytes, ${before[part]} recorded; npm run size -- --record, and say why in the commit`,
      ]);
    expect(TOLERANCE).toBe(2_000);
  });
});
