/** What the BMS is and how it is set up, as far as it reports it. */
import type { JSX } from "preact";
import type { Status } from "../documents";
import { manufactureDate, quantity } from "../format";
import { useTexts } from "../hooks";
import { ABOUT_TEXTS } from "../texts/later/about";
import { Card, Facts } from "../ui";

export function About({ status }: { readonly status: Status }): JSX.Element {
  const { t, language } = useTexts();
  const words = ABOUT_TEXTS[language];
  const { info, pack } = status;
  const { maxChargeCurrent, maxDischargeCurrent } = pack;
  const amperes = (value: number): string => quantity(language, value, "A", 1);
  return (
    <Card title={words.about}>
      <Facts
        rows={[
          [words.name, status.name || "–"],
          [words.model, status.model || "–"],
          [words.chemistry, status.batteryType || "–"],
          [t.battery.cellCount, String(status.cellCount || "–")],
          [words.maxCells, String(info.maxCells || "–")],
          [words.hardware, info.hardwareVersion || "–"],
          [words.software, info.softwareVersion || "–"],
          [t.battery.serial, info.serialNumber || "–"],
          [words.made, manufactureDate(info.manufactureDate, language)],
          [words.alarmCode, status.alarmCode === null ? "–" : `0x${status.alarmCode.toString(16).padStart(8, "0")}`],
          // From here on what not every pack tells: nothing of one that does not.
          maxChargeCurrent !== null && [words.maxCharge, amperes(maxChargeCurrent)],
          maxDischargeCurrent !== null && [words.maxDischarge, amperes(maxDischargeCurrent)],
          // No capture has either, not even while charging with 32 A: "no" says nothing.
          pack.precharging === true && [words.precharging, t.common.yes],
          pack.chargerPlugged === true && [words.charger, t.common.yes],
          ...(["uart1", "uart2", "can"] as const).map((port): readonly [string, string] | false => {
            const number = info[`${port}Protocol`];
            // As the vendor's app has them: 001.
            return number !== null && [words.protocol(port.toUpperCase()), String(number).padStart(3, "0")];
          }),
        ]}
      />
    </Card>
  );
}
