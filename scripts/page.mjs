import { existsSync } from "node:fs";
import { root } from "./setup.mjs";

const BUILDER = `${root}web/build.mjs`;
export const PAGE = `${root}build/web`;

/** Builds the web interface's page into build/web, from where the simulator and the device builds take it. */
export async function buildPage() {
  if (!existsSync(BUILDER)) return;
  const { buildWeb } = await import(BUILDER);
  await buildWeb({ out: PAGE, log: () => {} });
}
