import type { JSX } from "preact";

const PATHS = {
  battery: "M9 3h6v2h2a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1h2zM12.5 9L9 14h2.5v4L15 13h-2.5z",
  history: "M4 4v16h16M7 15l4-5 3 3 5-7",
  control: "M5 6h7M16 6h3M5 12h3M12 12h7M5 18h9M18 18h1M14 4v4M10 10v4M16 16v4",
  relay: "M3 16h5l8-6M16 16h5M8 16a.5.5 0 1 0 0-.01M16 16a.5.5 0 1 0 0-.01M12 5v4",
  device: "M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
  exit: "M10 4H5v16h5M10 12h10M16 8l4 4-4 4",
  up: "M12 20V5M6 11l6-6 6 6",
  down: "M12 4v15M6 13l6 6 6-6",
  pause: "M9 6v12M15 6v12",
  warning: "M12 4L3 20h18zM12 10v5M12 17.5v.5",
  check: "M5 13l5 5L19 7",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative icon beside text; hidden from screen readers. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
