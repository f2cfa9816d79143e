import main from "main";
import { converse, memory } from "console";
import { level, setCounts, setLevel } from "pins";

/**
 * Starts the firmware and says where it listens, and what memory the engine and this build had taken before. What whoever started the
 * program may ask for is the settings screen and the world at the pins; `more(firmware)` adds to it.
 */
export default function start(more) {
  const before = memory();
  const firmware = main();
  const { settings, server } = firmware;
  converse(
    { port: server.port, problems: [...settings.problems], before },
    {
      configure: ({ group, change }) => settings.update(group, change),
      level: ({ pin }) => level(pin),
      drive: ({ pin, value }) => setLevel(pin, value),
      analog: ({ pin, value }) => setCounts(pin, value),
      ...more?.(firmware),
    },
  );
}
