import { execFileSync } from "node:child_process";
import { root } from "../host-sim/root.mjs";

/** The commit that is measured, and whether `sources` have more than that. */
export function measuredAt(sources) {
  const git = (...words) => execFileSync("git", ["-C", root, ...words], { encoding: "utf8" }).trim();
  const more = git("status", "--porcelain", "--untracked-files=no", "--", ...sources) ? " with changes" : "";
  return `${git("rev-parse", "--short=8", "HEAD")}${more}`;
}
