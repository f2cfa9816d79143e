import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, beforeAll, expect, it } from "vitest";
import { startBroker, type TestBroker } from "../support/mqtt/broker";
import { freePort } from "../support/free-port";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "a long password";

let program: string;
beforeAll(async () => {
  // @ts-expect-error a script without declarations
  const { bundle } = (await import("../../scripts/bundle.mjs")) as {
    bundle: (entry: string, out: string) => Promise<string>;
  };
  program = await bundle("host-sim/main.ts", "host-sim-several");
});

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** Starts a simulator that uses the broker; resolves to what it printed. */
async function launch(broker: TestBroker, ...parameters: string[]): Promise<void> {
  const [port, snmpPort] = [await freePort(), await freePort()];
  const ports = ["--port", `${port}`, "--snmp-port", `${snmpPort}`];
  const child = spawn(process.execPath, [program, ...ports, "--password", PASSWORD, ...parameters]);
  running.push(child);
  let out = "";
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  await expect.poll(() => out).toContain("Ctrl-C");
  const client = new WebClient({ url: `http://127.0.0.1:${port}` });
  expect((await client.signIn(PASSWORD)).status).toBe(200);
  expect((await client.post("/web/group/mqtt", { enabled: true, host: "127.0.0.1", port: broker.port })).status).toBe(
    200,
  );
}

it("two simulators with names of their own stay on one broker", async () => {
  const broker = await startBroker();
  const listener = await broker.client();
  await launch(broker, "--name", "Shed");
  await launch(broker, "--name", "Cellar");
  const topics = (): string[] => [...listener.topics.keys()].filter((topic) => topic.endsWith("/availability"));
  await expect.poll(topics).toHaveLength(2);
  const from = listener.messages.length;
  const states = (topic: string): number =>
    listener.messages.slice(from).filter((message) => message.topic === topic.replace("availability", "telemetry"))
      .length;
  for (const topic of topics()) await expect.poll(() => states(topic)).toBeGreaterThan(2);
  expect(listener.messages.filter(({ text }) => text === "offline")).toEqual([]);
  await broker.stop();
});
