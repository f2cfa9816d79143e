/** Ten virtual hours of it in `npm run soak -- --part bus`. */
import { expect, it } from "vitest";
import { besideMaster } from "../suites/beside-master";

it("beside a JK master for ten minutes: it loses no transaction, both packs' values follow it, and are old when it stops", () => {
  expect(() => besideMaster(10)).not.toThrow();
});
