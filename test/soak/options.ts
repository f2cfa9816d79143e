import { parseArgs } from "node:util";

export const PARTS = [
  "pairs",
  "allocations",
  "writes",
  "hours",
  "bus",
  "frames",
  "bank",
  "flash",
  "notify",
  "conditions",
  "house",
] as const;
export type Part = (typeof PARTS)[number];

export interface SoakOptions {
  readonly parts: readonly Part[];
  readonly seed: number;
  /** Real time after which no further case is started, for each part. */
  readonly minutes: number;
  /** What the names of the cases to run contain; "" in all. */
  readonly only: string;
  /** Virtual hours of the parts "hours" and "conditions", and of the days of "bank". */
  readonly hours: number;
}

export const HELP = `npm run soak -- [--part ${PARTS.join("|")}] [--seed N] [--only TEXT] [--minutes N] [--hours N] [--write]

  --part NAME   pairs: every two states of the platform together; allocations: the nth fails, for every n of a start;
                writes: likewise the nth write to the storage; hours: conditions at random over virtual hours;
                bus: ten million bytes that are no other master's, ten thousand transactions that are; frames: ten
                million with bit errors that their sum does not show, a million packs without, two million writes, in each of
                which a frame has them; bank: hours on
                a line that loses replies, 200,000 writes to several packs, 8,000 to two at one address and days without such, 10,000 polls beside bad ones; flash: power cuts at every byte of each kind of record, and 10,000 at random;
                notify: ten days of an alarm that comes and goes, five times;
                conditions: hours of faults at random in eight packs, of which every interface tells each once;
                400 days of banks that are in order, of which nothing is told;
                house: an hour of all that a board has to bear, on XS in its memory.
                May be given more than once; default: all
  --seed N      order and random choices (default 1)
  --only TEXT   of each part the cases whose name has this text in it
  --minutes N   real time after which a part starts no further case (default: none, all cases)
  --hours N     virtual hours of the parts "hours" and "conditions", and of the days of "bank" (default 24)
  --write       with --part bank --only "an hour of": writes what it measured to docs/figures.md

The firmware runs on XS with ENGINE=xs in the environment, otherwise on Node.`;

function whole(name: string, text: string | undefined, otherwise: number, highest: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= 1 && value <= highest))
    throw new Error(`--${name} ${text}: must be a whole number from 1 to ${highest}`);
  return value;
}

/** Throws an Error with a message for the user. */
export function parseOptions(parameters: readonly string[]): SoakOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      part: { type: "string", multiple: true },
      only: text,
      seed: text,
      minutes: text,
      hours: text,
      write: { type: "boolean" },
    },
  });
  const parts = (values.part ?? PARTS).map((name) => {
    const part = PARTS.find((one) => one === name);
    if (!part) throw new Error(`--part ${name}: must be ${PARTS.join(", ")}`);
    return part;
  });
  return {
    parts,
    only: values.only ?? "",
    seed: whole("seed", values.seed, 1, 2 ** 31),
    minutes: whole("minutes", values.minutes, Infinity, 100_000),
    hours: whole("hours", values.hours, 24, 100_000),
  };
}
