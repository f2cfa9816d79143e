/** A small generator of pseudo-random numbers in [0, 1): the same seed gives the same run. */
export type Random = () => number;

const INCREMENT = 0x9e3779b9;

/** A well-mixed 32-bit number from any 32-bit number (the finisher of MurmurHash3). */
function mix(value: number): number {
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export function random(seed: number): Random {
  let state = mix(seed);
  return () => {
    state = (state + INCREMENT) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** About normal, mean 0, deviation 1, never beyond ±3.5: the sum of twelve would be the classic, six do. */
export function spread(next: Random): number {
  let sum = 0;
  for (let count = 0; count < 6; count++) sum += next();
  return (sum - 3) * Math.SQRT2;
}

/** The `index`-th value in [0, 1) of a fixed sequence, in any order. */
export const valueAt = (seed: number, index: number): number => mix(seed ^ mix(index + INCREMENT)) / 2 ** 32;
