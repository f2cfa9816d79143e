/** The device's clock, or else its time zone, is not the browser's: offered until they agree. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { LocalTime } from "../../src/settings/local-time";
import { timestamp } from "../format";
import { useLive, useTask } from "../hooks";
import { live } from "../live";
import { keep, kept, ZONE_KEY } from "../preferences";
import { request } from "../request";
import { Button, Message } from "../ui";
import { useAllTexts } from "./all-texts";
import { browserZone, nameOf } from "./zone-choice";

export function Clock(): JSX.Element | null {
  const { t, language } = useAllTexts();
  const { session, isClockWrong } = useLive();
  const task = useTask();
  const here = useMemo(browserZone, []);
  const [left, setLeft] = useState(() => kept(ZONE_KEY));
  const { zone = "", offset = 0, time, about } = session ?? {};
  // Of the device and of the browser: chosen once, until one of them changes.
  const both = `${zone}|${here}`;
  if (!isClockWrong && left === both) return null;
  const post = (path: string, body: object): void =>
    void task.run(async () => {
      await request("POST", path, body).finally(() => live.begin());
      return "";
    });
  const known = time ?? about;
  const shown =
    known === undefined
      ? t.device.notSet
      : timestamp(known, new LocalTime({ time: { zone, offset: offset / 60 } }), language);
  return (
    <div class="concerns warn" role="status">
      <p>
        {isClockWrong
          ? `${t.device.now}: ${time === undefined && about ? "≈ " : ""}${shown}`
          : `${t.fields["time.zone"]}: ${nameOf(zone) || `UTC${offset > 0 ? "+" : ""}${offset / 3_600 || ""}`}`}
      </p>
      <div class="actions">
        {isClockWrong ? (
          <Button onClick={() => post("/web/time", { time: Math.round(Date.now() / 1_000) })}>
            {t.device.browserTime}
          </Button>
        ) : (
          <>
            <Button onClick={() => post("/web/group/time", { zone: here })}>
              {t.device.browserZone} ({nameOf(here)})
            </Button>
            <Button
              onClick={() => {
                keep(ZONE_KEY, both);
                setLeft(both);
              }}
            >
              {t.common.cancel}
            </Button>
          </>
        )}
        <Message task={task} />
      </div>
    </div>
  );
}
