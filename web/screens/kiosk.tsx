/** For a tablet on the wall: what is wrong, charge, power, a bar a pack and the time line, without scrolling and without menus; dimmed at night. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bankStatus, bankVerdict } from "../bank";
import { useClock, useLive, useTexts } from "../hooks";
import { live } from "../live";
import { preferences } from "../preferences";
import { Pending } from "../ui";
import { faults, judge } from "../verdict";
import { Glance } from "./glance";
import { PackBars } from "./pack-bars";
import { Recent } from "./recent";

/** Hours of the browser's clock. */
const EVENING = 22;
const MORNING = 6;
/** ms. */
const MINUTE = 60_000;

export function Kiosk(): JSX.Element {
  const { t } = useTexts();
  const state = useLive("status", "queue", "config");
  useEffect(() => live.watchClosely(), []);
  useClock(MINUTE);
  const { status: document, packs } = state.documents;
  const bank = state.hasBank ? packs : undefined;
  const verdict = bank ? bankVerdict(state, bank) : judge(state);
  const hour = new Date().getHours();
  // An alarm is to be seen at night, too.
  const isDim = (hour >= EVENING || hour < MORNING) && !faults(verdict.alarms);
  useEffect(() => {
    const { classList, dataset } = window.document.documentElement;
    classList.toggle("dim", isDim);
    if (isDim) dataset["theme"] = "dark";
    return () => {
      classList.remove("dim");
      dataset["theme"] = preferences.theme;
    };
  }, [isDim]);
  return (
    <>
      {!document || (state.hasBank && !bank) ? (
        <Pending />
      ) : (
        <div class={verdict.stale ? "wall stale" : "wall"}>
          <Glance status={bank ? bankStatus(bank, document.data) : document.data} verdict={verdict} bank={bank?.bank} />
          {bank && <PackBars packs={bank.packs} />}
          <Recent isAlone />
        </div>
      )}
      <a href="#/battery">{t.app.battery}</a>
    </>
  );
}
