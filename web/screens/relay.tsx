/** The board's relay and inputs. */
import type { JSX } from "preact";
import { ALL_PACKS } from "../../src/settings/limits";
import { packTitle } from "../bank";
import type { GroupValues, Monitoring } from "../documents";
import { nameText, quantity, type Language } from "../format";
import { pathsOf } from "../forms";
import { GroupForm } from "../group-form";
import { useGroup, useLive, useTask } from "../hooks";
import { useAllTexts, type AllTexts } from "../device/all-texts";
import { fieldNumber } from "../judge";
import { live } from "../live";
import { request } from "../request";
import { Card, Fold, Message, Pending, Select, Switch } from "../ui";

export function RelayScreen(): JSX.Element {
  const { t, language } = useAllTexts();
  const { connected, documents, failed, session } = useLive("relay");
  const relay = useGroup("relay");
  const summary = documents.relay;
  if (!summary || !relay.value) return <Pending error={relay.error} retry={() => void relay.reload()} />;
  const settings = relay.value;
  const meaning = (values: GroupValues): string => meaningOf(values, language, t);
  return (
    <div class={connected && !failed.has("relay") ? "cards" : "cards stale"}>
      <RelayCard on={summary.relay === 1} settings={settings} onSaved={() => void relay.reload()} />
      <Inputs monitoring={summary.monitoring} />
      {!session?.noRelay && (
        <Fold title={t.relay.settings} hint={t.relay.ruleHint}>
          <GroupForm
            form="relay"
            only={ORDERED.filter((path) => !hasSentence(settings) || !SENTENCE.includes(path))}
            meaning={(values) => (meaning(values) === meaning(settings) ? "" : meaning(values))}
            own={{ pack: (value, set) => <FollowedPack key="pack" value={value} onInput={set} /> }}
            onSaved={() => void relay.reload()}
          />
        </Fold>
      )}
      {!session?.noInputs && (
        <Fold title={t.relay.scaling}>
          <GroupForm form="monitoring" />
        </Fold>
      )}
    </div>
  );
}

/** What its rule says in one sentence, to be changed there: all other members are folded. */
const SENTENCE = ["onAt", "offAt", "failSafe"];

/** What the rule is made of; what is wired once comes after it. */
const FIRST = ["mode", "source", "pack", ...SENTENCE, "failSafeAfter"];
const ORDERED = Object.freeze([...FIRST, ...pathsOf("relay").filter((path) => !FIRST.includes(path))]);

/** It follows a value: alarms and faults have no numbers. */
const hasSentence = ({ mode, source }: GroupValues): boolean =>
  mode === 1 && (source === "soc" || source === "voltage");

interface RelayProps {
  readonly on: boolean;
  readonly settings: GroupValues;
  readonly onSaved: () => void;
}

function RelayCard({ on, settings, onSaved }: RelayProps): JSX.Element {
  const { t, language } = useAllTexts();
  const task = useTask();
  const title = nameText(settings["name"], t) || t.groups.relay;
  if (settings["fitted"] === false)
    return (
      <Card title={t.groups.relay}>
        <p>{t.relay.notFitted}</p>
      </Card>
    );
  const mode = settings["mode"];
  const safeMode = live.session?.safeMode;
  const change = (): void =>
    void task.run(async () => {
      await request("POST", "/web/relay", { state: !on }).finally(() => live.load("relay"));
      return t.common.saved;
    });
  return (
    <Card title={title}>
      <div class="row">
        <p class="big">{on ? t.common.on : t.common.off}</p>
        <Switch label={title} on={on} disabled={safeMode || mode !== 0 || task.busy} onToggle={change} />
      </div>
      {(safeMode || mode === 1) && <p class="hint">{safeMode ? t.errors["safe-mode"] : t.relay.automatic}</p>}
      {hasSentence(settings) ? (
        <div class="sentence">
          <GroupForm
            form="relay"
            only={SENTENCE}
            onSaved={onSaved}
            meaning={(values) => meaningOf(values, language, t)}
          />
        </div>
      ) : (
        <p>{meaningOf(settings, language, t)}</p>
      )}
      <Message task={task} />
    </Card>
  );
}

/** All packs or one of them; one that is no longer there, too. With one pack alone there is nothing to choose. */
function FollowedPack({ value, onInput }: { value: string; onInput: (value: string) => void }): JSX.Element | null {
  const { t } = useAllTexts();
  const { packs } = useLive().documents;
  const all = String(ALL_PACKS);
  const options = new Map([[all, t.bank.all]]);
  for (const pack of packs?.packs ?? []) options.set(String(pack.address), packTitle(pack, t));
  if (!options.has(value)) options.set(value, t.bank.pack(value));
  if (options.size < 3 && value === all) return null;
  return <Select label={t.fields["relay.pack"]} value={value} options={[...options]} onInput={onInput} />;
}

/** What the relay does by these settings. */
function meaningOf(settings: GroupValues, language: Language, t: AllTexts): string {
  const { mode, failSafe } = settings;
  if (mode !== 1) return mode === 0 ? t.relay.manual : t.relay.disabled;
  return `${rule(settings, language, t)} ${t.relay.silent[failSafe as keyof AllTexts["relay"]["silent"]]}`;
}

function rule({ source, onAt, offAt }: GroupValues, language: Language, t: AllTexts): string {
  if (source === "alarm") return t.relay.alarmRule;
  if (source === "fault") return t.relay.faultRule;
  const unit = source === "soc" ? "%" : "V";
  const words = Number(onAt) < Number(offAt) ? t.relay.lowRule : t.relay.highRule;
  return words(`${fieldNumber(onAt, language)} ${unit}`, `${fieldNumber(offAt, language)} ${unit}`);
}

function Inputs({ monitoring }: { monitoring: Monitoring | undefined }): JSX.Element {
  const { t, language } = useAllTexts();
  if (!monitoring)
    return (
      <Card title={t.groups.monitoring}>
        <p>{t.relay.noInputs}</p>
      </Card>
    );
  const name = (member: string): string => nameText(monitoring[member], t);
  const value = (member: string): number | undefined => {
    const known = monitoring[member];
    return typeof known === "number" ? known : undefined;
  };
  return (
    <Card title={t.groups.monitoring}>
      <dl class="facts">
        <Fact title={name("tempName0")} text={quantity(language, value("temp0"), "°C", 1)} />
        {[0, 1, 2].map((at) => (
          <Fact
            key={at}
            title={name(`voltageDCName${at}`)}
            text={quantity(language, value(`voltageDC${at}`), "V", 2)}
          />
        ))}
        {[0, 1].map((at) => (
          <Fact
            key={at}
            title={name(`sensorInputName${at}`)}
            text={value(`sensorInputValue${at}`) ? t.relay.active : t.relay.inactive}
          />
        ))}
      </dl>
    </Card>
  );
}

/** Not `Facts`: two channels may have the same name. */
function Fact({ title, text }: { title: string; text: string }): JSX.Element {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{text}</dd>
    </div>
  );
}
