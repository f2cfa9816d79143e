/** A form for members of a settings group, built from the firmware's field table. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { GroupValues } from "./documents";
import { changedMembers, read, valueOf } from "./group-values";
import { nameText, plain } from "./format";
import { useGroup, useTask } from "./hooks";
import { useAllTexts, type AllTexts } from "./device/all-texts";
import { fieldNumber } from "./judge";
import { request } from "./request";
import { fieldOf, pathsOf, wordOf } from "./forms";
import { FORMS, USED_BY, type FormName, type GroupName } from "./tables";
import { unitText } from "./outcome";
import { Button, Check, Form, Input, Message, Pending, Select, TextArea } from "./ui";

/** Edits by path; null clears a secret. */
type Draft = ReadonlyMap<string, string | boolean | null>;

/** Members that apply only while another has one of these values. */
const ONLY_WITH: Readonly<Record<string, readonly [path: string, values: readonly unknown[]]>> = {
  "relay.onAt": ["source", ["soc", "voltage"]],
  "relay.offAt": ["source", ["soc", "voltage"]],
  "network.address": ["addressing", ["static"]],
  "network.mask": ["addressing", ["static"]],
  "network.gateway": ["addressing", ["static"]],
  "network.dns1": ["addressing", ["static"]],
  "network.dns2": ["addressing", ["static"]],
  "monitoring.temperature.resistance25": ["temperature.kind", ["ntc"]],
  "monitoring.temperature.beta": ["temperature.kind", ["ntc"]],
  "monitoring.temperature.seriesResistance": ["temperature.kind", ["ntc"]],
  "monitoring.temperature.slope": ["temperature.kind", ["linear"]],
  "mqtt.ca": ["tls", [true]],
  "notify.url1": ["kind1", USED_BY.url],
  "notify.channel1": ["kind1", USED_BY.channel],
  "notify.token1": ["kind1", USED_BY.token],
  "notify.url2": ["kind2", USED_BY.url],
  "notify.channel2": ["kind2", USED_BY.channel],
  "notify.token2": ["kind2", USED_BY.token],
  "time.offset": ["zone", [""]],
};

/** The unit of a threshold once its source is chosen. */
const UNITS: Readonly<Record<string, string>> = { soc: "%", voltage: "V" };

interface Props {
  readonly form: FormName;
  /** Of its members only these. */
  readonly only?: readonly string[];
  readonly onSaved?: () => void;
  /** Runs after saving: waits for the outcome and returns it as text. */
  readonly outcome?: () => Promise<string>;
  /** Label instead of "Save". The form then calls `onSaved` even if nothing was changed; `beside` adds buttons. */
  readonly submit?: string;
  readonly beside?: ComponentChildren;
  /** What the values mean, as they would be once saved, of a group without objects; empty: nothing is said. */
  readonly meaning?: (values: GroupValues) => string;
  /** Shows a member in another way than by its kind. */
  readonly own?: Readonly<Record<string, (value: string, set: (value: string) => void) => JSX.Element>>;
}

/** Members by the object that they are in, in the order of the table: "temperature", "voltages.0"; "": in none. */
function sectionsOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  for (const path of paths) {
    const object = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const section = sections.get(object);
    if (section) section.push(path);
    else sections.set(object, [path]);
  }
  return sections;
}

