/** One bar a pack: as high as its charge, with the way of its current below; the odd ones are marked. */
import type { JSX } from "preact";
import { packConcerns, packTitle } from "../bank";
import type { PackRow } from "../documents";
import { direction } from "../estimate";
import { quantity } from "../format";
import { useTexts } from "../hooks";
import { Icon } from "../icons";

const ICONS = { charging: "up", discharging: "down", idle: "pause" } as const;

export function PackBars({ packs }: { readonly packs: readonly PackRow[] }): JSX.Element {
  const { t, language } = useTexts();
  return (
    <ul class="pack-bars">
      {packs.map((pack) => {
        const { address, current, online } = pack;
        const soc = online ? pack.soc : (pack.last?.soc ?? null);
        const concerns = packConcerns(pack);
        const isOdd = !online || concerns.length > 0;
        const way = current === null ? undefined : direction(current);
        return (
          <li key={address} class={isOdd ? "odd" : ""}>
            <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
              <rect class="back" width="10" height="100" />
              {soc !== null && <rect class={online ? "bar" : "bar old"} y={100 - soc} width="10" height={soc} />}
            </svg>
            <Icon name={isOdd ? "warning" : way ? ICONS[way] : "pause"} />
            <span class="hidden">
              {[
                `${packTitle(pack, t)}: ${online ? "" : `${t.battery.lastKnown} `}${quantity(language, soc, "%")}`,
                ...concerns.map((code) => t.concerns[code]),
              ].join(" ")}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
