/** A missing part counts as 0; a part that is not a number sorts first. */
const part = (version: readonly string[], at: number): number => {
  const number = Number(version[at] ?? 0);
  return Number.isInteger(number) ? number : -1;
};

/** Whether `version` is older than `other`. Both as "1.2.3". */
export const isOlder = (version: string, other: string): boolean => {
  const one = version.split(".");
  const two = other.split(".");
  for (let at = 0; at < Math.max(one.length, two.length); at++) {
    const difference = part(one, at) - part(two, at);
    if (difference) return difference < 0;
  }
  return false;
};
