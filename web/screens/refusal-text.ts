import type { OwnWrite } from "../live";
import { messageText, reasonOf } from "../messages";
import { endingText, titleOf } from "../outcome";
import type { Texts } from "../texts/en";

/** How a write of this page ended: what the BMS or the device says of it. */
export function refusalText({ name, phase, report, error }: OwnWrite, t: Texts): string {
  if (report) return endingText(report, t);
  if (phase === "unknown") return t.control.lostTrack(titleOf(name, t) ?? name);
  return messageText(error?.reason ?? "", t) ?? reasonOf(error, t);
}
