import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ENGINE } from "../support/system/engines";
import { freePort, freeUdpPort } from "../support/free-port";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BROWSER = fileURLToPath(new URL("../peers/zeroconf-browser.py", import.meta.url));

/** A program in a process group of its own; the returned text grows with its output. */
function run(command: string, words: readonly string[]): { printed: () => string; interrupt: () => void } {
  const child = spawn(command, words, { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  const signal = (name: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended.
    }
  };
  onTestFinished(() => signal("SIGKILL"));
  return { printed: () => text, interrupt: () => signal("SIGINT") };
}

it("zeroconf finds the device, resolves it, and loses it when it is ended with Ctrl-C", async () => {
  // No other test's, nor another run's: mDNS has one port for the whole machine.
  const end = randomBytes(3).toString("hex");
  const hostname = `jk-bms-${end}`;
  const [port, snmpPort] = [await freePort(), await freeUdpPort()];
  const browser = run("/usr/bin/python3", [BROWSER, hostname]);
  await expect.poll(browser.printed).toContain("ready\n");

  const mac = `02:00:5E:${end.match(/../g)?.join(":")}`;
  const device = run("npm", [
    ...["start", "--silent", "--", "--engine", ENGINE, "--mdns", "--mac", mac],
    ...["--port", `${port}`, "--snmp-port", `${snmpPort}`],
  ]);
  await expect.poll(device.printed).toContain("Ctrl-C ends it.");
  await expect.poll(browser.printed).toContain(`found ${hostname}._http._tcp.local.\n`);
  await expect.poll(browser.printed).toContain(`resolved 127.0.0.1 ${port} ${hostname}.local.\n`);
  expect(browser.printed()).not.toContain("lost");

  device.interrupt();
  await expect.poll(browser.printed).toContain(`lost ${hostname}._http._tcp.local.\n`);
});
