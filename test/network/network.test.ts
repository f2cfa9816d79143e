import type Net from "net";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { BoardNetwork } from "../../src/network/network";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import HostNet from "../../host-sim/io/net";
import { poweredBoard } from "../support/simulated-board";

const PLUGGED = { mac: "24:6F:28:01:02:03", ip: "192.0.2.7", dns: ["192.0.2.1", "192.0.2.2"] };

let board: SimulatedBoard;
/** The platform knows nothing of the network yet. */
let unknown: boolean;
const ask = HostNet.get as (what: string, mode?: string) => unknown;
const get = vi.fn((what: string, mode?: string) => (unknown ? undefined : ask(what, mode)));
const net = { get } as unknown as typeof Net;

function powerOn(options: BoardOptions = {}): void {
  board = poweredBoard({ network: PLUGGED, ...options });
  unknown = false;
  get.mockClear();
}

beforeEach(() => powerOn());

const runFor = (duration: number): void => board.clock.runFor(duration);

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
    powerOn({ network: { type: "ap", dns: [] } });
    const nothing = { ...known, mac: "", ip: "", dns1: "", dns2: "", cable: false };
    expect(read(new BoardNetwork({ net }))).toEqual(nothing);
    unknown = true;
    expect(read(new BoardNetwork({ net }))).toEqual(nothing);
    powerOn({ network: { ...PLUGGED, dns: ["192.0.2.1"] } });
    expect(read(new BoardNetwork({ net }))).toEqual({ ...known, dns2: "" });
  });

  it("has no cable on Wi-Fi, and asks the station", () => {
    powerOn({ network: { ...PLUGGED, type: "station" } });
    expect(read(new BoardNetwork({ net, type: "Wi-Fi" }))).toEqual({ ...known, type: "Wi-Fi", cable: false });
    expect(get).toHaveBeenCalledWith("IP", "station");
  });

  it("asks nothing before somebody reads, and then once a second", () => {
    const network = new BoardNetwork({ net });
    expect(get).not.toHaveBeenCalled();
    read(network);
    board.network.cable = false;
    runFor(999);
    expect(network.ip).toBe("192.0.2.7");
    expect(get).toHaveBeenCalledTimes(3);
    runFor(1);
    expect(network.ip).toBe("");
    expect(network.cable).toBe(false);
    expect(get).toHaveBeenCalledTimes(5);
  });

  it("keeps the MAC address once it is known", () => {
    unknown = true;
    const network = new BoardNetwork({ net });
    expect(network.mac).toBe("");
    unknown = false;
    runFor(1000);
    expect(network.mac).toBe("24:6F:28:01:02:03");
    unknown = true;
    runFor(1000);
    expect(network.mac).toBe("24:6F:28:01:02:03");
  });

  it.each([2 ** 31, 2 ** 31 + 10_000, 2 ** 32 - 1])("asks again when nobody did for %i ms", (pause) => {
    const network = new BoardNetwork({ net });
    expect(network.ip).toBe("192.0.2.7");
    board.network.ip = "192.0.2.8";
    runFor(pause);
    expect(network.ip).toBe("192.0.2.8");
  });

  it("asks again across the wrap of the ticks", () => {
    powerOn({ ticks: 2 ** 31 - 500 });
    const network = new BoardNetwork({ net });
    expect(network.ip).toBe("192.0.2.7");
    board.network.ip = "192.0.2.8";
    runFor(999);
    expect(network.ip).toBe("192.0.2.7");
    runFor(1);
    expect(network.ip).toBe("192.0.2.8");
  });
});
