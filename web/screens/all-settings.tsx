/** What is set in the pack and can be read only. */
import type { JSX } from "preact";
import { quantity } from "../format";
import { useLoad, useTexts } from "../hooks";
import { live } from "../live";
import { request } from "../request";
import { READ_ONLY, READ_ONLY_SWITCHES, type ReadOnlySetting, type ReadOnlySwitch } from "../setup-table";
import { CONTROL_TEXTS } from "../texts/later/control";
import { Facts, Fold, Pending } from "../ui";

/** `data` of /web/setup. What the pack's firmware does not have is absent. */
type Setup = Readonly<Partial<Record<ReadOnlySetting, number>>> & {
  readonly switches: Readonly<Record<ReadOnlySwitch, boolean>>;
};

/** Of what switches buzzer and contacts, by the BMS's number: those of a temperature and of a charge are known. */
const VALUE_UNITS: Readonly<Record<number, string>> = {
  ...{ 1: "%", 2: "", 3: "", 4: "", 5: "", 6: "", 7: "", 8: "°C", 9: "°C", 11: "°C", 13: "%" },
};

export function AllSettings(): JSX.Element {
  const { language } = useTexts();
  const words = CONTROL_TEXTS[language];
  return (
    <Fold name="others" title={words.others} hint={words.othersHint}>
      <Settings key={live.pack} />
    </Fold>
  );
}

function Settings(): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language];
  const { value: setup, error, reload } = useLoad(() => request<Setup>("GET", live.pathOf("/web/setup")));
  if (!setup) return <Pending error={error} retry={() => void reload()} />;
  return (
    <>
      <ul class="rows">
        {READ_ONLY.map(({ name, decimals, unit }) => {
          const value = setup[name];
          const source = /^(buzzer|dry.)O/.exec(name)?.[1];
          const trigger = source && setup[`${source}Trigger` as ReadOnlySetting];
          // Alarms and the app switch it without a value.
          if (source && !(Number(trigger) in VALUE_UNITS)) return;
          const [title, what] = words.settings[name];
          return (
            value !== undefined && (
              <li key={name}>
                <div class="row">
                  <div>
                    <h3>{title}</h3>
                    <p class="hint">{what}</p>
                  </div>
                  <strong class="value">
                    {name.endsWith("Trigger")
                      ? (words.triggers[value] ?? value)
                      : quantity(language, value, unit || (VALUE_UNITS[Number(trigger)] ?? ""), decimals)}
                  </strong>
                </div>
              </li>
            )
          );
        })}
      </ul>
      <Facts
        rows={READ_ONLY_SWITCHES.map((name) => [
          words.otherSwitches[name],
          setup.switches[name] ? t.common.on : t.common.off,
        ])}
      />
    </>
  );
}
