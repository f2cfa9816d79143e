/** What needs attention, on every screen; on the first one with the sentence that sums everything up. */
import type { JSX } from "preact";
import { bankLines, bankStatus, bankVerdict } from "./bank";
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
  const { status: document, packs } = state.documents;
  const bank = state.hasBank ? packs : undefined;
  const verdict = bank ? bankVerdict(state, bank) : judge(state);
  const all = bank ? bankLines(bank, t) : lines(verdict, t);
  const status = document && (bank ? bankStatus(bank, document.data) : document.data);
  const told =
    whole && status && !verdict.never
      ? sentence(
          { ...{ status, verdict, seenAt: state.seenAt, now: Date.now() }, silent: staleReason(state) === "silent" },
          language,
          t,
        )
      : undefined;
  // Of a bank with the name of the pack.
  const said =
    told && bank && all[0] && !verdict.stale
      ? ({ tone: told.tone === "bad" ? told.tone : "warn", text: all[0] } as const)
      : told;
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
