import { SimulatedBoard } from "../board";

function get(what: "DNS"): string[];
function get(what: "NTP" | "MASK"): string | undefined;
function get(what: "IP" | "MAC", mode?: "station" | "ap" | "ethernet"): string | undefined;
function get(what: string, mode?: string): string | string[] | undefined {
  const { network, nameServers, ethernet, radio } = SimulatedBoard.current;
  const address = ethernet.address ?? radio.address;
  switch (what) {
    case "DNS":
      return [...nameServers];
    case "NTP":
      return address && network.ntp;
    case "MASK":
      return address && network.mask;
    case "MAC":
      return network.mac;
    case "IP":
      if (mode === "ethernet") return ethernet.address;
      if (mode === "station") return radio.address;
      return mode === "ap" ? radio.accessPoint && (network.ip ?? "192.168.4.1") : address;
    default:
      return undefined;
  }
}

function choose(bssid: string): void {
  SimulatedBoard.current.radio.bssid = bssid;
}

/** The chip's `net` (boards/esp32/net.js), backed by the board's network settings. */
const Net = { get, choose };
export default Net;
