import { CONTROL_TEXTS } from "../texts/later/control";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Config, Status } from "../documents";
import { number, quantity } from "../format";
import { useTexts } from "../hooks";
import { allowedOf, drawing, rungs, todayOf, type Drawing, type LadderName, type Rung, type Span } from "../ladder";
import { live } from "../live";
import { presetName } from "../protection";
import type { ParameterRow } from "../tables";
import { ParameterDialog } from "./parameter-dialog";
import { parameterText } from "./parameter-text";

interface Props {
  readonly name: LadderName;
  readonly config: Config | undefined;
  readonly status: Status | undefined;
  readonly disabled: boolean;
}

/** The protections of one kind in their order, with today's values between them; each can be changed. */
export function Ladder({ name, config, status, disabled }: Props): JSX.Element {
  const { t, language } = useTexts();
  const words = CONTROL_TEXTS[language].control;
  const [open, setOpen] = useState<ParameterRow>();
  const { pack } = live;
  const unit = name === "cells" ? "V" : "°C";
  const decimals = name === "cells" ? 3 : 1;
  const all = rungs(name, config, status && todayOf(name, status));
  const allowed = allowedOf(name, status?.batteryType);
  const drawn = drawing(all, allowed);
  const shown = (value: number): string => quantity(language, value, unit, decimals);
  const rangeOf = ([low, high]: Span): string =>
    low === high ? shown(low) : t.common.range(number(language, low, decimals), shown(high));
  const chemistry = presetName(status?.batteryType) ?? "";
  return (
    <>
      <div class="ladder">
        {drawn && <Scale drawn={drawn} all={all} />}
        <ol>
          {all.map(({ row, span }) =>
            row ? (
              <li key={row.name} id={row.name}>
                <button type="button" disabled={disabled} onClick={() => setOpen(row)}>
                  <span>
                    <span class="hidden">{words.change}: </span>
                    {t.parameters[row.name].title}
                  </span>
                  <strong>{parameterText(row, config?.[row.object][row.member], language, t)}</strong>
                </button>
              </li>
            ) : (
              <li key="today" class="today">
                <span>{words.today[name]}</span>
                <strong>{span && rangeOf(span)}</strong>
              </li>
            ),
          )}
        </ol>
      </div>
      {drawn && allowed && (
        <p class="hint">{name === "cells" ? words.shaded(chemistry, rangeOf(allowed)) : words.shadedCharge}</p>
      )}
      {open && (
        <ParameterDialog
          row={open}
          value={config?.[open.object][open.member]}
          config={config}
          onSend={(value) => void live.write(open.name, "/web/parameters", { setting: open.name, value }, pack)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** Height of a rung in the drawing, which is stretched to the list beside it. */
const RUNG = 10;
/** Left and right edge of the scale, and where the lines to the rungs end. */
const LEFT = 6;
const RIGHT = 18;
const END = 44;

/** The scale, with a line to each rung. */
function Scale({ drawn, all }: { drawn: Drawing; all: readonly Rung[] }): JSX.Element {
  const height = all.length * RUNG;
  const y = (part: number): number => RUNG / 2 + part * (height - RUNG);
  const { allowed } = drawn;
  return (
    <svg viewBox={`0 0 ${END} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class={allowed ? "outside" : "rest"} x={LEFT} y="0" width={RIGHT - LEFT} height={height} />
      {allowed && (
        <rect
          class="allowed"
          x={LEFT}
          width={RIGHT - LEFT}
          y={allowed[0] === 0 ? 0 : y(allowed[0])}
          height={(allowed[1] === 1 ? height : y(allowed[1])) - (allowed[0] === 0 ? 0 : y(allowed[0]))}
        />
      )}
      {drawn.marks.map(([top, bottom], index) => {
        const isToday = !all[index]?.row;
        return (
          <g key={index} class={isToday ? "today" : ""}>
            <path d={`M${LEFT} ${y(top)}H${RIGHT}L${END} ${(index + 0.5) * RUNG}`} />
            {isToday && <path class="bar" d={`M${(LEFT + RIGHT) / 2} ${y(top) - 0.3}V${y(bottom) + 0.3}`} />}
          </g>
        );
      })}
    </svg>
  );
}
