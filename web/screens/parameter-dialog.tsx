import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { packTitle } from "../bank";
import type { Config } from "../documents";
import { useTexts } from "../hooks";
import { Icon } from "../icons";
import { fieldNumber, judgeParameter } from "../judge";
import { live } from "../live";
import { beyondUsual, conflicts, isFar, plates, preset } from "../protection";
import type { ParameterRow } from "../tables";
import { Button, Check, Dialog, Form, Input, Question } from "../ui";
import { CONTROL_TEXTS } from "../texts/later/control";
import { rangeText, parameterText } from "./parameter-text";
import { presentPack, whichPack } from "./which-pack";

interface Props {
  readonly row: ParameterRow;
  readonly value: unknown;
  readonly config: Config | undefined;
  readonly onSend: (value: string) => void;
  readonly onClose: () => void;
}

const isProtection = ({ object }: ParameterRow): boolean => object === "protections" || object === "temperature";

/** Dialog for a new parameter value: input, validation, and a confirmation where it can do harm. */
export function ParameterDialog({ row, value, config, onSend, onClose }: Props): JSX.Element {
  const { t, language } = useTexts();
  const [typed, setTyped] = useState(fieldNumber(value, language));
  const [error, setError] = useState("");
  const [asked, setAsked] = useState<string>();
  const [again, setAgain] = useState("");
  const [all, setAll] = useState(false);
  const { title, hint } = t.parameters[row.name];
  const range = rangeText(row, language, t);
  const own = CONTROL_TEXTS[language];
  const count = String(live.documents.packs?.packs.length);
  const one = whichPack(t, language);
  const which = all ? own.writesToAll(count) : one;
  const present = presentPack();
  const { data } = live.documents.status ?? {};
  const presets = preset(row.name, data?.batteryType).map(
    ([chemistry, limit]) => `${chemistry} ${parameterText(row, limit, language, t)}`,
  );
  /** What a change to `given` would do; empty: nothing to ask about. */
  const dangersOf = (given: string): string[] => {
    const number = Number(given);
    const usual = beyondUsual(row.name, number, data?.batteryType);
    return [
      all && present && own.checkedHere(packTitle(present, t)),
      usual && own.control.unusual(usual[0], parameterText(row, usual[1], language, t)),
      plates(row.name, number, data?.batteryType) && own.control.plating,
      row.name === "cell_count" && `${own.control.cell_count} ${t.battery.cellCount}: ${data?.cells?.length ?? "–"}.`,
      row.name === "capacity_ah" && isFar(number, value) && own.control.capacity_ah,
      isProtection(row) && own.control.protections,
    ].filter((text) => typeof text === "string");
  };
  /** Outside of what the chemistry allows, or out of order with another limit. */
  const leaves = (given: string): boolean =>
    beyondUsual(row.name, Number(given), data?.batteryType) !== undefined ||
    plates(row.name, Number(given), data?.batteryType) ||
    (row.kind !== "text" && conflicts(row.name, Number(given), config).length > 0);
  const send = (given: string): void => {
    onClose();
    if (all) void live.writeToAll(row.name, given);
    else onSend(given);
  };
  const submit = (): void => {
    // Enter does not confirm a warning.
    if (asked !== undefined) return;
    const given = judgeParameter(row, typed, language);
    if (given === undefined) setError(row.kind === "text" ? own.control.notText(range) : t.control.notNumber(range));
    else if (dangersOf(given).length) setAsked(given);
    else send(given);
  };
  return (
    <Dialog title={asked === undefined ? title : own.control.sure} onClose={onClose}>
      <Form onSubmit={submit}>
        {which && <p>{which}</p>}
        {asked === undefined ? (
          <>
            <p class="hint">{hint}</p>
            <p>
              {own.control.present}: <strong>{parameterText(row, value, language, t)}</strong>
            </p>
            <Input
              label={own.control.newValue}
              value={typed}
              mode={row.kind === "text" || row.min < 0 ? "text" : row.kind === "integer" ? "numeric" : "decimal"}
              unit={row.kind === "text" || row.kind === "integer" ? "" : row.unit}
              hint={[
                `${own.control.allowed}: ${range}.`,
                presets.length ? own.control.preset(presets.join(", ")) : "",
              ].join(" ")}
              error={error}
              focus
              onInput={(text) => {
                setTyped(text);
                setError("");
              }}
            />
            {one && row.kind !== "text" && (
              <Check label={own.forAll(count)} hint={own.forAllHint} checked={all} onInput={setAll} />
            )}
          </>
        ) : (
          <div role="alert">
            <p>
              <strong>{title}</strong>:{" "}
              {own.control.from(
                parameterText(row, value, language, t),
                parameterText(row, row.kind === "text" ? asked : Number(asked), language, t),
              )}
            </p>
            {row.kind !== "text" &&
              conflicts(row.name, Number(asked), config).map(({ upper, lower }) => (
                <p key={upper.row.name + lower.row.name} class="failed">
                  <Icon name="warning" />{" "}
                  {own.control.notAbove(
                    t.parameters[upper.row.name].title,
                    parameterText(upper.row, upper.value, language, t),
                    t.parameters[lower.row.name].title,
                    parameterText(lower.row, lower.value, language, t),
                  )}
                </p>
              ))}
            {dangersOf(asked).map((danger) => (
              <p key={danger}>{danger}</p>
            ))}
          </div>
        )}
        {asked === undefined ? (
          <div class="actions">
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button submit kind="primary">
              {own.control.send}
            </Button>
          </div>
        ) : (
          <>
            {leaves(asked) && (
              <Input
                label={own.control.again(parameterText(row, Number(asked), language, t))}
                value={again}
                mode={row.min < 0 ? "text" : "decimal"}
                unit={row.unit}
                onInput={setAgain}
              />
            )}
            <Question
              action={own.control.sendChange}
              disabled={leaves(asked) && Number(judgeParameter(row, again, language) ?? NaN) !== Number(asked)}
              onConfirm={() => send(asked)}
              onClose={onClose}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
