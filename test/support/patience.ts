/** How long a test waits for a fact before it fails, ms: only a hang takes as long, even on a machine that is ten times slower. */
export const PATIENCE = 120_000;

/** How long a test may take altogether, ms: in `npm run soak` it has twenty times as many cases. */
export const LONGEST_TEST = 900_000;
