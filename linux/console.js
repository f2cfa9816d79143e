import { census, chunks, cpu, onLine, say, slots, stack } from "native";

/** What is alive after a collection. */
export const memory = () => ({ slots: slots(), chunks: chunks() });

/** Orders that every program takes. */
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
 * Says a line of JSON about the running program, then answers orders: a line of JSON each, over standard input. An order is a function
 * of what came with its name and of `subject`.
 */
export function converse(greeting, orders, subject) {
  say(`${JSON.stringify(greeting)}\n`);
  onLine((line) => say(`${JSON.stringify(answer(orders, subject, line))}\n`));
}
