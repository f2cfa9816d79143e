/** A preset of the BMS for a chemistry, applied as a whole: old and new side by side, then one confirmed write after another. */
import { Fragment, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Config } from "../documents";
import { useLive, useTexts } from "../hooks";
import { Icon } from "../icons";
import { todayOf } from "../ladder";
import { live, type OwnWrite } from "../live";
import { isAsBefore, presetSteps, type PresetStep } from "../preset-steps";
import { CHEMISTRIES, presetName } from "../protection";
import { CONTROL_TEXTS } from "../texts/later/control";
import { Button, Dialog, Input, Question } from "../ui";
import { parameterText } from "./parameter-text";
import { refusalText } from "./refusal-text";
import { whichPack } from "./which-pack";

/** Buttons for the presets of the pack's chemistry, or of each if the BMS does not say which it is. */
export function Presets({ config, disabled }: { config: Config | undefined; disabled: boolean }): JSX.Element {
  const { language } = useTexts();
  const [open, setOpen] = useState<string>();
  const own = CONTROL_TEXTS[language];
  const type = useLive().documents.status?.data.batteryType;
  const types = Object.keys(CHEMISTRIES).filter((name) => !type || name === type);
  return (
    <>
      {types.length > 0 ? (
        <p class="actions">
          {types.map((name) => (
            <Button key={name} disabled={disabled} onClick={() => setOpen(name)}>
              {own.preset(presetName(name) ?? name)}
            </Button>
          ))}
        </p>
      ) : (
        <p class="hint">{own.noPreset}</p>
      )}
      {open && config && (
        <PresetDialog type={open} isSure={Boolean(type)} config={config} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

interface Props {
  readonly type: string;
  /** The BMS says that it has these cells. */
  readonly isSure: boolean;
  readonly config: Config;
  readonly onClose: () => void;
}

function PresetDialog({ type, isSure, config, onClose }: Props): JSX.Element {
  const { t, language } = useTexts();
  const { documents } = useLive();
  // As it was when it was opened: the writes themselves change the configuration.
  const [before] = useState(config);
  const [steps] = useState(() => presetSteps(type, before));
  const [typed, setTyped] = useState("");
  const [phase, setPhase] = useState<"asked" | "running" | "ended">(steps.length ? "asked" : "ended");
  /** How the writes ended; elsewhere: a limit is no longer what it was, so nothing more is written. */
  const [ended, setEnded] = useState<readonly (OwnWrite | "elsewhere")[]>([]);
  const stopped = useRef(false);
  const [pack] = useState(live.pack);
  const button = useRef<HTMLDivElement>(null);
  // Whoever leaves stops it after the write under way.
  useEffect(() => () => void (stopped.current = true), []);
  // The button that began it is gone.
  useEffect(() => {
    if (phase !== "asked") button.current?.querySelector("button")?.focus();
  }, [phase]);
  const own = CONTROL_TEXTS[language];
  const chemistry = presetName(type) ?? type;
  const confirmed = ended.filter((one) => one !== "elsewhere" && one.phase === "confirmed").length;
  const today = documents.status && todayOf("cells", documents.status.data);
  const valueOf = (name: string): number | undefined => steps.find(({ row }) => row.name === name)?.value;
  const isOutside =
    today &&
    (today[0] <= (valueOf("cell_uvp_voltage") ?? -Infinity) || today[1] >= (valueOf("cell_ovp_voltage") ?? Infinity));
  const stop = (): void => {
    stopped.current = true;
    if (phase !== "running") onClose();
  };
  const run = async (): Promise<void> => {
    setPhase("running");
    for (const [index, step] of steps.entries()) {
      if (stopped.current) break;
      const isKnown = isAsBefore(type, before, live.documents.config, steps.slice(0, index));
      const end = isKnown ? await write(step, pack) : "elsewhere";
      setEnded((all) => [...all, end]);
      if (end === "elsewhere" || end.phase !== "confirmed") break;
    }
    setPhase("ended");
  };
  return (
    <Dialog title={own.presetTitle(chemistry)} onClose={stop}>
      {steps.length > 0 ? (
        <>
          <p class="hint">{own.presetHint}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{own.limit}</th>
                <th scope="col">{t.control.present}</th>
                <th scope="col">{own.then}</th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ row, old, value }, index) => (
                <Fragment key={row.name}>
                  <tr>
                    <th scope="row">{t.parameters[row.name].title}</th>
                    <td>{parameterText(row, old, language, t)}</td>
                    <td>{parameterText(row, value, language, t)}</td>
                  </tr>
                  {phase !== "asked" && (
                    <tr>
                      <td colSpan={3}>
                        <Ending end={ended[index]} busy={phase === "running" && index === ended.length} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          </table>
        </>
      ) : (
        <p>{own.presetSame(chemistry)}</p>
      )}
      {phase === "asked" ? (
        <>
          <p>
            {whichPack(t, language)} {own.presetOnly(chemistry)}
          </p>
          {isOutside && (
            <p class="failed">
              <Icon name="warning" /> {own.outside}
            </p>
          )}
          {!isSure && <Input label={own.sureOf(chemistry)} value={typed} onInput={setTyped} />}
          <Question
            action={own.apply}
            disabled={!isSure && typed.trim().toUpperCase() !== chemistry}
            onConfirm={() => void run()}
            onClose={onClose}
          />
        </>
      ) : (
        <>
          {steps.length > 0 && (
            <p role="status">
              {(phase === "running" ? own.progress : confirmed === steps.length ? own.all : own.halted)(
                String(confirmed),
                String(steps.length),
              )}
            </p>
          )}
          <div class="actions" ref={button}>
            <Button onClick={stop}>{phase === "running" ? own.stop : own.close}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** One write, as if by hand. */
async function write({ row, value }: PresetStep, pack: number | undefined): Promise<OwnWrite> {
  await live.write(row.name, "/web/parameters", { setting: row.name, value: value.toFixed(row.decimals) }, pack);
  return live.own?.name === row.name ? live.own : { name: row.name, phase: "unknown" };
}

/** How a write ended; undefined: it has not been tried. */
function Ending({ end, busy }: { end: OwnWrite | "elsewhere" | undefined; busy: boolean }): JSX.Element {
  const { t, language } = useTexts();
  const own = CONTROL_TEXTS[language];
  if (busy)
    return (
      <p class="outcome">
        <span class="spinner" aria-hidden="true" /> {t.control.busy}
      </p>
    );
  if (!end) return <p class="hint">{own.untouched}</p>;
  const isGood = end !== "elsewhere" && end.phase === "confirmed";
  return (
    <p class={isGood ? "outcome good" : "outcome bad"}>
      <Icon name={isGood ? "check" : "warning"} /> {end === "elsewhere" ? own.elsewhere : refusalText(end, t)}
    </p>
  );
}
