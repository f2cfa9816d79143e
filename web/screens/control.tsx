/** Switches and parameters of the BMS. */
import type { WriteReport } from "../../src/bms/outcomes";
import { Fragment, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { packTitle } from "../bank";
import type { Config } from "../documents";
import { quantity } from "../format";
import { useLive, useTexts } from "../hooks";
import { Icon } from "../icons";
import { LADDERS, type LadderName } from "../ladder";
import { live, type OwnWrite } from "../live";
import { endingText, titleOf, writeText } from "../outcome";
import { COMMANDS, PARAMETERS, type CommandName, type ParameterRow } from "../tables";
import type { Texts } from "../texts/en";
import { hasOutput, switchFact, type SwitchWithOutput } from "../switch-fact";
import { CONTROL_TEXTS, type ControlTexts } from "../texts/later/control";
import { Button, Card, Confirm, Fold, Switch } from "../ui";
import { staleReason, staleText } from "../verdict";
import { AllPacks, progressText } from "./all-packs";
import { AllSettings } from "./all-settings";
import { Ladder } from "./ladder";
import { presentPack, whichPack } from "./which-pack";
import { ParameterDialog } from "./parameter-dialog";
import { rangeText, parameterText } from "./parameter-text";
import { Presets } from "./preset";
import { ReferenceCard } from "./reference";
import { refusalText } from "./refusal-text";

const OBJECTS = ["battery", "balance"] as const;
const LADDER_CARDS: readonly (readonly ["protections" | "temperature", readonly LadderName[]])[] = [
  ["protections", ["cells"]],
  ["temperature", ["charge", "discharge", "mosfet"]],
];

export function Control(): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const state = useLive("status", "config", "queue");
  // What a MOSFET does changes a second or two after its switch.
  useEffect(() => live.watchClosely(), []);
  const { queue, config } = state.documents;
  const status = state.documents.status?.data;
  const offline = staleReason(state) !== "";
  // Another master is on the bus: nothing is sent.
  const heard = !offline && state.documents.status?.bms?.concerns?.includes("other-master") === true;
  const busy = Boolean(queue?.pending) || state.own?.phase === "sending" || state.own?.phase === "queued";
  const wasBusy = useRef(busy);
  // A disabled button loses the focus: keyboard users would have to start at the top again.
  useEffect(() => {
    const { activeElement, body } = document;
    if (wasBusy.current && !busy && activeElement === body)
      document.querySelector<HTMLElement>(`[id="${live.own?.name ?? ""}"] button`)?.focus({ preventScroll: true });
    wasBusy.current = busy;
  }, [busy]);
  // What is switched on is seen.
  const isInDanger = DANGEROUS.some((name) => state.documents.status?.bms?.switches?.[name] === true);
  const loaded = Boolean(config) && queue?.configurationLoaded !== false && !state.unavailable.has("config");
  return (
    <>
      <Packs />
      <LastWrite offline={offline} heard={heard} />
      {Number(state.documents.packs?.packs.length) > 1 && <AllPacks />}
      <div class={offline ? "cards stale" : "cards"}>
        {loaded && <ReferenceCard key={live.pack} disabled={offline || busy || heard} />}
        <Card title={t.battery.switches}>
          <Commands names={ORDINARY} {...{ offline }} disabled={offline || busy || heard} />
        </Card>
        {LADDER_CARDS.map(([object, ladders]) => (
          <Card key={object} title={t.objects[object]}>
            {!loaded && !offline && <p role="status">{words.loading}</p>}
            {ladders.map((name) => (
              <Fragment key={name}>
                {ladders.length > 1 && <h3>{words.ladders[name]}</h3>}
                <Ladder {...{ name, config, status }} disabled={offline || busy || heard || !loaded} />
                {LADDERS[name].map((parameter) => (
                  <OwnOutcome key={parameter} name={parameter} offline={offline} />
                ))}
              </Fragment>
            ))}
            {object === "protections" && <p class="hint">{CONTROL_TEXTS[language].currents}</p>}
            {object === "protections" && <Presets config={config} disabled={offline || busy || heard || !loaded} />}
          </Card>
        ))}
        {/* A parameter that is on or off is one of the switches above. */}
        {OBJECTS.map((object) => (
          <Card key={object} title={t.objects[object]}>
            {!loaded && !offline && <p role="status">{words.loading}</p>}
            <ul class="rows">
              {PARAMETERS.filter((row) => row.object === object && row.kind !== "boolean").map((row) => (
                <Parameter
                  key={row.name}
                  row={row}
                  config={config}
                  offline={offline}
                  disabled={offline || busy || heard || !loaded}
                />
              ))}
            </ul>
          </Card>
        ))}
        {loaded && <AllSettings />}
        <div class="dangerous">
          <Fold title={DANGEROUS.map((name) => t.commands[name].title).join(" · ")} isOpen={isInDanger}>
            <Commands names={DANGEROUS} {...{ offline }} disabled={offline || busy || heard} />
          </Fold>
        </div>
      </div>
    </>
  );
}

