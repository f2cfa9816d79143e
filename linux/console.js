import { census, chunks, cpu, onLine, say, slots, stack } from "native";

/** Live memory after a garbage collection. */
export const memory = () => ({ slots: slots(), chunks: chunks() });

/** Commands of every program. */
const METERS = Object.freeze(
  {
    memory: () => ({ ...memory(), stack: stack() }),
    cpu: () => cpu(),
    census: () => census(),
  },
  true,
);

function answer(orders, subject, line) {
  try {
    const { order, ...rest } = JSON.parse(line);
    return { answer: (orders[order] ?? METERS[order])(rest, subject) ?? null };
  } catch (error) {
    return { error: String(error) };
  }
}

/**
 * Prints a line of JSON about the running program, then answers commands from standard input, one line of JSON each. A command is a
 * function of its parameters and of `subject`.
 */
export function converse(greeting, orders, subject) {
  say(`${JSON.stringify(greeting)}\n`);
  onLine((line) => say(`${JSON.stringify(answer(orders, subject, line))}\n`));
}
