/** The pack at a glance, and everything the BMS reports. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bankStatus, bankVerdict } from "../bank";
import type { BmsState, Status } from "../documents";
import { direction, estimateOf } from "../estimate";
import { duration, number, power, quantity, type Language } from "../format";
import { useLive, useMedia, useTexts } from "../hooks";
import { Icon } from "../icons";
import { lazy } from "../lazy";
import { live } from "../live";
import { LOW_CHARGE } from "../../src/catalogue/limits";
import { spanText } from "../sentence";
import type { CommandName } from "../tables";
import type { Texts } from "../texts/en";
import { Card, Facts, Fold, Pending } from "../ui";
import { faults, judge, type Verdict } from "../verdict";
import { batteryProbes } from "../probes";
import { Cells } from "./cells";

/** Room for two columns, as in app.css, and for three. */
const WIDE = "(min-width: 960px)";
const WIDEST = "(min-width: 1400px)";

const History = lazy("history", (has) => has.History);
const Recent = lazy("history", (has) => has.Recent);
const Ahead = lazy("history", (has) => has.Ahead, true);
const Bank = lazy("history", (has) => has.Bank);
const About = lazy("history", (has) => has.About, true);
const Capacity = lazy("history", (has) => has.Capacity);
const Search = lazy("device", (has) => has.Search);

type Fact = readonly [string, string] | false;
type ChargeStage = keyof Texts["battery"]["stages"];

interface Props {
  readonly status: Status;
  readonly bms: BmsState;
  readonly verdict: Verdict;
}

export function Battery(): JSX.Element {
  const { t } = useTexts();
  const state = useLive("status", "queue", "config");
  useEffect(() => live.watchClosely(), []);
  const isWide = useMedia(WIDE);
  const isWidest = useMedia(WIDEST);
  const { status: document, packs } = state.documents;
  if (!document) return <Pending />;
  // Their places are reserved until they arrive.
  const recent = (
    <div class="recent">
      <Recent />
    </div>
  );
  const ahead = (
    <div class="coming">
      <Ahead />
    </div>
  );
  if (state.hasBank) {
    if (!packs) return <Pending />;
    const verdict = bankVerdict(state, packs);
    const { bank } = packs;
    const isBeside = isWide && !isWidest;
    return (
      <Columns stale={verdict.stale}>
        <>
          <Glance
            status={bankStatus(packs, document.data)}
            bms={{}}
            verdict={verdict}
            note={bank.online < bank.packs && t.bank.some(String(bank.online), String(bank.packs))}
          />
          {recent}
          {isBeside && ahead}
        </>
        <Bank document={packs} />
        {!isBeside && ahead}
      </Columns>
    );
  }
  const verdict = judge(state);
  if (verdict.never) return <Never bms={document.bms ?? {}} />;
  const alarming = Boolean(verdict.alarms?.length);
  // What is recorded is the bank's.
  const isOneOfSeveral = Number(document.bms?.packs) > 1;
  const { pack } = state;
  const hasRanges = !isOneOfSeveral || packs?.packs[0]?.address === pack;
  const props = { status: document.data, bms: document.bms ?? {}, verdict };
  const cells = <Cells key={hasRanges} {...props} config={state.documents.config} {...{ pack, hasRanges, isWide }} />;
  const later = (
    <>
      {!isOneOfSeveral && ahead}
      {!alarming && <Alarms {...props} />}
    </>
  );
  const care = (
    <>
      <Health {...props} />
      <Fold title={t.battery.capacity}>
        <Capacity pack={pack} nominal={document.data.capacityAh} />
      </Fold>
    </>
  );
  const about = <About status={document.data} />;
  return (
    <>
      {isOneOfSeveral && (
        <p class="actions">
          <a href="#/battery">{t.bank.all}</a> <a href={`#/control/${state.pack}`}>{t.app.control}</a>
        </p>
      )}
      <Columns stale={verdict.stale}>
        <>
          <Glance {...props} />
          {alarming && <Alarms {...props} />}
          {!isOneOfSeveral && recent}
          {isWide && later}
          {isWide && care}
        </>
        <>
          {cells}
          {!isWide && later}
          <Temperatures {...props} />
          <Switches {...props} />
          {!isWide && care}
          {!(isWidest && isOneOfSeveral) && about}
        </>
        {isWidest && (isOneOfSeveral ? about : <History />)}
      </Columns>
    </>
  );
}

/** Beside each other where there is room, as app.css says, else below each other. */
function Columns({ stale, children }: { stale: boolean; children: readonly (JSX.Element | false)[] }): JSX.Element {
  return (
    <div class={stale ? "cards columns stale" : "cards columns"}>
      {children.map((column, at) => column && <div key={at}>{column}</div>)}
    </div>
  );
}

/** The BMS has never answered: what to check in place of values. In safe mode it is not asked: not a matter of its cable. */
function Never({ bms }: Pick<Props, "bms">): JSX.Element {
  const { t } = useTexts();
  const { safeMode, guest } = live.session ?? {};
  return (
    <Card title={t.battery.unknown}>
      <p>
        {safeMode ? t.errors["safe-mode"] : t.battery.offline} {!safeMode && bms.noReply && t.noReplies[bms.noReply]}
      </p>
      {safeMode || guest || <Search />}
    </Card>
  );
}

