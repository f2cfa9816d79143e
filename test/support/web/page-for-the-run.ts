/** vitest's global set-up: the page, which the whole system serves, is there before the first test, in a new clone too. */
import { buildWeb } from "../../../web/build.mjs";

/** vitest calls this once for each project of a run. */
let built: Promise<unknown> | undefined;

export default async function setup(): Promise<void> {
  await (built ??= buildWeb({ log: () => undefined }));
}
