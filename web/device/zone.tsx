/** The time zone by name. The device stores the rule behind it, which the browser knows. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Button, Select } from "../ui";
import { useAllTexts } from "./all-texts";
import { browserNames, browserZone, choiceOf, nameOf, zoneNamed } from "./zone-choice";
import { sameRule } from "./zone-rule";

/** Without a value it is the browser's. */
export function ZoneField({
  value: chosen,
  onInput,
}: {
  value: string | undefined;
  onInput: (value: string) => void;
}): JSX.Element {
  const { t } = useAllTexts();
  const here = useMemo(browserZone, []);
  const value = chosen ?? here;
  const [choice, isHere] = useMemo(() => [choiceOf(value), value && sameRule(value) === sameRule(here)], [value]);
  const names = [...new Set(["", "UTC", nameOf(here), choice, ...browserNames()])].sort();
  return (
    <>
      <Select
        label={t.fields["time.zone"]}
        value={choice}
        options={names.map((name) => [name, name || t.device.noZone])}
        onInput={(name) => onInput(zoneNamed(name, here))}
      />
      {!isHere && (
        <Button onClick={() => onInput(here)}>
          {t.device.browserZone} ({nameOf(here)})
        </Button>
      )}
    </>
  );
}
