import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { SPREAD_WORTH_A_LOOK } from "../../src/catalogue/limits";
import { bandPart, cellBand, type CellBand } from "../cell-band";
import { cellRanges, rangeOf, type CellRanges } from "../cell-ranges";
import type { BmsState, Cell, Config, Status } from "../documents";
import { number, quantity } from "../format";
import { useLoad, useTexts } from "../hooks";
import { lazy } from "../lazy";
import { requestBytes } from "../request";
import { Card, Facts } from "../ui";

const CellPast = lazy("history", (has) => has.CellPast);

/** ms between two looks at today's range. */
const REFRESH = 600_000;
/** Cells within this of the lowest or highest count as one with it, V: the BMS's readings differ by about as much. */
const TIE = 0.002;
/** Height of the drawing, in its own units; each cell is one unit wide. */
const HEIGHT = 100;
/** Up to this many cells each column has its number below; with more, every fourth. */
const NUMBERED = 16;

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

function marksOf(cell: Cell, status: Status, bms: BmsState): Marks {
  const { minVoltage, maxVoltage } = status.cellsSummary;
  const wire = (((bms.wireAlarms ?? 0) >>> (cell.number - 1)) & 1) === 1;
  // Several cells may share the highest or lowest voltage; if the highest ties with the lowest, none is marked.
  if (minVoltage === null || maxVoltage === null || ties(maxVoltage, minVoltage))
    return { mark: "", balances: false, wire };
  const isLow = ties(cell.voltage, minVoltage) && !ties(cell.voltage, maxVoltage);
  const isHigh = ties(cell.voltage, maxVoltage) && !ties(cell.voltage, minVoltage);
  const isFar = millivolts(maxVoltage - minVoltage) > SPREAD_WORTH_A_LOOK;
  const mark =
    isFar && isLow && areFew(minVoltage, status.cells)
      ? "low"
      : isFar && isHigh && areFew(maxVoltage, status.cells)
        ? "high"
        : "";
  return { mark, balances: status.pack.balancing === true && (isLow || isHigh), wire };
}

/** Whether at most half of the cells have this voltage: one low cell does not make the others odd. */
const areFew = (wanted: number | null, cells: Status["cells"]): boolean =>
  cells !== null && 2 * cells.filter(({ voltage }) => ties(voltage, wanted)).length <= cells.length;

interface Props {
  readonly status: Status;
  readonly bms: BmsState;
  readonly config: Config | undefined;
  readonly title?: string;
  /** Address of one of several packs. */
  readonly pack?: number | undefined;
  /** The device keeps today's range of its first pack. */
  readonly hasRanges?: boolean;
}

/** Today's range of each cell; undefined: unknown, as of a device without a history. `isWanted` never changes. */
function useRanges(isWanted: boolean): CellRanges | undefined {
  const { value, error, reload } = useLoad(async () =>
    isWanted ? cellRanges(await requestBytes("/web/records?series=today")) : undefined,
  );
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && void reload(), REFRESH);
    return () => clearInterval(timer);
  }, []);
  return error ? undefined : value;
}

/** All cells in one chart: columns on the band between the protections, and each cell by its number. */
export function Cells({ status, bms, config, title, pack, hasRanges = false }: Props): JSX.Element {
  const { t, language } = useTexts();
  const ranges = useRanges(hasRanges);
  const [chosen, setChosen] = useState<number>();
  const { cells, cellsSummary, averageCellVoltage } = status;
  const volts = (value: number | null): string => quantity(language, value, "V", 3);
  if (!cells?.length)
    return (
      <Card title={title ?? t.battery.cells} wide>
        <p>–</p>
      </Card>
    );
  const marks = cells.map((cell) => marksOf(cell, status, bms));
  /** Which cells: of healthy ones that hardly differ it says nothing. */
  const at = (wanted: number | null): string => {
    const names = cells.filter(({ voltage }) => ties(voltage, wanted)).map((cell) => cell.number);
    return marks.some(({ mark }) => mark) && areFew(wanted, cells) ? ` (${names.join(", ")})` : "";
  };
  const { cellUvpVoltage, cellOvpVoltage } = config?.protections ?? {};
  const days = cells.map((one) => rangeOf(ranges, one));
  const band = cellBand(
    cells.flatMap(({ voltage }, index) => days[index] ?? [voltage]),
    cellUvpVoltage,
    cellOvpVoltage,
  );
  const cell = cells.find((one) => one.number === chosen);
  const ends = band.limits ? [t.battery.overVoltage, t.battery.underVoltage] : ["", ""];
  return (
    <Card title={title ?? t.battery.cells} wide>
      <Facts
        rows={[
          [t.battery.difference, quantity(language, cellsSummary.delta && cellsSummary.delta * 1_000, "mV")],
          [t.battery.lowest, volts(cellsSummary.minVoltage) + at(cellsSummary.minVoltage)],
          [t.battery.highest, volts(cellsSummary.maxVoltage) + at(cellsSummary.maxVoltage)],
          [t.battery.average, volts(averageCellVoltage)],
        ]}
      />
      <figure class="band">
        <p class="end">
          {ends[0]} {volts(band.limits?.[1] ?? band.high)}
        </p>
        <Columns
          {...{ cells, marks, days, band, average: averageCellVoltage, chosen }}
          label={t.battery.columns(
            String(cells.length),
            volts(cellsSummary.minVoltage),
            volts(cellsSummary.maxVoltage),
          )}
          onChoose={setChosen}
        />
        <p class="end">
          {ends[1]} {volts(band.limits?.[0] ?? band.low)}
        </p>
      </figure>
      <p class="chosen" role="status">
        {cell ? told(cell) : <span class="hint">{`${ranges ? `${t.battery.whisker} ` : ""}${t.battery.choose}`}</span>}
      </p>
      <ol class="cells">
        {cells.map((one, index) => (
          <li key={one.number}>
            <Value
              cell={one}
              marks={marks[index] as Marks}
              isChosen={one.number === chosen}
              onChoose={() => setChosen(one.number)}
            />
          </li>
        ))}
      </ol>
      {cell && <CellPast key={cell.number} cell={cell.number} pack={pack} />}
    </Card>
  );

  /** Everything about a cell in words. */
  function told(one: Cell): string {
    const { number: name, voltage, wireResistanceMilliOhm } = one;
    const range = rangeOf(ranges, one);
    const off = averageCellVoltage === null ? 0 : millivolts(voltage - averageCellVoltage);
    const by = quantity(language, Math.abs(off), "mV");
    const wire = ((bms.wireAlarms ?? 0) >>> (name - 1)) & 1 ? ` (${t.battery.wireAlarm})` : "";
    return [
      `${t.battery.cell} ${name}: ${volts(voltage)}`,
      ...(off ? [off < 0 ? t.battery.below(by) : t.battery.above(by)] : []),
      ...(range ? [t.battery.ofToday(volts(range[0]), volts(range[1]))] : []),
      `${t.battery.wire} ${quantity(language, wireResistanceMilliOhm, "mΩ")}${wire}`,
    ].join(", ");
  }
}

