/** A line chart over time, drawn as SVG; ticks and gaps come from chart-scale.ts. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { extent, nearest, runs, scale, timeTicks, type Sample } from "./chart-scale";
import { clock, number, quantity } from "./format";
import { useTexts } from "./hooks";

export interface Series {
  readonly name: string;
  readonly samples: readonly Sample[];
}

interface Props {
  readonly title: string;
  readonly series: readonly Series[];
  readonly unit: string;
  readonly decimals: number;
  /** Smallest height of the scale, so that noise is not blown up to full height. */
  readonly least: number;
  /** Fixed ends of the scale. */
  readonly from?: readonly [number, number];
  readonly hint?: string;
  /** Time 0 as ms since 1970. */
  readonly now: number;
  /** Time of the readout (s, on the samples' axis); undefined: the last sample. */
  readonly cursor: number | undefined;
  readonly onCursor: (time: number) => void;
}

const HEIGHT = 190;
const LEFT = 48;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;
const PLOT = HEIGHT - TOP - BOTTOM;

export function Chart({ title, series, unit, decimals, least, from, hint, now, cursor, onCursor }: Props): JSX.Element {
  const { t, language } = useTexts();
  const [width, setWidth] = useState(320);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    if (frame.current) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  const extents = series.map(({ samples }) => extent(samples));
  const known = extents.filter((one) => one !== undefined);
  const low = from?.[0] ?? Math.min(...known.map((one) => one.low));
  const high = from?.[1] ?? Math.max(...known.map((one) => one.high));
  const first = Math.min(-60, ...series.flatMap(({ samples }) => samples.slice(0, 1).map(({ time }) => time)));
  const lines = series.map(({ samples }) => runs(samples));
  const gaps = (lines[0]?.length ?? 1) - 1;
  const text = (value: number): string => quantity(language, value, unit, decimals);
  const words = [
    ...series.map(({ name }, index) => {
      const one = extents[index];
      return one
        ? t.history.summary(name, text(one.low), text(one.high), text(one.last))
        : `${name}: ${t.common.none}.`;
    }),
    gaps > 0 ? t.history.gaps(gaps) : "",
  ]
    .join(" ")
    .trim();

  const axis = scale(low, high, 4, least);
  const inner = Math.max(1, width - LEFT - RIGHT);
  const x = (time: number): number => LEFT + inner * (1 - time / first);
  const y = (value: number): number => TOP + PLOT * (1 - (value - axis.low) / (axis.high - axis.low));
  const ago = (time: number): string => {
    if (!time) return t.history.now;
    const minutes = -time / 60;
    return minutes % 60 || first > -5_400
      ? t.history.minutes(`\u2212${minutes}`)
      : t.history.hours(`\u2212${minutes / 60}`);
  };
  const times = series[0]?.samples.map(({ time }) => time) ?? [];
  const at = nearest(times, cursor ?? 0);
  const time = times[at] ?? 0;
  const point = (clientX: number, { left }: DOMRect): void =>
    onCursor(first * (1 - Math.min(1, Math.max(0, (clientX - left - LEFT) / inner))));
  const told = `${clock(now + time * 1_000, language)}: ${series
    .map(({ name, samples }) => {
      const value = samples[at]?.value;
      return `${series.length > 1 ? `${name} ` : ""}${value === undefined ? "–" : text(value)}`;
    })
    .join(", ")}`;
  return (
    <figure class="chart">
      {known.length > 0 && <p class="told">{told}</p>}
      <div ref={frame}>
        {known.length > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            role="img"
            aria-label={`${title}. ${words}`}
            onPointerMove={(event) => point(event.clientX, event.currentTarget.getBoundingClientRect())}
            onPointerDown={(event) => point(event.clientX, event.currentTarget.getBoundingClientRect())}
          >
            {axis.ticks.map((value) => (
              <g key={value}>
                <line class={value === 0 ? "zero" : "grid"} x1={LEFT} x2={LEFT + inner} y1={y(value)} y2={y(value)} />
                <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
                  {number(language, value, axis.decimals)}
                </text>
              </g>
            ))}
            {timeTicks(first, width < 480 ? 4 : 8).map((time) => (
              <g key={time}>
                <line class="grid" x1={x(time)} x2={x(time)} y1={TOP + PLOT} y2={TOP + PLOT + 4} />
                <text x={x(time)} y={HEIGHT - 6} text-anchor={time ? "middle" : "end"}>
                  {ago(time)}
                </text>
              </g>
            ))}
            {lines.map((line, index) => (
              <g key={index} class={`line line${index}`}>
                {line.map((run) =>
                  run.length === 1 ? (
                    <circle key={run[0]?.time} cx={x(run[0]?.time ?? 0)} cy={y(run[0]?.value ?? 0)} r="1.5" />
                  ) : (
                    <path
                      key={run[0]?.time}
                      d={run
                        .map(({ time, value }, at) => `${at ? "L" : "M"}${x(time).toFixed(1)} ${y(value).toFixed(1)}`)
                        .join("")}
                    />
                  ),
                )}
              </g>
            ))}
            <line class="cursor" x1={x(time)} x2={x(time)} y1={TOP} y2={TOP + PLOT} />
          </svg>
        )}
      </div>
      {known.length > 0 && (
        <input
          type="range"
          class="cursor"
          min={0}
          max={times.length - 1}
          value={at}
          aria-label={`${t.history.cursor}: ${title}`}
          aria-valuetext={told}
          onInput={({ currentTarget }) => onCursor(times[Number(currentTarget.value)] ?? 0)}
        />
      )}
      <figcaption>
        {series.length > 1 && (
          <ul class="legend">
            {series.map(({ name }, index) => (
              <li key={name}>
                <svg width="26" height="8" aria-hidden="true" class={`line line${index}`}>
                  <path d="M1 4L25 4" />
                </svg>
                {name}
              </li>
            ))}
          </ul>
        )}
        {words} {hint}
      </figcaption>
    </figure>
  );
}
