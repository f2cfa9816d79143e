import type { JSX } from "preact";
import { barPart, barScale } from "../cell-bars";
import type { BmsState, Cell, Status } from "../documents";
import { number, quantity } from "../format";
import { useTexts } from "../hooks";
import { Card, Facts } from "../ui";

/** Cells within this of the lowest or highest count as one with it, V: the BMS's readings differ by about as much. */
const TIE = 0.002;

/** Whether two voltages tie: whole millivolts, so that 0.002 is not a rounding error more. */
const ties = (one: number, other: number | null): boolean =>
  other !== null && Math.round(Math.abs(one - other) * 1_000) <= TIE * 1_000;

/** Every cell as a bar; marks the lowest, the highest and those being balanced. */
export function Cells({ status, bms }: { status: Status; bms: BmsState }): JSX.Element {
  const { t, language } = useTexts();
  const { cells, cellsSummary } = status;
  const volts = (value: number | null): string => quantity(language, value, "V", 3);
  if (!cells?.length)
    return (
      <Card title={t.battery.cells} wide>
        <p>–</p>
      </Card>
    );
  const at = (wanted: number | null): string =>
    cells
      .filter(({ voltage }) => ties(voltage, wanted))
      .map((cell) => cell.number)
      .join(", ");
  const scale = barScale(cells.map(({ voltage }) => voltage));
  const half = Math.ceil(cells.length / 2);
  const table = (some: readonly Cell[]): JSX.Element => (
    <table class="cells">
      <thead class="hidden">
        <tr>
          <th scope="col">{t.battery.cell}</th>
          <th scope="col">{t.battery.voltage}</th>
          <th scope="col">{t.battery.wire}</th>
        </tr>
      </thead>
      <tbody>
        {some.map((cell) => (
          <Row key={cell.number} cell={cell} part={barPart(cell.voltage, scale)} status={status} bms={bms} />
        ))}
      </tbody>
    </table>
  );
  return (
    <Card title={t.battery.cells} wide>
      <Facts
        rows={[
          [t.battery.difference, quantity(language, cellsSummary.delta && cellsSummary.delta * 1_000, "mV")],
          [t.battery.lowest, `${volts(cellsSummary.minVoltage)} (${at(cellsSummary.minVoltage)})`],
          [t.battery.highest, `${volts(cellsSummary.maxVoltage)} (${at(cellsSummary.maxVoltage)})`],
          [t.battery.average, volts(status.averageCellVoltage)],
        ]}
      />
      <div class="columns">
        {table(cells.slice(0, half))}
        {table(cells.slice(half))}
      </div>
      <p class="hint">
        {t.battery.scale(quantity(language, scale.low, "V", 2), quantity(language, scale.high, "V", 2))}
      </p>
    </Card>
  );
}

function Row({ cell, part, status, bms }: { cell: Cell; part: number; status: Status; bms: BmsState }): JSX.Element {
  const { t, language } = useTexts();
  const { minVoltage, maxVoltage } = status.cellsSummary;
  // Several cells may share the highest or lowest voltage; if the highest ties with the lowest, none is marked.
  const differ = minVoltage !== null && maxVoltage !== null && !ties(maxVoltage, minVoltage);
  const isLow = differ && ties(cell.voltage, minVoltage) && !ties(cell.voltage, maxVoltage);
  const isHigh = differ && ties(cell.voltage, maxVoltage) && !ties(cell.voltage, minVoltage);
  const wireAlarm = ((bms.wireAlarms ?? 0) >>> (cell.number - 1)) & 1;
  return (
    <tr class={isLow ? "low" : isHigh ? "high" : ""}>
      <th scope="row">
        <span class="hidden">{t.battery.cell} </span>
        {cell.number}
      </th>
      <td>
        <div class="bar">
          {/* Filled part, from the left; an SVG attribute, as the Content-Security-Policy forbids inline styles. */}
          <svg preserveAspectRatio="none" viewBox="0 0 100 10" aria-hidden="true">
            <rect width={(part * 100).toFixed(1)} height="10" />
          </svg>
          <span class="label">
            <strong>{number(language, cell.voltage, 3)}</strong>
            <span class="hidden"> V</span>
            {isLow && <span class="mark">▼ {t.battery.lowest}</span>}
            {isHigh && <span class="mark">▲ {t.battery.highest}</span>}
            {bms.balancing && (isLow || isHigh) && <span class="mark">⇄ {t.battery.balancing}</span>}
          </span>
        </div>
      </td>
      <td class="wire">
        {wireAlarm ? <span title={t.battery.wireAlarm}>⚠ </span> : null}
        {quantity(language, cell.wireResistanceMilliOhm, "mΩ")}
        {wireAlarm ? <span class="hidden">{t.battery.wireAlarm}</span> : null}
      </td>
    </tr>
  );
}
