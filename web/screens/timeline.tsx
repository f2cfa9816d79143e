/** On the first screen: yesterday evening until now, and what may come until tomorrow evening: charge, power and alarms on one axis of time. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { HOUR as HOUR_FORM, tell, tellTick } from "../chart";
import { clockTicks, hourWidth, keyStep, runs, type Known } from "../chart-scale";
import { clock, power as watts, quantity } from "../format";
import { useTexts } from "../hooks";
import type { Forecast, Range } from "../past/forecast";
import { within } from "../past/night";
import type { Fine, PastEvent } from "../past/records";
import { PAST_TEXTS } from "../texts/later/past";
import { useWidth } from "../width";
import { hourOf, type Outlook } from "./outlook";

interface Props {
  readonly rows: readonly Fine[];
  readonly events: readonly PastEvent[];
  /** Seconds since 1970. */
  readonly now: number;
  readonly outlook: Outlook | undefined;
}

/** The evening by the browser's clock, where the line begins and ends. */
const EVENING = 18;
const TOP = 18;
const PLOT = 100;
const HEIGHT = TOP + PLOT + 20;
/** s. */
const HOUR = 3_600;
/** Hours that Page Up passes. */
const PAGE = 6;

function evening(now: number, days: number): number {
  const date = new Date(now * 1_000);
  date.setDate(date.getDate() + days);
  return date.setHours(EVENING, 0, 0, 0) / 1_000;
}

export function Timeline({ rows, events, now, outlook }: Props): JSX.Element {
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const [frame, width] = useWidth();
  const [cursor, setCursor] = useState<number>();
  const from = evening(now, -1);
  const to = outlook ? evening(now, 1) : now;
  const projection = outlook?.isOld ? undefined : outlook?.projection;
  const past = within(rows, { from, to: now });
  const alarms = within(events, { from, to: now }).filter(({ code }) => code === "alarm-raised");
  const most = Math.max(1, ...past.map(({ power = 0 }) => Math.abs(power)));

  const label = hourWidth(tell(now, HOUR_FORM, language));
  const anchor = (place: number, half = label / 2): string =>
    place < half ? "start" : place > width - half ? "end" : "middle";
  const x = (time: number): number => (width * (time - from)) / (to - from);
  const y = (charge: number): number => TOP + PLOT * (1 - charge / 100);
  const at = (time: number): string => clock(time * 1_000, language, now * 1_000);
  const percent = (value: number | undefined): string => quantity(language, value, "%");
  const path = (points: readonly (readonly [time: number, charge: number])[]): string =>
    points.map(([time, charge]) => `${x(time).toFixed(1)} ${y(charge).toFixed(1)}`).join("L");
  const lineOf = (run: readonly Known[]): string => path(run.map(({ time, step, value }) => [time + step, value]));

  // Hour by hour, to be read one by one.
  const hours = Math.ceil((to - from) / HOUR);
  const nowAt = Math.floor((now - from) / HOUR);
  const chosen = Math.min(hours, cursor ?? nowAt);
  const time = from + chosen * HOUR;
  const told = (): string => {
    if (time > now) {
      const range = projection?.band[Math.round((time - now) / HOUR)];
      if (!range) return `${at(time)}: ${t.common.unknown}`;
      return words.line.expected(at(time), percent(range.middle), percent(range.low), percent(range.high));
    }
    const hour = past.filter((row) => row.time >= time && row.time < time + HOUR);
    const known = hour.flatMap(({ power }) => power ?? []);
    const mean = known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
    return `${at(time)}: ${percent(hour.findLast(({ soc }) => soc !== undefined)?.soc)}, ${watts(language, mean)}`;
  };
  const raised = alarms.filter((one) => one.time >= time && one.time < time + HOUR).length;
  const reading = told() + (raised ? `, ${words.line.alarms(String(raised))}` : "");

  const point = (event: JSX.TargetedPointerEvent<SVGSVGElement>): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setCursor(Math.max(0, Math.min(hours, Math.floor(((event.clientX - left) / width) * ((to - from) / HOUR)))));
  };
  const move = (event: JSX.TargetedKeyboardEvent<SVGSVGElement>): void => {
    const step = keyStep(event.key, PAGE);
    if (step === undefined) return;
    event.preventDefault();
    setCursor(Math.max(0, Math.min(hours, chosen + step)));
  };
  const rest = (): void => setCursor(undefined);

  return (
    <figure class="timeline">
      <div ref={frame}>
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          role="slider"
          tabindex={0}
          aria-label={words.line.title}
          aria-valuemin={0}
          aria-valuemax={hours}
          aria-valuenow={chosen}
          aria-valuetext={reading}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={(event) => event.pointerType === "mouse" && rest()}
          onKeyDown={move}
          onBlur={rest}
        >
          {[0, 50, 100].map((charge) => (
            <line key={charge} class={charge === 50 ? "zero" : "grid"} x2={width} y1={y(charge)} y2={y(charge)} />
          ))}
          {clockTicks(from, to, Math.max(2, Math.floor(width / label))).map((tick) => {
            return (
              <g key={tick.time}>
                <line class="grid" x1={x(tick.time)} x2={x(tick.time)} y1={TOP} y2={TOP + PLOT + 4} />
                {/* What would be cut at the edge, or touch its neighbour there, is left out. */}
                {anchor(x(tick.time)) === "middle" && (
                  <text x={x(tick.time)} y={HEIGHT - 4} text-anchor="middle">
                    {tellTick(tick, language)}
                  </text>
                )}
              </g>
            );
          })}
          {past.map(
            ({ time, step, power }) =>
              power !== undefined && (
                <rect
                  key={time}
                  class={power < 0 ? "out" : "in"}
                  x={x(time)}
                  width={x(time + step) - x(time)}
                  y={y(50) - Math.max(0, power / most) * (PLOT / 2)}
                  height={(Math.abs(power) / most) * (PLOT / 2)}
                />
              ),
          )}
          {projection && <Ahead {...{ projection, now, to, path }} />}
          <g class="line line0">
            {runs(past.map((row) => ({ ...row, value: row.soc }))).map((run) => (
              <path key={run[0]?.time} d={`M${lineOf(run)}`} />
            ))}
          </g>
          {alarms.map(({ time }, index) => (
            <path key={index} class="pin alarm" d={`M${x(time).toFixed(1)} ${TOP}l-5 -9h10z`} />
          ))}
          {projection && (
            <line class="present" x1={x(now)} x2={x(now)} y1={TOP - 6} y2={TOP + PLOT} aria-hidden="true" />
          )}
          {projection &&
            pointsOf(projection).map(([time, charge, isLow]) => (
              <g key={time}>
                <circle cx={x(time)} cy={y(charge)} r="3.5" />
                <text class="point" x={x(time)} y={labelAt(y(charge), isLow)} text-anchor={anchor(x(time), label)}>
                  {percent(charge)} {tell(time, HOUR_FORM, language)}
                </text>
              </g>
            ))}
          {cursor !== undefined && (
            <line class="cursor" x1={x(time + HOUR / 2)} x2={x(time + HOUR / 2)} y1={TOP} y2={TOP + PLOT} />
          )}
        </svg>
      </div>
      <figcaption class="reading">
        {cursor === undefined ? (outlook && !outlook.isOld && outlook.lines.join(" ")) || words.line.hint : reading}
      </figcaption>
    </figure>
  );
}