export function GroupForm({
  form,
  only = pathsOf(form),
  onSaved,
  outcome,
  submit,
  beside,
  meaning,
  own = {},
}: Props): JSX.Element {
  const { t, language } = useAllTexts();
  const group = FORMS[form];
  const { value: values, error, reload } = useGroup(group);
  const [draft, setDraft] = useState<Draft>(new Map());
  const [tried, setTried] = useState(false);
  const task = useTask();
  if (!values) return <Pending error={error} retry={() => void reload()} />;

  const set = (path: string, value: string | boolean | null): void => {
    setDraft((old) => new Map(old).set(path, value));
    task.clear();
  };
  const isMeant = (path: string): boolean => {
    const [other, meant] = ONLY_WITH[`${group}.${path}`] ?? [];
    return !other || !meant || meant.includes(draft.get(other) ?? read(values, other));
  };
  const changes = new Map<string, unknown>();
  const wrong = new Set<string>();
  for (const [path, typed] of draft) {
    if (!isMeant(path)) continue;
    const field = fieldOf(group, path);
    const isSecret = field.kind === "text" && field.secret;
    if (isSecret && typed === "") continue;
    const value = valueOf(field, typed ?? "", language);
    if (value === undefined) wrong.add(path);
    else if (isSecret || value !== read(values, path)) changes.set(path, value);
  }
  const save = (): void => {
    setTried(true);
    if (wrong.size) return;
    if (!changes.size) {
      if (submit) onSaved?.();
      else void task.run(() => Promise.resolve(t.common.unchanged));
      return;
    }
    const store = async (): Promise<string> => {
      await request("POST", `/web/group/${group}`, changedMembers(values, changes));
      await reload();
      // What was typed meanwhile stays.
      setDraft((now) => new Map([...now].filter(([path, typed]) => typed !== draft.get(path))));
      setTried(false);
      onSaved?.();
      return outcome ? t.common.savedWaiting : t.common.saved;
    };
    void task.run(store).then(async (isStored) => {
      // Takes up to half a minute, in which more can be saved.
      if (isStored && outcome) await task.follow(async () => `${t.common.saved} ${await outcome()}`);
    });
  };
  const said = meaning?.({ ...values, ...Object.fromEntries(changes) });
  return (
    <Form name={form} onSubmit={save}>
      {said && <p>{said}</p>}
      {[...sectionsOf(only)].map(([object, paths]) => {
        const entries = paths
          .filter(isMeant)
          .map(
            (path) =>
              own[path]?.(plain(draft.get(path) ?? read(values, path)), (value) => set(path, value)) ?? (
                <Entry
                  key={path}
                  group={group}
                  path={path}
                  stored={read(values, path)}
                  typed={draft.get(path)}
                  wrong={tried && wrong.has(path)}
                  unit={
                    path === "onAt" || path === "offAt"
                      ? UNITS[plain(draft.get("source") ?? read(values, "source"))]
                      : undefined
                  }
                  onInput={(value) => set(path, value)}
                />
              ),
          );
        return object ? (
          <fieldset key={object}>
            <legend>{objectTitle(object, t)}</legend>
            {entries}
          </fieldset>
        ) : (
          entries
        );
      })}
      <div class="actions">
        {beside}
        <Button submit kind="primary" disabled={task.busy}>
          {submit ?? t.common.save}
        </Button>
        <Message task={task} />
      </div>
    </Form>
  );
}

function objectTitle(object: string, { channels }: AllTexts): string {
  const [name = "", at] = object.split(".");
  const title = channels[name as keyof typeof channels];
  return typeof title === "string" ? title : title(Number(at) + 1);
}

interface EntryProps {
  readonly group: GroupName;
  readonly path: string;
  readonly stored: unknown;
  readonly typed: string | boolean | null | undefined;
  readonly wrong: boolean;
  /** Instead of the field's. */
  readonly unit: string | undefined;
  readonly onInput: (value: string | boolean | null) => void;
}

function Entry({ group, path, stored, typed, wrong, unit: chosen, onInput }: EntryProps): JSX.Element {
  const { t, language } = useAllTexts();
  const field = fieldOf(group, path);
  const word = wordOf(group, path);
  const label = t.fields[word];
  switch (field.kind) {
    case "boolean":
      return <Check label={label} checked={typed === undefined ? stored === true : typed === true} onInput={onInput} />;
    case "choice":
      return (
        <Select
          label={label}
          value={plain(typed ?? stored)}
          options={field.choices.map((choice) => [
            String(choice),
            t.choices[`${word}.${choice}`.replace("2.", "1.") as keyof typeof t.choices] ?? String(choice),
          ])}
          onInput={onInput}
        />
      );
    case "integer":
    case "number": {
      const unit = chosen ?? unitText(field.unit, t);
      const ends = t.common.range(fieldNumber(field.minimum, language), fieldNumber(field.maximum, language));
      const range = ends + (unit ? ` ${unit}` : "");
      return (
        <Input
          label={label}
          value={fieldNumber(typed ?? stored, language)}
          mode={field.minimum < 0 ? "text" : field.kind === "integer" ? "numeric" : "decimal"}
          unit={unit}
          hint={range}
          error={wrong ? t.control.notNumber(range) : undefined}
          onInput={onInput}
        />
      );
    }
    case "text": {
      const length = t.common.characters(String(field.minimum), String(field.maximum));
      const error = wrong ? `${length}: ${t.rules[field.rule]}.` : undefined;
      const text = typed === undefined && field.rule === "name" ? nameText(stored, t) : plain(typed ?? stored);
      if (field.rule === "certificate") return <TextArea label={label} value={text} error={error} onInput={onInput} />;
      if (!field.secret) return <Input label={label} value={text} error={error} onInput={onInput} />;
      const isSet = stored === true || (typeof stored === "string" && stored !== "");
      return (
        <>
          <Input
            label={label}
            type="password"
            complete="new-password"
            value={typeof typed === "string" ? typed : ""}
            hint={isSet && typed !== null ? t.common.secretSet : t.common.secretEmpty}
            error={error}
            onInput={onInput}
          />
          {isSet && field.minimum === 0 && (
            <Check
              label={`${t.common.removeSecret}: ${label}`}
              checked={typed === null}
              onInput={(checked) => onInput(checked ? null : "")}
            />
          )}
        </>
      );
    }
  }
}