/** The packs, of which one is written to; nothing with one pack alone. */
function Packs(): JSX.Element | null {
  const { t, language } = useTexts();
  const { documents } = useLive();
  const packs = documents.packs?.packs ?? [];
  if (packs.length < 2) return null;
  const present = presentPack();
  return (
    <section class="choice" aria-label={t.bank.packs}>
      <p>{present && CONTROL_TEXTS[language].writesTo(packTitle(present, t), String(present.address))}</p>
      <ul>
        {packs.map((pack) => (
          <li key={pack.address}>
            <a href={`#/control/${pack.address}`} aria-current={pack === present ? "true" : undefined}>
              {packTitle(pack, t)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * State of the pending or last write, of any client. A confirmation from before the BMS was lost is no longer shown:
 * it would seem to vouch for the stale values below.
 */
function LastWrite({ offline, heard }: { offline: boolean; heard: boolean }): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const page = useLive("queue");
  const { own, documents } = page;
  const { queue } = documents;
  const mine = own && (!own.report || isSame(own.report, queue?.last));
  let text = "";
  let state: "busy" | "good" | "bad" | "" = "";
  if (own && (own.phase === "sending" || own.phase === "queued")) {
    text = words.queued(titleOf(own.name, t) ?? own.name);
    state = "busy";
  } else if (queue?.pending) {
    text = documents.job?.running ? progressText(documents.job, t, language) : words.busyOther;
    state = "busy";
  } else if (own && mine) {
    text = ownText(own, t, words);
    state = own.phase === "confirmed" ? "good" : "bad";
  } else if (queue?.last) {
    text = `${writeText(queue.last, t)}. ${endingText(queue.last, t)}`;
    state = queue.lastCommandOk ? "good" : "bad";
  }
  if (heard) text = `${t.concerns["other-master"]} ${words.locked}`;
  if (offline) {
    const reason = staleReason(page);
    // In safe mode the BMS is not asked.
    const isSafe = reason === "silent" && page.session?.safeMode;
    const why = isSafe ? t.errors["safe-mode"] : `${staleText(reason, t)} ${words.locked}`;
    text = state === "bad" ? `${text} ${why}` : why;
    if (state === "good") state = "";
  }
  return (
    <div class={`last ${state}`}>
      <span class="tag">{words.lastWrite}</span>
      <p role="status">
        {state === "good" && <Icon name="check" />}
        {state === "bad" && <Icon name="warning" />}
        {state === "busy" && <span class="spinner" aria-hidden="true" />}
        {text || words.noWrite}
      </p>
    </div>
  );
}

function ownText(own: OwnWrite, t: Texts, words: ControlTexts["control"]): string {
  const name = titleOf(own.name, t) ?? own.name;
  if (own.phase === "unknown") return t.control.lostTrack(name);
  if (own.report) return `${writeText(own.report, t)}. ${endingText(own.report, t)}`;
  return words.refused(name, refusalText(own, t));
}

function isSame(one: WriteReport, other: WriteReport | null | undefined): boolean {
  return (
    one.name === other?.name &&
    one.value === other.value &&
    one.outcome === other.outcome &&
    one.detail === other.detail
  );
}

/** Outcome of this page's last write to a command or parameter; a lost BMS confirms nothing. */
function OwnOutcome({ name, offline }: { name: string; offline: boolean }): JSX.Element | null {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const { own } = live;
  if (own?.name !== name) return null;
  switch (own.phase) {
    case "sending":
    case "queued":
      return (
        <p class="outcome">
          <span class="spinner" aria-hidden="true" /> {words.busy}
        </p>
      );
    case "confirmed":
      return (
        <p class={offline ? "outcome" : "outcome good"}>
          {offline ? (
            // Keeps the line, so that the layout does not shift.
            "\u00a0"
          ) : (
            <>
              <Icon name="check" /> {own.report && endingText(own.report, t)}
            </>
          )}
        </p>
      );
    case "refused":
      return (
        <p class="outcome bad">
          <Icon name="warning" /> {refusalText(own, t)}
        </p>
      );
    case "unknown":
      return (
        <p class="outcome bad">
          <Icon name="warning" /> {t.control.lostTrack(titleOf(name, t) ?? name)}
        </p>
      );
  }
}

/** Warning to show before switching. */
function commandDanger(name: CommandName, on: boolean, words: ControlTexts["control"]): string {
  if ((name === "discharge_mos" || name === "charge_mos") && !on) return words[name];
  if (isDangerous(name) && on) return words[name];
  return "";
}

/** What is switched on with a question only, and stands where nobody passes. */
const DANGEROUS = ["emergency", "temperature_sensors_disabled"] as const;
const isDangerous = (name: CommandName): name is (typeof DANGEROUS)[number] =>
  (DANGEROUS as readonly CommandName[]).includes(name);
const ORDINARY = COMMANDS.filter((name) => !isDangerous(name));

interface CommandsProps {
  readonly names: readonly CommandName[];
  readonly offline: boolean;
  readonly disabled: boolean;
}

const Commands = ({ names, ...state }: CommandsProps): JSX.Element => (
  <ul class="rows">
    {names.map((name) => (
      <Command key={name} name={name} {...state} />
    ))}
  </ul>
);

interface CommandProps {
  readonly name: CommandName;
  readonly offline: boolean;
  readonly disabled: boolean;
}

function Command({ name, offline, disabled }: CommandProps): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const { documents } = useLive();
  const [asked, setAsked] = useState<boolean>();
  const { title, hint } = t.commands[name];
  const present = documents.status?.bms?.switches?.[name];
  const { pack } = live;
  const send = (state: boolean, force?: boolean): void =>
    void live.write(name, "/web/commands", { command: name, state, force }, pack);
  const [declined, decline] = useState<OwnWrite>();
  const own = live.own?.name === name ? live.own : undefined;
  const above = own?.error?.above ?? 0;
  const choose = (state: boolean): void => {
    if (commandDanger(name, state, words)) setAsked(state);
    else send(state);
  };
  return (
    <li id={name}>
      <div class="row">
        <div>
          <h3>{title}</h3>
          {/* What it does now says what it is. */}
          {hasOutput(name) ? <Fact {...{ name, offline }} /> : <p class="hint">{hint}</p>}
        </div>
        {typeof present !== "boolean" ? (
          <div class="pair">
            <Button disabled={disabled} label={`${t.common.on}: ${title}`} onClick={() => choose(true)}>
              {t.common.on}
            </Button>
            <Button disabled={disabled} label={`${t.common.off}: ${title}`} onClick={() => choose(false)}>
              {t.common.off}
            </Button>
          </div>
        ) : (
          <Switch label={title} on={present} disabled={disabled} onToggle={() => choose(!present)} />
        )}
      </div>
      <OwnOutcome name={name} offline={offline} />
      {asked !== undefined && (
        <Confirm
          title={words.sure}
          text={[whichPack(t, language), commandDanger(name, asked, words)].join(" ").trim()}
          action={asked ? words.switchOn(title) : words.switchOff(title)}
          onConfirm={() => send(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {own && live.isUncompared && <p class="hint">{words.notCompared}</p>}
      {above !== 0 && own !== declined && (
        <Confirm
          title={words.sure}
          text={[
            whichPack(t, language),
            words[above < 0 ? "below" : "above"](quantity(language, Math.abs(above), "V", 1)),
            words.inrush,
          ].join(" ")}
          action={words.switchOn(title)}
          onConfirm={() => send(true, true)}
          onClose={() => decline(own)}
        />
      )}
    </li>
  );
}

/** What the switch is set to, and what its output does. */
function Fact({ name, offline }: { name: SwitchWithOutput; offline: boolean }): JSX.Element {
  const { t, language } = useTexts();
  const { bms, data } = useLive().documents.status ?? {};
  const own = CONTROL_TEXTS[language];
  const { wish, fact, differs, reasons } = switchFact(name, bms, data);
  const said = (state: boolean | null, yes: string, no: string): string =>
    (state === null ? t.common.unknown : state ? yes : no).toLowerCase();
  const switched = said(wish, t.common.on, t.common.off);
  if (!differs)
    return (
      <p class="hint">
        {offline && <span class="tag">{t.battery.lastKnown}</span>}{" "}
        {name === "balance"
          ? own.balancing(switched, said(fact, t.common.yes, t.common.no))
          : own.fact(switched, said(fact, t.common.on, t.common.off))}
      </p>
    );
  const why = reasons.map((alarm) => lowered(t.alarms[alarm].title)).join(", ") || own.noReason;
  // A full pack blocks its charging: that is well.
  const isFull = reasons.join() === "fully_charged";
  return (
    <p class={isFull ? "outcome" : "outcome bad"}>
      {offline && <span class="tag">{t.battery.lastKnown}</span>}
      <Icon name={isFull ? "check" : "warning"} /> {wish ? own.blocked(why) : own.stillOn}
    </p>
  );
}

/** Within a sentence; abbreviations stay. */
const lowered = (title: string): string => title.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());

interface ParameterProps {
  readonly row: ParameterRow;
  readonly config: Config | undefined;
  readonly offline: boolean;
  readonly disabled: boolean;
}

function Parameter({ row, config, offline, disabled }: ParameterProps): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const [open, setOpen] = useState(false);
  const { title, hint } = t.parameters[row.name];
  const value = config?.[row.object][row.member];
  const { pack } = live;
  const send = (given: string): void =>
    void live.write(row.name, "/web/parameters", { setting: row.name, value: given }, pack);
  return (
    <li id={row.name}>
      <div class="row">
        <div>
          <h3>{title}</h3>
          <p class="hint">
            {hint} {`${words.allowed}: ${rangeText(row, language, t)}.`}
          </p>
        </div>
        <div class="value">
          <strong>{parameterText(row, value, language, t)}</strong>
          <Button disabled={disabled} label={words.changeOf(title)} onClick={() => setOpen(true)}>
            {words.change}
          </Button>
        </div>
      </div>
      <OwnOutcome name={row.name} offline={offline} />
      {open && <ParameterDialog row={row} value={value} config={config} onSend={send} onClose={() => setOpen(false)} />}
    </li>
  );
}
