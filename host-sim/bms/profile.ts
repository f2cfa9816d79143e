import { valueAt } from "./random";

/** Demand of charger and loads at a time (seconds since the start), in amperes per ampere-hour of capacity. */
export type Profile = (time: number) => { readonly charge: number; readonly discharge: number };

const DAY = 86_400;
const HOUR = 3600;
const SUNRISE = 6 * HOUR;
const SUNSET = 18 * HOUR;
const SOLAR_PEAK = 0.18;
const NIGHT_LOAD = 0.015;
const COOKING = 0.06;
/** Hours of the day with cooking loads. */
const MEALS: readonly (readonly [from: number, to: number])[] = [
  [6.5, 8],
  [12, 13],
  [18, 22],
];
const CLOUD_SECONDS = 300;
const APPLIANCE_SECONDS = 60;

/** A household with solar panels: charging by day with passing clouds, loads in the morning and evening. */
export function dayProfile(seed: number, timeOfDay: number): Profile {
  return (time) => {
    const now = time + timeOfDay;
    const day = now % DAY;
    const sun = day > SUNRISE && day < SUNSET ? Math.sin((Math.PI * (day - SUNRISE)) / (SUNSET - SUNRISE)) : 0;
    const cloud = 1 - 0.4 * smooth(seed, now / CLOUD_SECONDS);
    const cooking = MEALS.some(([from, to]) => day >= from * HOUR && day < to * HOUR) ? COOKING : 0;
    const appliances = 0.7 + 0.6 * smooth(seed + 1, now / APPLIANCE_SECONDS);
    return { charge: SOLAR_PEAK * sun * cloud, discharge: (NIGHT_LOAD + cooking) * appliances };
  };
}

/** A smooth random curve with one random value in [0, 1) per unit. */
function smooth(seed: number, at: number): number {
  const index = Math.floor(at);
  const here = valueAt(seed, index);
  return here + (valueAt(seed, index + 1) - here) * (at - index);
}
