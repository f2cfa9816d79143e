/** Several packs on one bus: the bank in a line, then each pack in one, which opens to all that is known of it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { alarmsOf } from "../alarms";
import type { StatusDocument } from "../documents";
import { duration, number, power, quantity } from "../format";
import { useLoad, useTexts, type Loaded } from "../hooks";
import { request, requestJson } from "../request";
import { PAST_TEXTS } from "../texts/later/past";
import { Card, Facts, Pending } from "../ui";
import { Cells } from "./cells";

/** ms between looks: fifteen packs take some 5 KB. */
const PACE = 10_000;

/** One of `packs` in `data` of /web/packs; null: unknown, as all of a pack that does not respond. */
interface PackRow {
  readonly address: number;
  /** Empty: it has none. */
  readonly name: string;
  readonly online: boolean;
  readonly ageSeconds: number | null;
  readonly soc: number | null;
  readonly power: number | null;
  readonly alarmCode: number | null;
  /** V. */
  readonly delta: number | null;
}

interface BankDocument {
  readonly bank: {
    readonly packs: number;
    readonly online: number;
    /** Null: unknown, which a sum of something unknown is too. */
    readonly soc: number | null;
    readonly power: number | null;
    readonly remainingCapacityAh: number | null;
    readonly capacityAh: number | null;
  };
  readonly packs: readonly PackRow[];
}

/** Fetches again while the page is looked at. */
function useFresh<T>(get: () => Promise<T>): Loaded<T> {
  const loaded = useLoad(get);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && void loaded.reload(), PACE);
    return () => clearInterval(timer);
  }, []);
  return loaded;
}

export function Bank(): JSX.Element {
  const { t, language } = useTexts();
  const { bank: words } = PAST_TEXTS[language];
  const { value, error, reload } = useFresh(() => request<BankDocument>("GET", "/web/packs"));
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const { bank, packs } = value;
  return (
    <Card title={words.title} wide>
      {error && <p class="failed">{t.common.failed(error)}</p>}
      <p>
        {words.online(String(bank.online), String(bank.packs))}
        {bank.online < bank.packs && ` ${words.incomplete}`}
      </p>
      <Facts
        rows={[
          [t.battery.soc, quantity(language, bank.soc, "%")],
          [PAST_TEXTS[language].power, power(language, bank.power)],
          [
            t.battery.remaining,
            t.battery.ofCapacity(
              number(language, bank.remainingCapacityAh, 1),
              quantity(language, bank.capacityAh, "Ah", 1),
            ),
          ],
        ]}
      />
      <ul class="packs">
        {packs.map((pack) => (
          <li key={pack.address}>
            <Row pack={pack} />
          </li>
        ))}
      </ul>
      <p class="hint">{words.below}</p>
    </Card>
  );
}

function Row({ pack }: { pack: PackRow }): JSX.Element {
  const { t, language } = useTexts();
  const { bank: words } = PAST_TEXTS[language];
  const [isOpen, setIsOpen] = useState(false);
  const { address, name, online, ageSeconds, soc, delta, alarmCode } = pack;
  const title = name || words.pack(String(address));
  const alarms = alarmsOf(alarmCode ?? 0).map((alarm) => t.alarms[alarm.name].title);
  const state = online
    ? [
        quantity(language, soc, "%"),
        power(language, pack.power),
        words.spread(quantity(language, delta && delta * 1_000, "mV")),
        ...alarms,
      ]
    : [ageSeconds === null ? words.never : words.silent(duration(ageSeconds))];
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <strong>{title}</strong> <span class={online && !alarms.length ? "" : "failed"}>{state.join(" · ")}</span>
      </summary>
      {isOpen && <Pack address={address} name={title} />}
    </details>
  );
}

/** All that is known of one pack, or was last. */
function Pack({ address, name }: { address: number; name: string }): JSX.Element {
  const { t, language } = useTexts();
  const { value, error, reload } = useFresh(() => requestJson<StatusDocument>("GET", `/web/status?pack=${address}`));
  if (!value) return <Pending error={error} retry={() => void reload()} />;
  const { data, bms = {} } = value;
  return (
    <div class={data.online ? "" : "stale"}>
      {!data.online && <p class="tag">{t.battery.lastKnown}</p>}
      <Facts
        rows={[
          [t.battery.voltage, quantity(language, data.pack.voltage, "V", 2)],
          [t.battery.current, quantity(language, data.pack.current, "A", 1)],
          [t.battery.cycles, number(language, data.cycles)],
          [t.battery.model, data.model || "–"],
          [t.battery.serial, data.info.serialNumber || "–"],
        ]}
      />
      <Cells status={data} bms={bms} config={undefined} title={`${t.battery.cells}: ${name}`} />
    </div>
  );
}