const RADIUS = 84;
/** Of the thin ring that marks the reserve. */
const OUTER = 96;
const ROUND = 2 * Math.PI * RADIUS;

/** `note`: of which packs the charge is, if not of all. */
export function Glance({ status, bms, verdict, note }: Props & { readonly note?: string | false }): JSX.Element {
  const { t, language } = useTexts();
  const { pack, soc, remainingCapacityAh, capacityAh } = status;
  const flow = pack.current === null ? "unknown" : direction(pack.current);
  // A pack that is not allowed to charge or discharge is blocked, not idle.
  // Not what its owner has switched off.
  const isBlocked = (output: boolean | null, name: CommandName): boolean =>
    output === false && bms.switches?.[name] !== false;
  const noCharge = isBlocked(pack.chargeMosfet, "charge_mos");
  const noDischarge = isBlocked(pack.dischargeMosfet, "discharge_mos");
  const way = flow === "idle" && (noCharge || noDischarge) ? "blocked" : flow;
  const alarming = faults(verdict.alarms) > 0 || way === "blocked";
  const left = estimateOf(status);
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
          <span>{note || t.battery.soc}</span>
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
        rows={[
          [t.battery.voltage, quantity(language, pack.voltage, "V", 2)],
          [t.battery.current, quantity(language, pack.current, "A", 1)],
          [
            t.battery.remaining,
            t.battery.ofCapacity(number(language, remainingCapacityAh, 1), quantity(language, capacityAh, "Ah", 1)),
          ],
          ...told(status, language, t, true),
        ]}
      />
    </section>
  );
}

/** What not every pack tells, and nothing of one that does not: what is on at the moment, or the rest. */
function told({ pack }: Status, language: Language, { battery, common }: Texts, active: boolean): Fact[] {
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

function Alarms({ verdict: { alarms, stale, well } }: Props): JSX.Element {
  const { t } = useTexts();
  return (
    <Card title={t.battery.alarms}>
      <div role="status">
        {stale && <p class="tag">{t.battery.lastKnown}</p>}
        {alarms?.length ? (
          <ul class="alarms">
            {alarms.map(({ name, fault }) => (
              <li key={name} class={fault ? "fault" : "notice"}>
                <Icon name={fault ? "warning" : "check"} />
                <div>
                  <span class="tag">{fault ? t.battery.alarm : t.battery.notice}</span>{" "}
                  <strong>{t.alarms[name].title}</strong>
                  <p>{t.alarms[name].advice}</p>
                </div>
              </li>
            ))}
          </ul>
        ) : well ? (
          <p class="well">
            <Icon name="check" /> {t.battery.well}
          </p>
        ) : (
          <p>{alarms ? t.battery.noAlarms : t.common.unknown}</p>
        )}
      </div>
    </Card>
  );
}

/** Bits of `probes`. */
const PROBES = ["mosfet", "battery1", "battery2"] as const;

function Temperatures({ status, bms }: Props): JSX.Element {
  const { t, language } = useTexts();
  const titles = [t.battery.mosfet, t.battery.sensor(1), t.battery.sensor(2)];
  const further = batteryProbes(status).slice(2);
  return (
    <Card title={t.battery.temperatures}>
      <Facts
        rows={[
          ...PROBES.map((name, bit): [string, string] => [
            titles[bit] as string,
            typeof bms.probes === "number" && !((bms.probes >> bit) & 1)
              ? t.common.none
              : quantity(language, status.temperatures[name], "°C", 1),
          ]),
          ...further.flatMap((value, at): [string, string][] =>
            value === null ? [] : [[t.battery.sensor(at + 3), quantity(language, value, "°C", 1)]],
          ),
        ]}
      />
    </Card>
  );
}

function Switches({ status }: Props): JSX.Element {
  const { t, language } = useTexts();
  const { chargeMosfet, dischargeMosfet, balancing, balanceCurrent } = status.pack;
  const said = (value: boolean | null): string =>
    value === null ? t.common.unknown : value ? t.common.yes : t.common.no;
  return (
    <Card title={t.battery.switches}>
      <Facts
        rows={[
          [t.battery.charge, said(chargeMosfet)],
          [t.battery.discharge, said(dischargeMosfet)],
          [
            t.battery.balancing,
            balancing && balanceCurrent
              ? t.battery.balancingAt(quantity(language, Math.abs(balanceCurrent), "A", 2))
              : said(balancing),
          ],
        ]}
      />
      {status.emergencyTimeSeconds ? (
        <p class="failed">{t.battery.emergency(duration(status.emergencyTimeSeconds))}</p>
      ) : null}
    </Card>
  );
}

function Health({ status }: Props): JSX.Element {
  const { t, language } = useTexts();
  return (
    <Card title={t.battery.health}>
      <Facts
        rows={[
          [t.battery.stateOfHealth, quantity(language, status.stateOfHealth, "%")],
          [t.battery.cycles, number(language, status.cycles)],
          [t.battery.cycled, quantity(language, status.cycleCapacityAh, "Ah", 1)],
          [t.battery.runtime, duration(status.runtimeSeconds)],
          [t.battery.powerOns, number(language, status.info.powerOnTimes)],
          [t.battery.sleep, duration(status.timeEnterSleepSeconds)],
          [t.battery.logs, number(language, status.detailLogsCount)],
          ...told(status, language, t, false),
        ]}
      />
    </Card>
  );
}
