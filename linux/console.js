import { census, chunks, cpu, onLine, say, slots, stack } from "native";

/** What is alive after a collection. */
export const memory = () => ({ slots: slots(), chunks: chunks() });

/** Orders that every program takes. Only `memory` collects garbage. */
const METERS = Object.freeze(
  { memory: () => ({ ...memory(), stack: stack() }), cpu: () => cpu(), census: () => census() },
  true,
);

function answer(orders, line) {
  try {
    const { order, ...rest } = JSON.parse(line);
    return { answer: (orders[order] ?? METERS[order])(rest) ?? null };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Says a line of JSON about the running program, then answers orders: a line of JSON each, over standard input. */
export function converse(greeting, orders) {
  say(`${JSON.stringify(greeting)}\n`);
  onLine((line) => say(`${JSON.stringify(answer(orders, line))}\n`));
}
