import { describe, expect, it } from "vitest";
import { Mqtt } from "../../src/mqtt/mqtt";
import type { MqttOptions } from "../../src/mqtt/types";
import type { MqttSettings } from "../../src/settings/types";
import { mqttParts } from "../support/mqtt/mqtt-parts";
import { pemOf } from "../support/tls/pem";
import { poweredBoard } from "../support/system/simulated-board";

class Tls {}

/** What is told, and the options of the clients that are made. */
function run(change: Partial<MqttSettings>, parts: Partial<MqttOptions>): { told: string[]; made: object[] } {
  poweredBoard();
  const told: string[] = [];
  const made: object[] = [];
  class Client {
    constructor(options: object) {
      made.push(options);
    }
    close(): void {}
  }
  const sources = mqttParts();
  sources.settings.mqtt = { ...sources.settings.mqtt, tls: true, ca: pemOf(800), ...change };
  const mqtt = new Mqtt({
    ...sources,
    monitor: Object.assign(sources.monitor, { observe: () => undefined }),
    mqttClient: Client,
    tls: Tls,
    time: () => 1_800_000_000,
    random: { get: () => new ArrayBuffer(1) },
    events: { add: (text: string) => void told.push(text) },
    ...parts,
  } as unknown as MqttOptions);
  mqtt.close();
  return { told, made };
}

describe("MQTT with TLS enabled", () => {
  it("uses only TLS, with the CA and the time", () => {
    const { told, made } = run({}, {});
    expect(told).toEqual([]);
    expect(made).toHaveLength(1);
    const { socket } = made[0] as { socket: { tcp: unknown; secure: Record<string, unknown> } };
    expect(socket.tcp).toBe(Tls);
    expect(socket.secure["date"]).toBe(1_800_000_000);
    expect(socket.secure["certificate"]).toBeInstanceOf(ArrayBuffer);
  });

  it.each<[string, Partial<MqttSettings>, Partial<MqttOptions>, string]>([
    ["on a board without", {}, { tls: undefined }, "no-tls"],
    ["without a CA", { ca: "" }, {}, "no-ca"],
    ["without the time", {}, { time: () => undefined }, "no-time"],
  ])("%s makes no connection, and reports it", (_, settings, parts, problem) => {
    const { told, made } = run(settings, parts);
    expect(told).toEqual([`mqtt\t${problem}`]);
    expect(made).toEqual([]);
  });
});
