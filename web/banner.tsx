/** Warns when the page shows stale values, and lists what needs attention. */
import type { JSX } from "preact";
import { duration } from "./format";
import { useClock, useLive, useTexts } from "./hooks";
import { Icon } from "./icons";
import { faults, judge, staleReason, staleText } from "./verdict";

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
  let text = isShown && !(reason === "silent" && session?.safeMode) ? staleText(reason, seenAt !== undefined, t) : "";
  const isStatus = text !== "";
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

/** Alarms and other conditions that need attention; shown on every screen. */
export function Concerns(): JSX.Element {
  const { t } = useTexts();
  const { alarms = [], concerns, stale } = judge(useLive("status", "queue"));
  const lines = [
    ...alarms.filter(({ fault }) => fault).map(({ name }) => t.alarms[name].title),
    ...concerns.map((name) => t.concerns[name]),
  ];
  return (
    <div role="status">
      {lines.length > 0 && (
        <div class={faults(alarms) ? "concerns bad" : "concerns"}>
          {stale && <span class="tag">{t.battery.lastKnown}</span>}
          <ul>
            {lines.map((line) => (
              <li key={line}>
                <Icon name="warning" /> {line}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
