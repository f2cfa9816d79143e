/** A setting for all packs: how far it is, and its outcome for each. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { packTitle } from "../bank";
import type { AllPacksJob, AllPacksPack } from "../documents";
import type { Language } from "../format";
import { useLive, useTexts } from "../hooks";
import { Icon } from "../icons";
import { live } from "../live";
import { messageText } from "../messages";
import { endingText, titleOf } from "../outcome";
import type { Texts } from "../texts/en";
import { CONTROL_TEXTS } from "../texts/later/control";
import { Card } from "../ui";

/** Nothing once it is over, but for those who sent it or saw it under way, and if it ended early. */
export function AllPacks(): JSX.Element | null {
  const { t, language } = useTexts();
  const { job } = useLive("job").documents;
  const [seen, setSeen] = useState(false);
  const running = job?.running ?? false;
  useEffect(() => {
    if (running) setSeen(true);
  }, [running]);
  if (!job?.setting || !(running || seen || live.sentToAll || job.problem)) return null;
  const { problem, packs } = job;
  const own = CONTROL_TEXTS[language];
  const next = running ? packs.findIndex(({ outcome }) => outcome === null) : -1;
  return (
    <div class="cards">
      <Card title={jobTitle(job, t, language)} wide>
        {/* While it runs, "Last change" announces the same. */}
        <p role={running ? undefined : "status"}>{problem ? own.endedEarly[problem] : haveText(job, language)}</p>
        <ul class="rows">
          {packs.map((pack, index) => (
            <li key={pack.address}>
              <div class="row">
                <h3>{packTitle(pack, t)}</h3>
                <Outcome pack={pack} isNext={index === next} waits={running} />
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

/** "Nominal capacity: all packs. 2 of 4 packs have confirmed it …" */
export const progressText = (job: AllPacksJob, t: Texts, language: Language): string =>
  `${jobTitle(job, t, language)}. ${haveText(job, language)}`;

function jobTitle({ setting }: AllPacksJob, t: Texts, language: Language): string {
  const name = setting ?? "";
  return CONTROL_TEXTS[language].allPacksTitle(titleOf(name, t) ?? name);
}

function haveText({ running, packs }: AllPacksJob, language: Language): string {
  const own = CONTROL_TEXTS[language];
  const confirmed = packs.filter(({ outcome }) => outcome === "confirmed").length;
  const says = running ? own.someHave : confirmed === packs.length ? own.allHave : own.onlySomeHave;
  return says(String(confirmed), String(packs.length));
}

function Outcome({ pack, isNext, waits }: { pack: AllPacksPack; isNext: boolean; waits: boolean }): JSX.Element {
  const { t, language } = useTexts();
  const { outcome, last } = pack;
  const own = CONTROL_TEXTS[language];
  if (isNext)
    return (
      <p class="outcome">
        <span class="spinner" aria-hidden="true" /> {own.control.busy}
      </p>
    );
  if (outcome === null) return <p class="hint">{waits ? own.waits : own.unknownOutcome}</p>;
  const isGood = outcome === "confirmed";
  return (
    <p class={isGood ? "outcome good" : "outcome bad"}>
      <Icon name={isGood ? "check" : "warning"} /> {last ? endingText(last, t) : messageText(outcome, t)}
    </p>
  );
}
