import main from "main";
import { converse, memory } from "console";
import { ORDERS } from "orders";

/** Starts the firmware and prints where it listens and how much memory the engine and this build used before. */
export default function run() {
  const before = memory();
  const firmware = main();
  const { settings, server } = firmware;
  converse({ port: server.port, problems: [...settings.problems], before }, ORDERS, firmware);
}
