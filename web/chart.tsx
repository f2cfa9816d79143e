/** A chart over time, drawn as SVG; ticks and gaps come from chart-scale.ts. All charts of a screen share one cursor. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  clockTicks,
  extent,
  gapsBetween,
  hourWidth,
  keyStep,
  nearest,
  runs,
  scale,
  type Known,
  type Sample,
  type Tick,
} from "./chart-scale";
import { localeOf, number, quantity, type Language } from "./format";
import { useTexts } from "./hooks";
import { PAST_TEXTS } from "./texts/later/past";
import { useWidth } from "./width";

export interface Series {
  readonly name: string;
  readonly samples: readonly Sample[];
}

/** Something that happened. */
export interface Pin {
  readonly time: number;
  readonly isAlarm: boolean;
  readonly text: string;
}

interface Props {
  readonly title: string;
  readonly series: readonly Series[];
  readonly unit: string;
  readonly decimals: number;
  /** Lines; one line filled above and below zero; bars of the first series up and of the second down; a band from the second to the first. */
  readonly form?: "lines" | "area" | "bars" | "band" | undefined;
  /** Smallest height of the scale, so that noise is not blown up to full height. */
  readonly least: number;
  /** Fixed ends of the scale. */
  readonly ends?: readonly [number, number];
  readonly hint?: string;
  /** Seconds since 1970 at both ends of the axis. */
  readonly from: number;
  readonly to: number;
  /** The time of a sample in words. */
  readonly when: Intl.DateTimeFormatOptions;
  readonly pins?: readonly Pin[];
  /** Time of the readout, seconds since 1970; undefined: the last sample. */
  readonly cursor: number | undefined;
  readonly onCursor: (time: number) => void;
  /** Which of many lines is told, and stands out; a tap near another one chooses that. */
  readonly chosen?: number;
  readonly onChoose?: (index: number) => void;
  /** Called with the part of the time shown that is wished, for + and −. */
  readonly onZoom?: (factor: number) => void;
}

const HEIGHT = 190;
const LEFT = 48;
const RIGHT = 10;
/** With and without pins. */
const TOP = [10, 24] as const;
const BOTTOM = 24;
/** A pin this near to the cursor is described, and attracts the pointer, px. */
const REACH = 7;
/** Pins told at a time, unless all are wished. */
const MOST_TOLD = 3;
/** Pixels for a date on the axis of time, and up to how many seconds it has times of day alone. */
const DATE = 66;
const HOURS_ALONE = 2 * 86_400;

export const tell = (time: number, options: Intl.DateTimeFormatOptions, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), options).format(time * 1_000);

/** Time of the last sample of any series that has a value. */
const lastKnown = (series: readonly Series[]): number | undefined =>
  series[0]?.samples.findLast((_, at) => series.some(({ samples }) => samples[at]?.value !== undefined))?.time;

const noteOf = (sample: Sample | undefined): string => (sample?.note ? ` (${sample.note})` : "");

export const HOUR: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const TICK_FORMS = { hour: HOUR, day: { day: "numeric", month: "short" }, month: { month: "short" } } as const;

/** A mark of the axis in words; a midnight is called by its day. */
export function tellTick({ time, unit }: Tick, language: Language): string {
  const isMidnight = unit === "hour" && !new Date(time * 1_000).getHours();
  return tell(time, isMidnight ? { weekday: "short" } : TICK_FORMS[unit], language);
}

