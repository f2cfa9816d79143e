import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freeUdpPort } from "../support/free-port";
import { System } from "../support/system/system";

const SNTP = 123;

/** Starts chronyd as a server on a port of its own, which leaves the machine's clock alone; resolves to the port. */
async function startChrony(stratum: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "chrony-"));
  const port = await freeUdpPort();
  const file = join(folder, "chrony.conf");
  const lines = [`port ${port}`, "cmdport 0", "bindaddress 127.0.0.1", "allow 127.0.0.1", `local stratum ${stratum}`];
  writeFileSync(file, [...lines, `pidfile ${folder}/pid`, `bindcmdaddress ${folder}/socket`, ""].join("\n"));
  // -x: does not set the clock; -U: needs no root; -d: stays in the foreground.
  const chrony = spawn("chronyd", ["-x", "-U", "-d", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  chrony.stderr.on("data", (bytes: Buffer) => (words += bytes.toString()));
  onTestFinished(() => void chrony.kill("SIGKILL"));
  await expect.poll(() => words, { message: words }).toContain("chronyd version");
  return port;
}

it("SNTP: the time is that of chrony", async () => {
  const port = await startChrony(8);
  const system = await System.start({
    board: { cable: true, udpPorts: { [SNTP]: port }, config: { settings: { time: { server: "127.0.0.1" } } } },
  });
  onTestFinished(() => system.stop());
  await expect.poll(() => system.probes.utc()).toBeDefined();
  // Seconds; chrony's clock is that of this machine, whose load delays the comparison.
  expect(Math.abs((system.probes.utc() ?? 0) - Date.now() / 1000)).toBeLessThan(30);
});
