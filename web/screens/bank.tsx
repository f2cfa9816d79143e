/** Several packs on one bus, one below the other: each leads to all that is known of it. */
import type { JSX } from "preact";
import { alarmsOf } from "../alarms";
import { packConcerns, packTitle } from "../bank";
import { OFF_VOLTAGE_BY } from "../../src/catalogue/limits";
import { offsets } from "../compare";
import type { BankDocument, PackRow } from "../documents";
import { duration, power, quantity } from "../format";
import { useTexts } from "../hooks";
import { Icon } from "../icons";
import { BANK_TEXTS } from "../texts/later/bank";
import { Card } from "../ui";

/** Half the width of a bar, in its own units. */
const HALF = 100;
/** Place of a pack behind those that need attention. */
const LATER = 99;

export function Bank({ document: { bank, packs } }: { document: BankDocument }): JSX.Element {
  const { t, language } = useTexts();
  const words = BANK_TEXTS[language];
  const own = offsets(packs);
  const rows = packs.map((pack, at) => ({ pack, offset: own[at] }));
  const rankOf = ({ pack: { concerns } }: (typeof rows)[number]): number => {
    const [worst] = concerns;
    if (!worst) return LATER;
    return concerns.includes("alarm") ? -1 : bank.concerns.indexOf(worst);
  };
  // The odd ones first, the worst of them on top.
  rows.sort((one, other) => rankOf(one) - rankOf(other));
  /** What the widest bar and the farthest dot stand for. */
  const most = Math.max(...packs.map(({ current }) => Math.abs(current ?? 0)));
  const farthest = Math.max(OFF_VOLTAGE_BY / 1_000, ...own.map((offset) => Math.abs(offset ?? 0)));
  const equal = bank.current === null || !most ? undefined : bank.current / bank.packs / most;
  return (
    <Card title={t.bank.packs}>
      <p>
        {words.online(String(bank.online), String(bank.packs))}
        {bank.online < bank.packs && ` ${words.incomplete}`}
      </p>
      <p class="meters hint" aria-hidden="true">
        {words.columns.map((column) => (
          <span key={column}>{column}</span>
        ))}
      </p>
      <ul class="packs">
        {rows.map(({ pack, offset }) => {
          const { soc, current, voltage, online, concerns } = pack;
          return (
            <li key={pack.address}>
              <a href={`#/battery/${pack.address}`}>
                <State pack={pack} offset={offset} />
                {online && (
                  <span class="meters">
                    <Meter title={words.columns[0]} text={quantity(language, soc, "%")}>
                      {soc !== null && <rect class="bar" x={-HALF} y="1" width={2 * soc} height="6" />}
                    </Meter>
                    <Meter
                      title={words.columns[1]}
                      text={quantity(language, current, "A", 1)}
                      odd={concerns.includes("carries-nothing") || concerns.includes("behind")}
                    >
                      {equal !== undefined && <path class="share" d={`M${equal * HALF} 0V8`} />}
                      <path class="zero" d="M0 0V8" />
                      {current !== null && most > 0 && (
                        <rect
                          class="bar"
                          x={(Math.min(0, current) / most) * HALF}
                          y="1"
                          width={(Math.abs(current) / most) * HALF}
                          height="6"
                        />
                      )}
                    </Meter>
                    <Meter
                      title={words.columns[2]}
                      text={quantity(language, voltage, "V", 2)}
                      odd={concerns.includes("off-voltage")}
                    >
                      <path class="zero" d="M0 0V8" />
                      {offset !== undefined && (
                        <rect class="bar" x={(offset / farthest) * (HALF - 6) - 6} y="0" width="12" height="8" />
                      )}
                    </Meter>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
      <p class="hint">
        {words.marks} {words.select}
      </p>
    </Card>
  );
}

/** Name, and in words what there is to say of the pack. */
function State({ pack, offset = 0 }: { pack: PackRow; offset: number | undefined }): JSX.Element {
  const { t, language } = useTexts();
  const words = BANK_TEXTS[language];
  const { online, ageSeconds, delta, alarmCode, last } = pack;
  const { concerns } = pack;
  const volts = quantity(language, Math.abs(offset), "V", 2);
  const odd = online
    ? [
        ...alarmsOf(alarmCode ?? 0).map(({ name }) => t.alarms[name].title),
        ...packConcerns(pack).map((code) => t.concerns[code]),
        ...(concerns.includes("off-voltage") ? [offset < 0 ? words.lags(volts) : words.leads(volts)] : []),
      ]
    : [ageSeconds === null ? words.never : words.silent(duration(ageSeconds))];
  return (
    <span class="state">
      <strong>{packTitle(pack, t)}</strong>{" "}
      {online && (
        <span class="hint">
          {[
            power(language, pack.power),
            words.spread(quantity(language, delta && delta * 1_000, "mV")),
            t.common.ago(duration(ageSeconds)),
          ].join(" · ")}
        </span>
      )}
      {!online && last && (
        <span class="hint">
          <span class="tag">{t.battery.lastKnown}</span>{" "}
          {[quantity(language, last.soc, "%"), quantity(language, last.voltage, "V", 2)].join(" · ")}
        </span>
      )}
      {odd.map((text) => (
        <span key={text} class="failed">
          <Icon name="warning" /> {text}
        </span>
      ))}
    </span>
  );
}

/** A value with its drawing; `odd`: it is not as that of the others. */
function Meter({
  title,
  text,
  odd = false,
  children,
}: {
  title: string | undefined;
  text: string;
  odd?: boolean;
  children: JSX.Element | false | (JSX.Element | false)[];
}): JSX.Element {
  return (
    <span class={odd ? "odd" : ""}>
      <span class="hidden">{title}: </span>
      {text}
      <svg viewBox={`${-HALF} 0 ${2 * HALF} 8`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="back" x={-HALF} y="1" width={2 * HALF} height="6" />
        {children}
      </svg>
    </span>
  );
}
