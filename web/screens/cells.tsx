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

/** All cells in a row that opens: columns on a scale close around them, and each cell by its number. */
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
        <p class="end row" aria-hidden="true">
          <span>{volts(band.high)}</span>
          {whole && <span>{over}</span>}
        </p>
        <div class="scales">
          <div>
            <Columns
              {...{ cells, marks, days, band, average: averageCellVoltage, chosen }}
              label={`${t.battery.cells}: ${spread}`}
              onChoose={setChosen}
            />
          </div>
          {whole && (
            <Lens
              {...{ band, whole }}
              label={`${t.common.range(volts(band.low), volts(band.high))}, ${under}, ${over}`}
            />
          )}
        </div>
        <p class="end row" aria-hidden="true">
          <span>{volts(band.low)}</span>
          {whole && <span>{under}</span>}
        </p>
      </figure>
      <p class="chosen" role="status">
        {cell ? (
          told(cell, marks[cells.indexOf(cell)]?.wire)
        ) : (
          <span class="hint">{`${t.battery.average} ${volts(averageCellVoltage)}. ${ranges ? `${t.battery.whisker} ` : ""}${t.battery.choose}`}</span>
        )}
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

/** The BMS's protections, and which part between them is drawn: nobody shall take 5 mV for a catastrophe. */
function Lens({ band, whole, label }: { band: CellBand; whole: CellBand; label: string }): JSX.Element {
  const y = (voltage: number): number => HEIGHT * (1 - bandPart(voltage, whole));
  const [top, bottom] = [y(band.high), y(band.low)];
  return (
    <svg class="lens" viewBox={`0 0 24 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="view" d={`M0 0L12 ${top}V${bottom}L0 ${HEIGHT}`} />
      <path class="whole" d={`M12 0H24V${HEIGHT}H12Z`} />
      <path d={`M12 ${top}H24V${bottom}H12Z`} />
    </svg>
  );
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
