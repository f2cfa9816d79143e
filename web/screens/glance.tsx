/** The ring with the power, and what goes with it. */
import type { JSX } from "preact";
import { LOW_CHARGE } from "../../src/catalogue/limits";
import type { BankDocument, BmsState, Status } from "../documents";
import { direction, estimateOf } from "../estimate";
import { duration, number, power, quantity, type Language } from "../format";
import { useTexts } from "../hooks";
import { Icon } from "../icons";
import { live } from "../live";
import { isNear, spanText } from "../sentence";
import type { Texts } from "../texts/en";
import { Facts } from "../ui";
import { faults, type Verdict } from "../verdict";

type Fact = readonly [string, string] | false;
type ChargeStage = keyof Texts["battery"]["stages"];

export interface GlanceProps {
  readonly status: Status;
  readonly bms: BmsState;
  readonly verdict: Verdict;
}

const RADIUS = 84;
/** Of the thin ring that marks the reserve. */
const OUTER = 96;
const ROUND = 2 * Math.PI * RADIUS;

/** `bank`: of which the charge is, perhaps without some packs. */
export function Glance({
  status,
  verdict,
  bank,
}: Omit<GlanceProps, "bms"> & { readonly bank?: BankDocument["bank"] | undefined }): JSX.Element {
  const { t, language } = useTexts();
  const { pack, soc, remainingCapacityAh, capacityAh } = status;
  const flow = pack.current === null ? "unknown" : direction(pack.current);
  // A pack that is not allowed to charge or discharge is blocked, not idle.
  const noCharge = !bank && verdict.concerns.includes("charging-blocked");
  const noDischarge = !bank && verdict.concerns.includes("discharging-blocked");
  const way = flow === "idle" && (noCharge || noDischarge) ? "blocked" : flow;
  const alarming = faults(verdict.alarms) > 0 || way === "blocked";
  const estimate = estimateOf(status);
  // With an outlook the headline says what comes.
  const left = live.outlook && !isNear(estimate) ? undefined : estimate;
  const words = {
    charging: t.battery.charging,
    discharging: t.battery.discharging,
    idle: t.battery.idle,
    blocked: !noCharge ? t.battery.dischargingBlocked : !noDischarge ? t.battery.chargingBlocked : t.battery.blocked,
    unknown: t.common.unknown,
  }[way];
  const icon = (
    { charging: "up", discharging: "down", idle: "pause", blocked: "warning", unknown: "warning" } as const
  )[way];
  const active = told(status, language, t, true);
  const part = Math.min(100, Math.max(0, soc ?? 0)) / 100;
  return (
    <section class={`card glance ${way}`} aria-label={t.battery.soc}>
      <div class="gauge">
        <svg viewBox="0 0 200 200" aria-hidden="true">
          <circle class={soc !== null && soc <= LOW_CHARGE ? "rail low" : "rail"} cx="100" cy="100" r={RADIUS} />
          {/* The reserve: from here on the battery counts as nearly empty. */}
          <circle
            class="reserve"
            cx="100"
            cy="100"
            r={OUTER}
            transform="rotate(-90 100 100)"
            stroke-dasharray={`${(LOW_CHARGE / 100) * 2 * Math.PI * OUTER} ${2 * Math.PI * OUTER}`}
          />
          {part > 0 && (
            <circle
              class={alarming || (soc !== null && soc <= LOW_CHARGE) ? "arc low" : "arc"}
              cx="100"
              cy="100"
              r={RADIUS}
              transform="rotate(-90 100 100)"
              stroke-dasharray={`${part * ROUND} ${ROUND}`}
            />
          )}
          {/* Where the reserve ends, and where the battery is full. */}
          {[LOW_CHARGE, 100].map((percent) => (
            <path key={percent} class="limit" d="M100 2V25" transform={`rotate(${percent * 3.6} 100 100)`} />
          ))}
        </svg>
        <p>
          <strong class="soc">
            {number(language, soc)}
            <small>%</small>
          </strong>
          <span>
            {bank && bank.online < bank.packs ? t.bank.some(String(bank.online), String(bank.packs)) : t.battery.soc}
          </span>
        </p>
      </div>
      <div class="now">
        <p class="direction">
          <Icon name={icon} />
          <strong>{words}</strong>
          {verdict.stale && <span class="tag">{t.battery.lastKnown}</span>}
        </p>
        <p class="power">{power(language, pack.power && Math.abs(pack.power))}</p>
        {left && <p class="left">{t.battery[way === "charging" ? "full" : "empty"](spanText(left, t))}</p>}
      </div>
      <Facts
        isLine
        rows={[
          [t.battery.current, quantity(language, pack.current, "A", 1)],
          [t.battery.voltage, quantity(language, pack.voltage, "V", 2)],
          [
            t.battery.remaining,
            t.battery.ofCapacity(number(language, remainingCapacityAh, 1), quantity(language, capacityAh, "Ah", 1)),
          ],
        ]}
      />
      {active.some(Boolean) && <Facts rows={active} />}
    </section>
  );
}

/** What not every pack tells, and nothing of one that does not: what is on at the moment, or the rest. */
export function told({ pack }: Status, language: Language, { battery, common }: Texts, active: boolean): Fact[] {
  const { heating, heatingCurrent, chargeStage, chargeStageSeconds, dryContact1, dryContact2 } = pack;
  const closed = [dryContact1 && 1, dryContact2 && 2].filter(Boolean).join();
  return [
    heating === active && [battery.heating, heating ? quantity(language, heatingCurrent, "A", 2) : common.no],
    chargeStage !== null &&
      (chargeStage !== "bulk") === active && [
        battery.chargeStage,
        `${battery.stages[chargeStage as ChargeStage]}, ${duration(chargeStageSeconds)}`,
      ],
    dryContact1 !== null && Boolean(closed) === active && [battery.dryContacts, closed || common.none],
  ];
}
