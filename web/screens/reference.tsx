/** What is set otherwise than when it was right: each can be put back, or be right as it is. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLive, useLoad, useTask, useTexts } from "../hooks";
import { live } from "../live";
import { known, titleOf, valueText } from "../outcome";
import { request } from "../request";
import { PARAMETERS } from "../tables";
import type { Texts } from "../texts/en";
import { CONTROL_TEXTS, type ControlTexts } from "../texts/later/control";
import { Button, Card, Confirm } from "../ui";
import { whichPack } from "./which-pack";

/** `data` of /web/reference; values as in the log. */
interface Reference {
  readonly count: number;
  readonly differences: readonly Difference[];
}
interface Difference {
  readonly setting: string;
  readonly reference: string;
  readonly value: string;
  readonly unit: string;
}

const nameOf = (setting: string, t: Texts, words: ControlTexts): string =>
  known(t.onlyRead, setting) ??
  titleOf(setting, t) ??
  known(words.settings, setting)?.[0] ??
  known(words.otherSwitches, setting) ??
  setting;

/** Nothing while all is as it was. */
export function ReferenceCard({ disabled }: { disabled: boolean }): JSX.Element | null {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language];
  const { own, documents } = useLive("queue", "config");
  const { value, reload } = useLoad(() => request<Reference>("GET", live.pathOf("/web/reference")));
  const task = useTask();
  const [asked, setAsked] = useState<Difference>();
  const seen = useRef(documents.config);
  // A setting has been written, or read anew.
  useEffect(() => {
    if (seen.current !== documents.config || own?.phase === "confirmed") void reload();
    seen.current = documents.config;
  }, [documents.config, own?.phase]);
  if (!value?.count) return null;
  const accept = (setting: string): void =>
    void task.run(async () => {
      await request("POST", live.pathOf("/web/reference"), { setting });
      await reload();
      return "";
    });
  const shown = (text: string, { unit }: Difference): string => valueText(text, unit, t);
  return (
    <Card title={words.differs}>
      <p class="hint">{words.differsHint}</p>
      <ul class="rows">
        {value.differences.map((row) => (
          <li key={row.setting}>
            <div class="row">
              <div>
                <h3>{nameOf(row.setting, t, words)}</h3>
                <p>{`${shown(row.reference, row)} → ${shown(row.value, row)}`}</p>
              </div>
              <div class="pair">
                {PARAMETERS.some(({ name }) => name === row.setting) && (
                  <Button
                    disabled={disabled}
                    label={`${words.putBack}: ${nameOf(row.setting, t, words)}`}
                    onClick={() => setAsked(row)}
                  >
                    {words.putBack}
                  </Button>
                )}
                <Button
                  disabled={task.busy}
                  label={`${words.isRight}: ${nameOf(row.setting, t, words)}`}
                  onClick={() => accept(row.setting)}
                >
                  {words.isRight}
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ul>
      <Button disabled={task.busy} onClick={() => accept("all")}>
        {words.allRight(String(value.count))}
      </Button>
      {task.message && <p role="alert">{task.message}</p>}
      {asked && (
        <Confirm
          title={nameOf(asked.setting, t, words)}
          text={[
            whichPack(t, language),
            words.control.from(shown(asked.value, asked), shown(asked.reference, asked)),
          ].join(" ")}
          action={words.putBack}
          onConfirm={() =>
            void live.write(asked.setting, "/web/parameters", { setting: asked.setting, value: asked.reference })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </Card>
  );
}
