/** Warns when the page shows stale values. */
import type { JSX } from "preact";
import { duration } from "./format";
import { useClock, useLive, useTexts } from "./hooks";
import { Icon } from "./icons";
import { staleReason, staleText } from "./verdict";

/** Last in the layout and sticky to the window's edge: it shifts nothing when it appears. */
export function Banner(): JSX.Element {
  const state = useLive();
  const { t } = useTexts();
  useClock(1_000);
  const { documents, seenAt, session } = state;
  const reason = staleReason(state);
  // Nothing was shown yet that could be old.
  const isShown = reason === "lost" || reason === "foreign" || documents.status;
  // In safe mode the BMS is not asked, which the page says above.
  // Which pack of a bank it is has been said there, too.
  let text = isShown && !(reason === "silent" && (session?.safeMode || state.hasBank)) ? staleText(reason, t) : "";
  const isStatus = text !== "";
  // What came instead, and what to check.
  const instead = reason === "silent" && text && documents.status?.bms?.noReply;
  if (instead) text += ` ${t.noReplies[instead]}`;
  if (!text && state.failing) text = t.app.failing;
  const seen =
    isStatus && seenAt !== undefined ? t.battery.lastSeen(t.common.ago(duration((Date.now() - seenAt) / 1_000))) : "";
  return (
    <div class={text ? "banner" : undefined}>
      {text && <Icon name="warning" />}
      <p>
        {/* Without the time since, which would be announced every second. */}
        <strong role="status">{text}</strong> {seen}
      </p>
    </div>
  );
}
