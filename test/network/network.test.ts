import type Net from "net";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BoardNetwork } from "../../src/network/network";
import { clock, restartTime } from "../support/parts-time";

vi.mock("time", () => import("../support/parts-time").then(({ timeModule }) => timeModule));

interface Facts {
  MAC?: string | undefined;
  IP?: string | undefined;
  DNS?: string[] | undefined;
}

const plugged: Facts = { MAC: "24:6F:28:01:02:03", IP: "192.0.2.7", DNS: ["192.0.2.1", "192.0.2.2"] };

let facts: Facts;
const get = vi.fn((what: keyof Facts, _mode?: string) => facts[what]);
const net = { get } as unknown as typeof Net;

beforeEach(() => {
  restartTime();
  facts = plugged;
  get.mockClear();
});

const read = (network: BoardNetwork): object => {
  const { mode, type, mac, ip, gateway, subnetMask, dns1, dns2, cable } = network;
  return { mode, type, mac, ip, gateway, subnetMask, dns1, dns2, cable };
};

const known = {
  mode: "STA",
  type: "Ethernet",
  mac: "24:6F:28:01:02:03",
  ip: "192.0.2.7",
  gateway: "",
  subnetMask: "",
  dns1: "192.0.2.1",
  dns2: "192.0.2.2",
  cable: true,
};

describe("the network", () => {
  it("tells what the platform knows", () => {
    expect(read(new BoardNetwork({ net }))).toEqual(known);
    expect(get.mock.calls).toEqual([["MAC", "ethernet"], ["IP", "ethernet"], ["DNS"]]);
  });

  it("has empty texts for what the platform does not know, and no cable", () => {
    facts = { DNS: [] };
    const nothing = { ...known, mac: "", ip: "", dns1: "", dns2: "", cable: false };
    expect(read(new BoardNetwork({ net }))).toEqual(nothing);
    facts = {};
    expect(read(new BoardNetwork({ net }))).toEqual(nothing);
    facts = { ...plugged, DNS: ["192.0.2.1"] };
    expect(read(new BoardNetwork({ net }))).toEqual({ ...known, dns2: "" });
  });

  it("has no cable on Wi-Fi, and asks the station", () => {
    expect(read(new BoardNetwork({ net, type: "Wi-Fi" }))).toEqual({ ...known, type: "Wi-Fi", cable: false });
    expect(get).toHaveBeenCalledWith("IP", "station");
  });

  it("asks nothing before somebody reads, and then once a second", () => {
    const network = new BoardNetwork({ net });
    expect(get).not.toHaveBeenCalled();
    read(network);
    facts = { ...plugged, IP: undefined, DNS: [] };
    clock.runFor(999);
    expect(network.ip).toBe("192.0.2.7");
    expect(get).toHaveBeenCalledTimes(3);
    clock.runFor(1);
    expect(network.ip).toBe("");
    expect(network.cable).toBe(false);
    expect(get).toHaveBeenCalledTimes(5);
  });

  it("keeps the MAC address once it is known", () => {
    facts = {};
    const network = new BoardNetwork({ net });
    expect(network.mac).toBe("");
    facts = plugged;
    clock.runFor(1000);
    expect(network.mac).toBe("24:6F:28:01:02:03");
    facts = {};
    clock.runFor(1000);
    expect(network.mac).toBe("24:6F:28:01:02:03");
  });

  it.each([2 ** 31, 2 ** 31 + 10_000, 2 ** 32 - 1])("asks again when nobody did for %i ms", (pause) => {
    const network = new BoardNetwork({ net });
    expect(network.ip).toBe("192.0.2.7");
    facts = { ...plugged, IP: "192.0.2.8" };
    clock.runFor(pause);
    expect(network.ip).toBe("192.0.2.8");
  });

  it("asks again across the wrap of the ticks", () => {
    restartTime(2 ** 31 - 500);
    const network = new BoardNetwork({ net });
    expect(network.ip).toBe("192.0.2.7");
    facts = { ...plugged, IP: "192.0.2.8" };
    clock.runFor(999);
    expect(network.ip).toBe("192.0.2.7");
    clock.runFor(1);
    expect(network.ip).toBe("192.0.2.8");
  });
});
