import { describe, expect, it } from "vitest";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { Topics } from "../../src/mqtt/topics";
import { mqttParts } from "../support/mqtt/mqtt-parts";

function topicsOf(mac = "24:A1:60:01:02:03"): Topics {
  const { network, settings } = mqttParts();
  return new Topics({ ...network, mac }, settings);
}

function topicsWith(baseTopic: string, ...addresses: readonly number[]): Topics {
  const { network, settings } = mqttParts();
  settings.mqtt = { ...settings.mqtt, baseTopic };
  settings.packs = { first: "Pack 1", further: addresses.map((address) => ({ address, name: `Pack ${address}` })) };
  return new Topics({ ...network, mac: "24:A1:60:01:02:03" }, settings);
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

  it("of further packs have a branch each, and one subscription; the bank is told nothing", () => {
    const topics = topicsWith("jk-bms", 2, 15);
    const subscribed: string[] = [];
    for (let index = 0, topic; (topic = topics.subscription(index)) !== undefined; index++) subscribed.push(topic);
    const requests = subscribed.filter((topic) => topic.includes("/pack/"));
    expect(requests).toEqual(["2", "15"].map((address) => `jk-bms/24a160010203/pack/${address}/request`));
    expect(requests.map((topic) => topics.target(topic))).toEqual(
      [1, 2].map((pack) => ({ kind: "request", name: "", pack })),
    );
    for (const other of ["pack/3/request", "bank/request", "pack/2/telemetry", "pack/2/relay/set"])
      expect(topics.target(`jk-bms/24a160010203/${other}`), other).toBeUndefined();
  });

  it("that are no longer used are those of removed packs, and all of another base or prefix", () => {
    const states = (base: string, branch: string): string[] =>
      ["bms", "telemetry", "cells", "config"].map((name) => `${base}/24a160010203/${branch}/${name}`);
    const announced = (end: string): string => `homeassistant/device/24a160010203_${end}/config`;
    const before = topicsWith("jk-bms", 2, 15).record;
    expect(topicsWith("jk-bms", 2, 15).leftovers(before)).toEqual([]);
    expect(topicsWith("jk-bms", 2).leftovers(before)).toEqual([...states("jk-bms", "pack/15"), announced("pack15")]);
    expect(topicsWith("jk-bms").leftovers(before)).toEqual(
      ["pack/2", "pack/15", "bank"].flatMap((branch) => [
        ...states("jk-bms", branch),
        announced(branch.replace("/", "")),
      ]),
    );
    const moved = topicsWith("garage", 2, 15).leftovers(before);
    expect(moved.filter((topic) => topic.includes("pack/"))).toEqual([
      ...states("jk-bms", "pack/2"),
      ...states("jk-bms", "pack/15"),
    ]);
    expect(moved.filter((topic) => topic.startsWith("homeassistant"))).toEqual([]);
    // Of one pack it is as before there were banks, which an older firmware reads too.
    expect(topicsWith("jk-bms").record).toBe("jk-bms/24a160010203/\nhomeassistant/device/24a160010203/config");
    expect(topicsWith("jk-bms", 2).leftovers(topicsWith("jk-bms").record)).toEqual([]);
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