interface ColumnsProps {
  readonly cells: readonly Cell[];
  readonly marks: readonly Marks[];
  readonly days: CellRanges;
  readonly band: CellBand;
  readonly average: number | null;
  readonly chosen: number | undefined;
  readonly label: string;
  readonly onChoose: (cell: number | undefined) => void;
}

/** A picture: each cell can be chosen here by pointer, and below it by its button. */
function Columns({ cells, marks, days, band, average, chosen, label, onChoose }: ColumnsProps): JSX.Element {
  const y = (voltage: number): number => HEIGHT * (1 - bandPart(voltage, band));
  const choose = (event: JSX.TargetedMouseEvent<SVGSVGElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onChoose(cells[Math.floor(((event.clientX - left) / width) * cells.length)]?.number);
  };
  const whisker = (index: number, range: CellRanges[number]): JSX.Element | false =>
    range !== undefined && (
      <path
        class="whisker"
        d={`M${index + 0.5} ${y(range[1])}V${y(range[0])}m-0.2 0h0.4M${index + 0.3} ${y(range[1])}h0.4`}
      />
    );
  const step = cells.length > NUMBERED ? 4 : 1;
  return (
    <>
      <svg
        viewBox={`0 0 ${cells.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        onClick={choose}
      >
        {cells.map(({ number: name, voltage }, index) => (
          <g key={name} class={`${(marks[index] as Marks).mark}${name === chosen ? " chosen" : ""}`}>
            <rect x={index + 0.12} width="0.76" y={y(voltage)} height={HEIGHT - y(voltage)} />
            <path class="cap" d={`M${index + 0.12} ${y(voltage)}h0.76`} />
            {whisker(index, days[index])}
          </g>
        ))}
        {average !== null && <path class="average" d={`M0 ${y(average)}H${cells.length}`} />}
      </svg>
      <div class="numbers" aria-hidden="true">
        {cells.map(({ number: name }, index) => (
          <span key={name}>{index % step ? "" : name}</span>
        ))}
      </div>
    </>
  );
}

interface ValueProps {
  readonly cell: Cell;
  readonly marks: Marks;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Value({ cell, marks, isChosen, onChoose }: ValueProps): JSX.Element {
  const { t, language } = useTexts();
  const signs = [
    marks.mark === "low" && (["▼", t.battery.lowest] as const),
    marks.mark === "high" && (["▲", t.battery.highest] as const),
    marks.balances && (["⇄", t.battery.balancing] as const),
    marks.wire && (["⚠", t.battery.wireAlarm] as const),
  ].filter((sign) => sign !== false);
  return (
    <button type="button" class={marks.mark} aria-pressed={isChosen} onClick={onChoose}>
      <span class="hidden">{t.battery.cell} </span>
      <small>{cell.number}</small> <strong>{number(language, cell.voltage, 3)}</strong>
      <span class="hidden"> V</span>
      {signs.map(([sign, words]) => (
        <span key={sign} title={words}>
          <span aria-hidden="true">{sign}</span>
          <span class="hidden">, {words}</span>
        </span>
      ))}
    </button>
  );
}
