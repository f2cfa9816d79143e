import { describe, expect, it } from "vitest";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { Topics } from "../../src/mqtt/topics";
import { mqttParts } from "../support/mqtt/mqtt-parts";

function topicsOf(mac = "24:A1:60:01:02:03"): Topics {
  const { network, settings } = mqttParts();
  return new Topics({ ...network, mac }, settings);
}

describe("the topics", () => {
  it("contain the MAC address, or the hostname on a platform that has none", () => {
    expect(topicsOf().bms).toBe("jk-bms/24a160010203/bms");
    expect(topicsOf("").id).toBe(mqttParts().settings.device.hostname);
  });

  it("subscribed to have one purpose each", () => {
    const topics = topicsOf();
    const targets: string[] = [];
    for (let index = 0, topic; (topic = topics.subscription(index)) !== undefined; index++) {
      const { kind, name } = topics.target(topic)!;
      targets.push(`${kind} ${name}`);
    }
    expect(targets).toEqual([
      ...["request ", "relay ", "birth ", "availability "],
      ...COMMANDS_TABLE.map(({ name }) => `command ${name}`),
      ...PARAMETERS_TABLE.map(({ name }) => `parameter ${name}`),
    ]);
  });

  it.each([
    "",
    "jk-bms/24a160010204/request",
    "jk-bms/24a160010203/",
    "jk-bms/24a160010203/telemetry",
    "jk-bms/24a160010203/command/balance",
    "jk-bms/24a160010203/other/balance/set",
    "homeassistant/status/",
  ])("%j has no purpose", (topic) => {
    expect(topicsOf().target(topic)).toBeUndefined();
  });
});
