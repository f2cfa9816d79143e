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
  // Beside a pack that is looked at.
  const elsewhere = !bank && packs && state.pack !== undefined ? bankLines(packs, t, state.pack) : [];
  const device = document?.device;
  const status = document && (bank ? bankStatus(bank, document.data) : document.data);
  const told =
    whole && status && !verdict.never
      ? sentence(
          {
            ...{
              status,
              verdict,
              ...(!bank && { bms: document.bms, config: state.documents.config }),
              outlook: state.outlook,
              seenAt: state.seenAt,
              now: Date.now(),
            },
            silent: staleReason(state) === "silent",
          },
          language,
          t,
        )
      : undefined;
  // Of a bank with the name of the pack.
  const said =
    told && bank && all[0] && !verdict.stale && !verdict.well
      ? ({ tone: told.tone === "bad" ? told.tone : "warn", text: all[0] } as const)
      : told;
  // A condition whose words are the sentence is not said twice; an alarm is announced by its name, without the values that change.
  const isLine = said?.text === all[0];
  const alarm = bank || verdict.stale || !said ? undefined : verdict.alarms?.find(({ fault }) => fault);
  const isEmptied = !bank && !alarm && said?.text === t.sentence.emptied;
  const shown = isEmptied ? all.filter((line) => line !== t.concerns["low-charge"]) : all;
  const [name, ...others] = shown;
  // Further alarms, and what takes protections away, are never folded.
  const urgent: string[] = [t.concerns.emergency, t.concerns["sensors-ignored"]];
  for (const one of verdict.alarms ?? []) urgent.push(t.alarms[one.name].title);
  const folded = others.filter((line) => !urgent.includes(line));
  const tone = said?.tone ?? (faults(verdict.alarms) ? "bad" : "warn");
  return (
    <>
      <div class={said || all.length ? `concerns ${tone}` : ""}>
        {/* Its times change: it is not announced; what follows is. */}
        {said && !isLine && (
          <p class="sentence">
            <Icon name={ICONS[tone]} /> {said.text}
          </p>
        )}
        <div role="status">
          {shown.length > 0 && !alarm && (
            <>
              {verdict.stale && !said && <span class="tag">{t.battery.lastKnown}</span>}
              <Lines lines={shown} isFirstSentence={isLine} isNotice={verdict.well} />
            </>
          )}
          {alarm && (
            <>
              {isLine ? <Lines lines={[name as string]} isFirstSentence /> : <p class="hidden">{name}</p>}
              <p>{t.alarms[alarm.name].advice}</p>
              <Lines lines={others.filter((line) => urgent.includes(line))} />
            </>
          )}
        </div>
        {alarm && folded.length > 0 && (
          <details class="changes">
            <summary>{t.causes.more(folded.length)}</summary>
            <Lines lines={folded} />
          </details>
        )}
      </div>
      {elsewhere.length > 0 && (
        <div class="concerns warn" role="status">
          <Lines lines={elsewhere} />
        </div>
      )}
      {device && device.concerns.length > 0 && (
        <div class={device.well ? "concerns" : "concerns warn"} role="status">
          <Lines lines={device.concerns.map((code) => t.concerns[code])} isNotice={device.well} />
        </div>
      )}
    </>
  );
}

function Lines({
  lines,
  isFirstSentence = false,
  isNotice = false,
}: {
  lines: readonly string[];
  isFirstSentence?: boolean;
  isNotice?: boolean;
}): JSX.Element {
  return (
    <ul>
      {lines.map((line, at) => (
        <li key={line} class={isFirstSentence && at === 0 ? "sentence" : ""}>
          {!isNotice && <Icon name="warning" />} {line}
        </li>
      ))}
    </ul>
  );
}
