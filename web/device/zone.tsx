/** The time zone by name. The device stores the rule behind it; the list is in a file of its own. */
import type { JSX } from "preact";
import { useLoad } from "../hooks";
import { useAllTexts } from "./all-texts";
import type * as ZonesFile from "../lazy/zones";
import { load } from "../load";
import { Button, Pending, Select } from "../ui";
import { browserZone, zonesOf, type Zones } from "../zones";

const loadZones = async (): Promise<Zones> => zonesOf((await load<typeof ZonesFile>("zones"))?.TABLE ?? "");

export async function loadHere(): Promise<{ zones: Zones; here: string }> {
  const zones = await loadZones();
  return { zones, here: browserZone(zones) };
}

export const nameOf = (zone: string): string => zone.split(" ")[0] ?? "";

/** Without a value it is the browser's. */
export function ZoneField({
  value: chosen,
  onInput,
}: {
  value: string | undefined;
  onInput: (value: string) => void;
}): JSX.Element {
  const { t } = useAllTexts();
  const { value: loaded, error, reload } = useLoad(loadHere);
  if (!loaded) return <Pending error={error} retry={() => void reload()} />;
  const { zones, here } = loaded;
  const value = chosen ?? here;
  const options: [string, string][] = [
    ["", t.device.noZone],
    ...[...zones].map(([name, zone]): [string, string] => [zone, name]),
  ];
  // One that the device has from elsewhere, or from an earlier list.
  if (value && zones.get(nameOf(value)) !== value) options.splice(1, 0, [value, value]);
  return (
    <>
      <Select label={t.fields["time.zone"]} value={value} options={options} onInput={onInput} />
      {value !== here && (
        <Button onClick={() => onInput(here)}>
          {t.device.browserZone} ({nameOf(here)})
        </Button>
      )}
    </>
  );
}
