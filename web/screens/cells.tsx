import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { SPREAD_WORTH_A_LOOK } from "../../src/catalogue/limits";
import { bandPart, cellBand, protectedBand, type CellBand } from "../cell-band";
import { cellRanges, rangeOf, type CellRanges } from "../cell-ranges";
import type { BmsState, Cell, Config, Status } from "../documents";
import { number, quantity } from "../format";
import { useLoad, useRefresh, useTexts } from "../hooks";
import { Icon } from "../icons";
import { lazy } from "../lazy";
import { requestBytes } from "../request";
import { farthest } from "../sentence";
import { Card, Fold } from "../ui";

const CellPast = lazy("history", (has) => has.CellPast);

/** ms between two looks at today's range. */
const REFRESH = 600_000;
/** Cells within this of the lowest or highest count as one with it, V: the BMS's readings differ by about as much. */
const TIE = 0.002;
/** Height of a bar's drawing and width of the scale's, in their own units; a bar is one unit wide. */
const SIZE = 100;

const millivolts = (volts: number): number => Math.round(volts * 1_000);

/** Whether two voltages tie: whole millivolts, so that 0.002 is not a rounding error more. */
const ties = (one: number, other: number | null): boolean =>
  other !== null && Math.abs(millivolts(one - other)) <= millivolts(TIE);

interface Marks {
  /** Its colour: the spread is worth a look, and it is one of the few at that end. */
  readonly mark: "low" | "high" | "";
  readonly balances: boolean;
  readonly wire: boolean;
}

/** Whether the cells are further apart than healthy ones. */
const areApart = ({ cellsSummary: { minVoltage, maxVoltage } }: Status): boolean =>
  millivolts(Number(maxVoltage) - Number(minVoltage)) > SPREAD_WORTH_A_LOOK;

function marksOf({ number: name, voltage }: Cell, status: Status, bms: BmsState): Marks {
  const { minVoltage, maxVoltage } = status.cellsSummary;
  // Several cells may share the highest or lowest voltage; if the highest ties with the lowest, none is marked.
  const [atLow, atHigh] = [ties(voltage, minVoltage), ties(voltage, maxVoltage)];
  const isEnd = atLow !== atHigh;
  return {
    mark:
      isEnd && areApart(status) && areFew(atLow ? minVoltage : maxVoltage, status.cells)
        ? atLow
          ? "low"
          : "high"
        : "",
    balances: status.pack.balancing === true && isEnd,
    wire: (((bms.wireAlarms ?? 0) >>> (name - 1)) & 1) === 1,
  };
}

/** Whether at most half of the cells have this voltage: one low cell does not make the others odd. */
const areFew = (wanted: number | null, cells: Status["cells"]): boolean =>
  cells !== null && 2 * cells.filter(({ voltage }) => ties(voltage, wanted)).length <= cells.length;

interface Props {
  readonly status: Status;
  readonly bms: BmsState;
  readonly config: Config | undefined;
  /** Address of one of several packs. */
  readonly pack?: number | undefined;
  /** The device keeps today's range of its first pack. */
  readonly hasRanges?: boolean;
  /** There is room for them: open unless they were closed. */
  readonly isWide: boolean;
}

/** Today's range of each cell; undefined: unknown, as of a device without a history. `isWanted` never changes. */
function useRanges(isWanted: boolean): CellRanges | undefined {
  const { value, error, reload } = useLoad(async () =>
    isWanted ? cellRanges(await requestBytes("/web/records?series=today")) : undefined,
  );
  useRefresh(reload, REFRESH);
  return error ? undefined : value;
}

