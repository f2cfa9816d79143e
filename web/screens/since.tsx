/** On the first screen: alarms and changes since the page was last looked at in this browser; nothing if there were none. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { clock, localeOf, type Language } from "../format";
import { useTexts } from "../hooks";
import { eventText } from "../past/night";
import type { PastEvent } from "../past/records";
import { lookedBefore } from "../looks";
import { eventsSince } from "../since";
import { PAST_TEXTS } from "../texts/later/past";
import { SINCE_TEXTS } from "../texts/later/since";
import { Card } from "../ui";

/** More are counted: the history screen has them. */
const MOST = 5;

const isToday = (time: number): boolean => new Date(time).toDateString() === new Date().toDateString();

/** Time of today, with the date on other days. */
function when(time: number, language: Language): string {
  if (isToday(time)) return clock(time, language, Date.now());
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "short", timeStyle: "short" }).format(time);
}

interface Props {
  readonly events: readonly PastEvent[];
  /** Called when the page is looked at again after a while. */
  readonly reload: () => void;
}

export function Since({ events, reload }: Props): JSX.Element | null {
  const { t, language } = useTexts();
  const before = lookedBefore();
  useEffect(() => {
    const returned = (): void => {
      if (document.visibilityState === "visible" && lookedBefore() !== undefined) reload();
    };
    document.addEventListener("visibilitychange", returned);
    return () => document.removeEventListener("visibilitychange", returned);
  }, []);
  if (before === undefined) return null;
  const { alarms, changes } = eventsSince(events, before);
  if (!alarms.length && !changes.length) return null;
  const words = PAST_TEXTS[language];
  const own = SINCE_TEXTS[language];
  const list = (news: readonly PastEvent[]): JSX.Element => (
    <ul class="night">
      {news.slice(0, MOST).map((event, at) => (
        <li key={at}>
          {when(event.time * 1_000, language)}: {eventText(event, t, words)}
        </li>
      ))}
      {news.length > MOST && <li>{words.more(String(news.length - MOST))}</li>}
    </ul>
  );
  return (
    <Card title={own.title(own[isToday(before * 1_000) ? "today" : "onDay"](when(before * 1_000, language)))}>
      {alarms.length > 0 && list(alarms)}
      {changes.length > 0 && (
        <details class="changes">
          <summary>{own.changes(changes.reduce((sum, { count }) => sum + count, 0))}</summary>
          {list(changes)}
        </details>
      )}
    </Card>
  );
}