export function Chart(props: Props): JSX.Element {
  const {
    title,
    series,
    unit,
    decimals,
    form = "lines",
    least,
    ends,
    hint,
    from,
    to,
    when,
    pins = [],
    chosen,
    onChoose,
    onCursor,
    onZoom,
  } = props;
  const { t, language } = useTexts();
  const words = PAST_TEXTS[language];
  const [frame, width] = useWidth();
  /** The cursor for which all pins are told. */
  const [opened, setOpened] = useState<number>();

  const spoken = series.filter((_, index) => chosen === undefined || index === chosen);
  const extents = series.map(({ samples }) => extent(samples));
  const known = extents.filter((one) => one !== undefined);
  const isBars = form === "bars";
  const highs = extents.map((one) => one?.high ?? 0);
  const low = ends?.[0] ?? (isBars ? -(highs[1] ?? 0) : Math.min(...known.map((one) => one.low)));
  const high = ends?.[1] ?? (isBars ? (highs[0] ?? 0) : Math.max(...known.map((one) => one.high)));
  const lines = series.map(({ samples }) => runs(samples));
  const gaps = gapsBetween(lines[0] ?? [], to);
  const text = (value: number | undefined): string => quantity(language, value, unit, decimals);
  const summary = [
    ...spoken.map(({ name, samples }) => {
      const one = extent(samples);
      const told = one ? words.summary(text(one.low), text(one.high), text(one.last)) : `${t.common.unknown}.`;
      return spoken.length > 1 ? `${name}: ${told}` : told;
    }),
    ...(gaps.length ? [words.gaps(gaps.length)] : []),
    ...(hint ? [hint] : []),
  ].join(" ");

  const top = TOP[pins.length ? 1 : 0];
  const plot = HEIGHT - top - BOTTOM;
  const isArea = form === "area";
  const wide = scale(isArea ? Math.min(0, low) : low, isArea ? Math.max(0, high) : high, 4, least);
  // What cannot be negative has no axis below zero.
  const axis = low >= 0 && wide.low < 0 ? scale(0, Math.max(high, least), 4) : wide;
  const inner = Math.max(1, width - LEFT - RIGHT);
  const label = to - from > HOURS_ALONE ? DATE : hourWidth(tell(from, HOUR, language));
  const x = (time: number): number => LEFT + (inner * (time - from)) / (to - from);
  const y = (value: number): number => top + plot * (1 - (value - axis.low) / (axis.high - axis.low));
  const path = (run: readonly Known[], form: (value: number) => number): string =>
    run.map(({ time, value }, at) => `${at ? "L" : "M"}${x(time).toFixed(1)} ${y(form(value)).toFixed(1)}`).join("");
  const outline = ([most = [], least = []]: readonly (readonly Known[][])[]): string =>
    most.map((run, at) => `${path([...run, ...(least[at] ?? []).toReversed()], (value) => value)}Z`).join("");
  const area = (run: readonly Known[], form: (value: number) => number): string =>
    `${path(run, form)}L${x((run.at(-1) as Known).time).toFixed(1)} ${y(0).toFixed(1)}H${x((run[0] as Known).time).toFixed(1)}Z`;

  const samples = series[0]?.samples ?? [];
  const times = samples.map(({ time }) => time);
  const at = nearest(times, props.cursor ?? lastKnown(series) ?? to);
  const time = times[at] ?? to;
  const shown = props.cursor ?? time;
  const reach = Math.max((samples[at]?.step ?? 0) / 2, (REACH / inner) * (to - from));
  const near = props.cursor === undefined ? [] : pins.filter((pin) => Math.abs(pin.time - shown) <= reach);
  const told = `${tell(time, when, language)}: ${spoken
    .map(
      ({ name, samples }) => `${series.length > 1 ? `${name} ` : ""}${text(samples[at]?.value)}${noteOf(samples[at])}`,
    )
    .join(", ")}`;
  const most = opened === props.cursor ? near.length : MOST_TOLD;
  const more = Math.max(0, near.length - most);
  const happened = near.slice(0, most).map((pin) => `${tell(pin.time, when, language)}: ${pin.text}`);
  const others = more > 0 && words.more(String(more));

  const point = (event: JSX.TargetedPointerEvent<SVGSVGElement>): void => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const place = event.clientX - left;
    const pin = pins.find((one) => Math.abs(x(one.time) - place) <= REACH);
    onCursor(pin?.time ?? from + (to - from) * Math.min(1, Math.max(0, (place - LEFT) / inner)));
  };
  const choose = (event: JSX.TargetedPointerEvent<SVGSVGElement>): void => {
    point(event);
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const column = nearest(times, from + ((to - from) * (event.clientX - left - LEFT)) / inner);
    const away = series.map(({ samples }) => {
      const value = samples[column]?.value;
      return value === undefined ? Infinity : Math.abs(y(value) - event.clientY + top);
    });
    onChoose?.(away.indexOf(Math.min(...away)));
  };
  const move = (event: JSX.TargetedKeyboardEvent<SVGSVGElement>): void => {
    if ("+-".includes(event.key)) onZoom?.(event.key === "+" ? 1 / 2 : 2);
    const step = keyStep(event.key, Math.ceil(times.length / 10));
    const next = times[Math.max(0, Math.min(times.length - 1, at + (step ?? 0)))];
    if (step === undefined || next === undefined) return;
    event.preventDefault();
    onCursor(next);
  };

  return (
    <figure class="chart">
      {known.length > 0 && <p class="told">{told}</p>}
      <div ref={frame}>
        {known.length > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="slider"
            tabindex={0}
            aria-label={`${words.time}: ${title}`}
            aria-valuemin={0}
            aria-valuemax={times.length - 1}
            aria-valuenow={at}
            aria-valuetext={[`${told}.`, ...happened, ...(others ? [others] : [])].join(" ")}
            onPointerMove={point}
            onPointerDown={choose}
            onKeyDown={move}
          >
            {gaps.map((gap) => (
              <rect key={gap.from} class="gap" x={x(gap.from)} y={top} width={x(gap.to) - x(gap.from)} height={plot} />
            ))}
            {axis.ticks.map((value) => (
              <g key={value}>
                <line class={value === 0 ? "zero" : "grid"} x1={LEFT} x2={LEFT + inner} y1={y(value)} y2={y(value)} />
                <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
                  {number(language, isBars ? Math.abs(value) : value, axis.decimals)}
                </text>
              </g>
            ))}
            {clockTicks(from, to, Math.max(2, Math.floor(inner / label))).map((tick, index, all) => {
              const place = x(tick.time);
              const isCut = place > width - label / 2;
              const before = all[index - 1];
              // At the edge it moves to the left, where it might touch its neighbour.
              const hasRoom = !isCut || !before || place - x(before.time) > 1.5 * label;
              return (
                <g key={tick.time}>
                  <line class="grid" x1={place} x2={place} y1={top + plot} y2={top + plot + 4} />
                  {hasRoom && (
                    <text x={place} y={HEIGHT - 6} text-anchor={isCut ? "end" : "middle"}>
                      {tellTick(tick, language)}
                    </text>
                  )}
                </g>
              );
            })}
            {form === "band" && <path class="extremes" fill="var(--bar)" opacity="0.5" d={outline(lines)} />}
            {isBars
              ? series.map(({ samples }, index) =>
                  samples.map(({ time, step, value }) => {
                    const start = Math.max(LEFT, x(time)) + 0.5;
                    const end = y(index ? -(value ?? 0) : (value ?? 0));
                    return (
                      value !== undefined && (
                        <rect
                          key={time}
                          class={index ? "out" : "in"}
                          x={start}
                          width={Math.max(1, Math.min(LEFT + inner, x(time + step)) - start - 0.5)}
                          y={Math.min(end, y(0))}
                          height={Math.abs(end - y(0))}
                        />
                      )
                    );
                  }),
                )
              : lines.map((line, index) => (
                  <g
                    key={index}
                    class={chosen === undefined || chosen === index ? `line line${chosen ? 0 : index}` : "line faint"}
                  >
                    {line.map((run) =>
                      run.length === 1 ? (
                        <circle key={run[0]?.time} cx={x(run[0]?.time ?? 0)} cy={y(run[0]?.value ?? 0)} r="1.5" />
                      ) : (
                        <g key={run[0]?.time}>
                          {isArea && (
                            <>
                              <path class="in" d={area(run, (value) => Math.max(0, value))} />
                              <path class="out" d={area(run, (value) => Math.min(0, value))} />
                            </>
                          )}
                          <path d={path(run, (value) => value)} />
                        </g>
                      ),
                    )}
                  </g>
                ))}
            {pins.map((pin, index) => (
              <path
                key={index}
                class={pin.isAlarm ? "pin alarm" : "pin"}
                d={`M${x(pin.time).toFixed(1)} ${top - 4}${pin.isAlarm ? "l-5 -9h10z" : "v-8"}`}
              />
            ))}
            <line class="cursor" x1={x(shown)} x2={x(shown)} y1={top} y2={top + plot} />
          </svg>
        )}
      </div>
      <figcaption>
        {spoken.length > 1 && (
          <ul class="legend">
            {series.map(({ name }, index) => (
              <li key={name}>
                <svg width="26" height="8" aria-hidden="true" class={`line line${index}`}>
                  {isBars ? <rect class={index ? "out" : "in"} width="26" height="8" /> : <path d="M1 4L25 4" />}
                </svg>
                {name}
              </li>
            ))}
          </ul>
        )}
        {/* A pin at the cursor is described in place of it. */}
        <p class={pins.length ? "near" : ""}>
          {happened.join(" ") || summary}{" "}
          {others && (
            <button type="button" class="link" onClick={() => setOpened(props.cursor)}>
              {others}
            </button>
          )}
        </p>
      </figcaption>
    </figure>
  );
}