/** All cells in a row that opens: a bar each on a scale close around them, its number and value below. */
export function Cells({ status, bms, config, pack, hasRanges = false, isWide }: Props): JSX.Element {
  const { t, language } = useTexts();
  const ranges = useRanges(hasRanges);
  const [chosen, setChosen] = useState<number>();
  const { cells, cellsSummary, averageCellVoltage } = status;
  const volts = (value: number | null): string => quantity(language, value, "V", 3);
  if (!cells?.length)
    return (
      <Card title={t.battery.cells}>
        <p>–</p>
      </Card>
    );
  const marks = cells.map((cell) => marksOf(cell, status, bms));
  const days = cells.map((one) => rangeOf(ranges, one));
  const band = cellBand(cells.flatMap(({ voltage }, index) => days[index] ?? [voltage]));
  const { cellUvpVoltage, cellOvpVoltage } = config?.protections ?? {};
  const whole = protectedBand(band, cellUvpVoltage, cellOvpVoltage);
  const { minVoltage, maxVoltage, delta } = cellsSummary;
  const spread = t.battery.spread(
    number(language, minVoltage, 3),
    volts(maxVoltage),
    quantity(language, delta && delta * 1_000, "mV"),
  );
  const drawn = t.common.range(volts(band.low), volts(band.high));
  const under = `${t.battery.underVoltage} ${volts(Number(cellUvpVoltage))}`;
  const over = `${t.battery.overVoltage} ${volts(Number(cellOvpVoltage))}`;
  const cell = cells.find((one) => one.number === chosen);
  const odd = [
    areApart(status) && farthest(status, language, t),
    ...cells.map((one, index) => marks[index]?.wire && `${t.battery.cell} ${one.number}: ${t.battery.wireAlarm}`),
  ].filter(Boolean);
  return (
    <Fold
      title={t.battery.cells}
      name="cells"
      isOpen={isWide}
      note={
        <>
          <span class="spread">{spread}</span>
          {odd.map((text) => (
            <p class="outcome odd">
              <Icon name="warning" /> {text}
            </p>
          ))}
        </>
      }
    >
      <figure class="band">
        <figcaption>{drawn}</figcaption>
        {whole && (
          <>
            <Scale {...{ band, whole }} label={`${drawn}, ${under}, ${over}`} />
            <p aria-hidden="true">
              <span>{under}</span> <span>{over}</span>
            </p>
          </>
        )}
      </figure>
      <ol class="cells" aria-label={`${t.battery.cells}: ${spread}`}>
        {cells.map((one, index) => (
          <li key={one.number}>
            <Column
              {...{ cell: one, band, day: days[index], average: averageCellVoltage }}
              marks={marks[index] as Marks}
              isChosen={one.number === chosen}
              onChoose={() => setChosen(one.number)}
            />
          </li>
        ))}
      </ol>
      <p class="chosen" role="status">
        {cell ? (
          told(cell, marks[cells.indexOf(cell)]?.wire)
        ) : (
          <span class="hint">{`${t.battery.average} ${volts(averageCellVoltage)}. ${ranges ? `${t.battery.whisker} ` : ""}${t.battery.choose}`}</span>
        )}
      </p>
      {cell && <CellPast key={cell.number} cell={cell.number} pack={pack} />}
    </Fold>
  );

  /** Everything about a cell in words. */
  function told(one: Cell, hasWireAlarm = false): string {
    const { number: name, voltage, wireResistanceMilliOhm } = one;
    const range = rangeOf(ranges, one);
    const off = averageCellVoltage === null ? 0 : millivolts(voltage - averageCellVoltage);
    const by = quantity(language, Math.abs(off), "mV");
    return [
      `${t.battery.cell} ${name}: ${volts(voltage)}`,
      ...(off ? [off < 0 ? t.battery.below(by) : t.battery.above(by)] : []),
      ...(range ? [t.battery.ofToday(volts(range[0]), volts(range[1]))] : []),
      `${t.battery.wire} ${quantity(language, wireResistanceMilliOhm, "mΩ")}${hasWireAlarm ? ` (${t.battery.wireAlarm})` : ""}`,
    ].join(", ");
  }
}

/** From protection to protection, and which part of it the bars show: nobody shall take 5 mV for a catastrophe. */
function Scale({ band, whole, label }: { band: CellBand; whole: CellBand; label: string }): JSX.Element {
  const x = (voltage: number): number => SIZE * bandPart(voltage, whole);
  return (
    <svg viewBox={`0 0 ${SIZE} 1`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={`M${x(band.low)} 0.5H${x(band.high)}`} />
    </svg>
  );
}

interface ColumnProps {
  readonly cell: Cell;
  readonly marks: Marks;
  /** Today's range. */
  readonly day: CellRanges[number];
  readonly band: CellBand;
  readonly average: number | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

/** A bar, below it the cell's number and value. */
function Column({ cell, marks, day, band, average, isChosen, onChoose }: ColumnProps): JSX.Element {
  const { t, language } = useTexts();
  const y = (voltage: number): number => SIZE * (1 - bandPart(voltage, band));
  const top = y(cell.voltage);
  const signs = [
    marks.mark === "low" && (["▼", t.battery.lowest] as const),
    marks.mark === "high" && (["▲", t.battery.highest] as const),
    marks.balances && (["⇄", t.battery.balancing] as const),
    marks.wire && (["⚠", t.battery.wireAlarm] as const),
  ].filter((sign) => sign !== false);
  return (
    <button type="button" class={marks.mark} aria-pressed={isChosen} onClick={onChoose}>
      <svg viewBox={`0 0 1 ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        <rect x="0.12" width="0.76" y={top} height={SIZE - top} />
        <path class="cap" d={`M0.12 ${top}h0.76`} />
        {day && <path class="whisker" d={`M0.5 ${y(day[1])}V${y(day[0])}m-0.2 0h0.4M0.3 ${y(day[1])}h0.4`} />}
        {average !== null && <path class="average" d={`M0 ${y(average)}H1`} />}
      </svg>
      <span class="hidden">{t.battery.cell} </span>
      <small>{cell.number}</small>{" "}
      {signs.map(([sign, words]) => (
        <span key={sign} title={words} aria-hidden="true">
          {sign}
        </span>
      ))}
      <strong>{number(language, cell.voltage, 3)}</strong>
      <span class="hidden"> V{signs.map(([, words]) => `, ${words}`)}</span>
    </button>
  );
}
