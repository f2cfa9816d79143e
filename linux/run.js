import main from "main";
import { chunks, cpu, onLine, say, slots } from "native";
import { level, setCounts, setLevel } from "pins";

/** What whoever started the program may ask for, a line of JSON each: the settings screen, the world at the pins, and the meters. */
const ORDERS = {
  configure: ({ group, change }) => firmware.settings.update(group, change) ?? null,
  level: ({ pin }) => level(pin),
  drive: ({ pin, value }) => void setLevel(pin, value),
  analog: ({ pin, value }) => void setCounts(pin, value),
  memory: () => ({ ...memory(), cpu: cpu() }),
};

let firmware;

function answer(line) {
  try {
    const { order, ...rest } = JSON.parse(line);
    return { answer: ORDERS[order](rest) ?? null };
  } catch (error) {
    return { error: String(error) };
  }
}

const memory = () => ({ slots: slots(), chunks: chunks() });

/** Starts the firmware and says where it listens, and what memory the engine and this build had taken before. */
export default function run() {
  const before = memory();
  firmware = main();
  say(`${JSON.stringify({ port: firmware.server.port, problems: [...firmware.settings.problems], before })}\n`);
  onLine((line) => say(`${JSON.stringify(answer(line))}\n`));
}
