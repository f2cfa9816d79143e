/** The simulator with the page, for scripts that open a browser on it. */
import { createServer } from "node:net";
import { bundle } from "./bundle.mjs";

const HOUR = 3_600_000;

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(String(port)));
    });
  });

/**
 * Runs the simulator with these parameters during `use`, after so many hours of its time.
 * @param {readonly string[]} parameters
 * @param {number} hours
 * @param {(url: string) => Promise<void>} use
 */
export async function withSimulator(parameters, hours, use) {
  const { parseCommandLine, parts, run } = await import(`../${await bundle("host-sim/program.ts", "program")}`);
  const ports = ["--port", await freePort(), "--snmp-port", await freePort()];
  const options = parseCommandLine([...ports, "--seed", "1", ...parameters]);
  const running = await run(options, parts, (text) => process.stderr.write(text));
  const { clock } = running.board;
  clock.stop();
  clock.runFor(hours * HOUR);
  clock.start();
  try {
    await use(running.url);
  } finally {
    await running.close();
  }
}
