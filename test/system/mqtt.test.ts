import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBroker, type TestBroker } from "../support/broker";
import { System } from "../support/system";

describe("MQTT", () => {
  let broker: TestBroker;
  let system: System;
  beforeEach(async () => {
    broker = await startBroker();
    system = await System.start({
      bms: { timeFactor: 1 },
      board: { config: { settings: { mqtt: { enabled: true, host: "127.0.0.1", port: broker.port } } } },
    });
  });
  afterEach(async () => {
    system.stop();
    await broker.stop();
  });

  it("publishes", async () => {
    const client = await broker.client();
    await system.until("everything is there", () => client.topics.size >= 8, 20);
    console.log([...client.topics].map(([topic, text]) => `${topic} ${text.length} ${text.slice(0, 300)}`).join("\n"));
    console.log(system.console.join(""));
  });
});