/** A low point is told below itself, a high one above, as long as there is room. */
const labelAt = (place: number, isLow: boolean): number => (isLow && place < TOP + PLOT - 16 ? place + 15 : place - 7);

/** The ends of what may come that are told. */
function pointsOf({
  least,
  most,
  full,
  empty,
  falls,
  rises,
}: Forecast): (readonly [time: number, charge: number, isLow: boolean])[] {
  const low = empty ? ([empty.middle, 0, true] as const) : falls && ([hourOf(least.at), least.middle, true] as const);
  const high = full ? ([full.middle, 100, false] as const) : rises && ([hourOf(most.at), most.middle, false] as const);
  return [low, high].filter((point) => point !== false);
}

interface AheadProps {
  readonly projection: Forecast;
  readonly now: number;
  readonly to: number;
  readonly path: (points: readonly (readonly [time: number, charge: number])[]) => string;
}

/** The middle of what may come, and the band about it. */
function Ahead({ projection, now, to, path }: AheadProps): JSX.Element {
  const band = projection.band.filter((_, hour) => now + hour * HOUR <= to);
  const edge = (of: (range: Range) => number): (readonly [number, number])[] =>
    band.map((range, hour) => [now + hour * HOUR, of(range)]);
  return (
    <>
      <path
        class="extremes"
        fill="var(--bar)"
        opacity="0.5"
        d={`M${path([...edge(({ high }) => high), ...edge(({ low }) => low).toReversed()])}Z`}
      />
      <path class="middle" d={`M${path(edge(({ middle }) => middle))}`} />
    </>
  );
}
