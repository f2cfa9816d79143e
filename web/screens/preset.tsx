/** A preset of the BMS for a chemistry, the limits of a file or of another pack, applied as a whole: old and new side by side, then one confirmed write after another. */
import { Fragment, type JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { packTitle } from "../bank";
import type { Config, PackRow, Status } from "../documents";
import { saveFile } from "../files";
import { useLive, useTask, useTexts } from "../hooks";
import { Icon } from "../icons";
import { todayOf } from "../ladder";
import { limitsOf, readLimits, suits, type LimitsFile } from "../limits-file";
import { live, type OwnWrite } from "../live";
import { isAsBefore, presetOf, stepsTo, type PresetStep, type Targets } from "../preset-steps";
import { CHEMISTRIES, presetName } from "../protection";
import { request } from "../request";
import { CONTROL_TEXTS } from "../texts/later/control";
import { Button, Dialog, Input, Message, Question, Select } from "../ui";
import { parameterText } from "./parameter-text";
import { refusalText } from "./refusal-text";
import { presentPack, whichPack } from "./which-pack";

/** What a dialog is about. */
interface Wanted {
  readonly title: string;
  readonly hint: string;
  /** Nothing differs. */
  readonly same: string;
  /** What is asked before it. */
  readonly only: string;
  readonly targets: Targets;
  /** The chemistry whose cells the owner has to confirm, which the BMS does not say. */
  readonly unsure?: string | false;
}

/**
 * Buttons for the presets of the pack's chemistry, or of each if the BMS does not say which it is; for the limits as a file, and for those of
 * another pack.
 */
export function Presets({ config, disabled }: { config: Config | undefined; disabled: boolean }): JSX.Element {
  const { t, language } = useTexts();
  const [wanted, setWanted] = useState<Wanted>();
  /** The other pack's address. */
  const [chosen, setChosen] = useState<number>();
  const id = useId();
  const task = useTask();
  const own = CONTROL_TEXTS[language];
  const { status, packs } = useLive().documents;
  const type = status?.data.batteryType;
  const types = Object.keys(CHEMISTRIES).filter((name) => !type || name === type);
  const offer = (name: string): void => {
    const chemistry = presetName(name) ?? name;
    setWanted({
      ...{ title: own.presetTitle(chemistry), hint: own.presetHint, same: own.presetSame(chemistry) },
      ...{ only: own.presetOnly(chemistry), targets: presetOf(name), unsure: !type && chemistry },
    });
  };
  /** Shows what differs from `file`. */
  const compare = (file: LimitsFile | undefined, from: string): void => {
    if (!status || !config) return;
    if (!file || !stepsTo(file.limits, config)) throw new Error(own.noLimits);
    if (!suits(file, limitsOf(status.data, config)))
      throw new Error(own.otherCells(String(file.cellCount), file.batteryType ?? t.common.unknown));
    setWanted({
      ...{ title: own.limitsOf(from), hint: own.limitsHint, same: own.limitsSame, only: own.limitsOnly },
      targets: file.limits,
    });
  };
  const save = (): void => {
    if (!status || !config) return;
    const file = limitsOf(status.data, config);
    saveFile(
      `${[own.fileName, file.serialNumber, file.date].filter(Boolean).join("-")}.json`,
      "application/json",
      `${JSON.stringify(file, undefined, 2)}\n`,
    );
  };
  const present = presentPack();
  const others = (packs?.packs ?? []).filter((pack) => pack !== present);
  const other = others.find(({ address }) => address === chosen) ?? others[0];
  const compareWith = (pack: PackRow): void =>
    void task.run(async () => {
      const data = await request<Status>("GET", `/web/status?pack=${pack.address}`);
      const found = await request<Config>("GET", `/web/packs/${pack.address}/config`);
      compare(limitsOf(data, found), packTitle(pack, t));
      return "";
    });
  return (
    <>
      {types.length > 0 ? (
        <p class="actions">
          {types.map((name) => (
            <Button key={name} disabled={disabled} onClick={() => offer(name)}>
              {own.preset(presetName(name) ?? name)}
            </Button>
          ))}
        </p>
      ) : (
        <p class="hint">{own.noPreset}</p>
      )}
      <p class="actions">
        <Button disabled={disabled} onClick={save}>
          {own.saveLimits}
        </Button>
      </p>
      {other && (
        <div class="row">
          <Select
            label={own.compareWith}
            value={String(other.address)}
            options={others.map((pack) => [String(pack.address), packTitle(pack, t)])}
            onInput={(address) => setChosen(Number(address))}
          />
          <Button disabled={disabled || task.busy} onClick={() => compareWith(other)}>
            {own.compare}
          </Button>
        </div>
      )}
      <div class="field">
        <label for={id}>{own.fromFile}</label>
        <input
          id={id}
          type="file"
          accept=".json,application/json"
          disabled={disabled || task.busy}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            void task
              .run(async () => {
                const limits = file && readLimits(await file.text().catch(() => ""));
                compare(limits, [limits?.serialNumber, limits?.date].filter(Boolean).join(", "));
                return "";
              })
              // Lets the user choose the same file again.
              .then(() => (currentTarget.value = ""));
          }}
        />
      </div>
      <Message task={task} />
      {wanted && config && <PresetDialog {...{ wanted, config }} onClose={() => setWanted(undefined)} />}
    </>
  );
}

interface Props {
  readonly wanted: Wanted;
  readonly config: Config;
  readonly onClose: () => void;
}

function PresetDialog({ wanted, config, onClose }: Props): JSX.Element {
  const { t, language } = useTexts();
  const { documents } = useLive();
  const { unsure } = wanted;
  // As it was when it was opened: the writes themselves change the configuration.
  const [before] = useState(config);
  const [steps] = useState(() => stepsTo(wanted.targets, before) ?? []);
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
      const isKnown = isAsBefore(wanted.targets, before, live.documents.config, steps.slice(0, index));
      const end = isKnown ? await write(step, pack) : "elsewhere";
      setEnded((all) => [...all, end]);
      if (end === "elsewhere" || end.phase !== "confirmed") break;
    }
    setPhase("ended");
  };
  return (
    <Dialog title={wanted.title} onClose={stop}>
      {steps.length > 0 ? (
        <>
          <p class="hint">{wanted.hint}</p>
          <table>
            <thead>
              <tr>
                <th scope="col">{own.limit}</th>
                <th scope="col">{own.control.present}</th>
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
        <p>{wanted.same}</p>
      )}
      {phase === "asked" ? (
        <>
          <p>
            {whichPack(t, language)} {wanted.only}
          </p>
          {isOutside && (
            <p class="failed">
              <Icon name="warning" /> {own.outside}
            </p>
          )}
          {unsure && <Input label={own.sureOf(unsure)} value={typed} onInput={setTyped} />}
          <Question
            action={own.apply}
            disabled={Boolean(unsure) && typed.trim().toUpperCase() !== unsure}
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
        <span class="spinner" aria-hidden="true" /> {own.control.busy}
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
