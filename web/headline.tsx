/** What needs attention, on every screen; on the first one with the sentence that sums everything up. */
import type { JSX } from "preact";
import { useClock, useLive, useTexts } from "./hooks";
import { Icon } from "./icons";
import { lines, sentence, type Tone } from "./sentence";
import { faults, judge, staleReason } from "./verdict";

/** ms: the sentence tells times to the minute. */
const REDRAW = 10_000;

const ICONS = {
  good: "check",
  warn: "warning",
  bad: "warning",
  old: "warning",
  plain: "pause",
} as const satisfies Record<Tone, string>;

/** Alarms and other conditions that need attention; `whole`: with the sentence, also when there are none. */
export function Concerns({ whole }: { whole: boolean }): JSX.Element {
  const { t, language } = useTexts();
  useClock(REDRAW);
  const state = useLive("status", "queue");
  const verdict = judge(state);
  const document = state.documents.status;
  const all = lines(verdict, t);
  const said =
    whole && document && !verdict.never
      ? sentence(
          {
            ...{ status: document.data, verdict, seenAt: state.seenAt, now: Date.now() },
            silent: staleReason(state) === "silent",
          },
          language,
          t,
        )
      : undefined;
  // A condition whose words are the sentence is not said twice.
  const isLine = said?.text === all[0];
  const tone = said?.tone ?? (faults(verdict.alarms) ? "bad" : "warn");
  return (
    <div class={said || all.length ? `concerns ${tone}` : ""}>
      {/* Its times change: it is not announced; what follows is. */}
      {said && !isLine && (
        <p class="sentence">
          <Icon name={ICONS[tone]} /> {said.text}
        </p>
      )}
      <div role="status">
        {all.length > 0 && (
          <>
            {verdict.stale && !said && <span class="tag">{t.battery.lastKnown}</span>}
            <ul>
              {all.map((line, at) => (
                <li key={line} class={isLine && at === 0 ? "sentence" : ""}>
                  <Icon name="warning" /> {line}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
