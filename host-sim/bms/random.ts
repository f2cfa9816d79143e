/** A small pseudo-random generator for [0, 1): the same seed gives the same sequence. */
export type Random = () => number;

const INCREMENT = 0x9e3779b9;

/** Hashes a 32-bit number to a well-mixed 32-bit number (the finalizer of MurmurHash3). */
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

/**
 * Approximately normal, mean 0, standard deviation 1, always within ±3.5: a sum of six uniform values (the classic
 * method uses twelve).
 */
export function spread(next: Random): number {
  let sum = 0;
  for (let count = 0; count < 6; count++) sum += next();
  return (sum - 3) * Math.SQRT2;
}

/** The `index`-th value in [0, 1) of a fixed sequence, with random access. */
export const valueAt = (seed: number, index: number): number => mix(seed ^ mix(index + INCREMENT)) / 2 ** 32;
