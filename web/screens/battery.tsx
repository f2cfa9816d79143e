/** The pack at a glance, and everything the BMS reports. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bankStatus, bankVerdict } from "../bank";
import { duration, number, quantity } from "../format";
import { useLive, useMedia, useTexts } from "../hooks";
import { Icon } from "../icons";
import { lazy } from "../lazy";
import { live } from "../live";
import { Card, Facts, Fold, Pending } from "../ui";
import { judge } from "../verdict";
import { batteryProbes } from "../probes";
import { Cells } from "./cells";
import { Glance, told, type GlanceProps } from "./glance";

/** Room for two columns, as in app.css, and for three. */
const WIDE = "(min-width: 960px)";
const WIDEST = "(min-width: 1400px)";

const History = lazy("history", (has) => has.History);
const Recent = lazy("history", (has) => has.Recent);
const Bank = lazy("history", (has) => has.Bank);
const About = lazy("history", (has) => has.About, true);
const Capacity = lazy("history", (has) => has.Capacity);
const Search = lazy("device", (has) => has.Search);

export function Battery(): JSX.Element {
  const { t } = useTexts();
  const state = useLive("status", "queue", "config");
  useEffect(() => live.watchClosely(), []);
  const isWide = useMedia(WIDE);
  const isWidest = useMedia(WIDEST);
  const { status: document, packs } = state.documents;
  if (!document) return <Pending />;
  // Its place is reserved until it arrives.
  const recent = (
    <div class="recent">
      <Recent />
    </div>
  );
  if (state.hasBank) {
    if (!packs) return <Pending />;
    const verdict = bankVerdict(state, packs);
    return (
      <Columns stale={verdict.stale}>
        <>
          <Glance status={bankStatus(packs, document.data)} verdict={verdict} bank={packs.bank} />
          {recent}
          {isWidest && <Bank document={packs} />}
        </>
        {isWidest ? <History /> : <Bank document={packs} />}
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
  /** The first of several columns has the day, too. */
  const isDay = isWide && !isOneOfSeveral;
  const later = !alarming && <Alarms {...props} />;
  const rest = (
    <>
      <Switches {...props} />
      {!isWide && <Health {...props} />}
      <Fold title={t.battery.capacity}>
        <Capacity pack={pack} nominal={document.data.capacityAh} />
      </Fold>
      <About status={document.data} />
    </>
  );
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
          {isDay && <Temperatures {...props} />}
          {isWide && <Health {...props} />}
        </>
        <>
          {cells}
          {!isWide && later}
          {!isDay && <Temperatures {...props} />}
          {(!isWidest || !isOneOfSeveral) && rest}
        </>
        {isWidest && (isOneOfSeveral ? rest : <History />)}
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
function Never({ bms }: Pick<GlanceProps, "bms">): JSX.Element {
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

function Alarms({ verdict: { alarms, stale, well } }: GlanceProps): JSX.Element {
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

function Temperatures({ status, bms }: GlanceProps): JSX.Element {
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

function Switches({ status }: GlanceProps): JSX.Element {
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

function Health({ status }: GlanceProps): JSX.Element {
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
