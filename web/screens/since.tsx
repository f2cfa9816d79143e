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

/** Time of today, with the date on other days. */
function when(time: number, language: Language): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString();
  if (isToday) return clock(time, language, Date.now());
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: "short", timeStyle: "short" }).format(time);
}

/** `reload` is called when the page is looked at again after a while. */
export function Since({ events, reload }: { events: readonly PastEvent[]; reload: () => void }): JSX.Element | null {
  const { t, language } = useTexts();
  const before = lookedBefore();
  useEffect(() => {
    const returned = (): void => {
      if (document.visibilityState === "visible" && lookedBefore() !== undefined) reload();
    };
    document.addEventListener("visibilitychange", returned);
    return () => document.removeEventListener("visibilitychange", returned);
  }, []);
  const news = before === undefined ? [] : eventsSince(events, before);
  if (before === undefined || !news.length) return null;
  const words = PAST_TEXTS[language];
  return (
    <Card title={SINCE_TEXTS[language].title(when(before * 1_000, language))} wide>
      <ul class="night">
        {news.slice(0, MOST).map((event, at) => (
          <li key={at}>
            {when(event.time * 1_000, language)}: {eventText(event, t, words)}
          </li>
        ))}
        {news.length > MOST && <li>{words.more(String(news.length - MOST))}</li>}
      </ul>
    </Card>
  );
}
