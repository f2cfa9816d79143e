import { SimulatedBoard } from "../board";

function get(what: "DNS"): string[];
function get(what: "IP" | "MAC", mode?: "station" | "ap" | "ethernet"): string | undefined;
function get(what: string, mode?: string): string | string[] | undefined {
  const { network, nameServers, ethernet, radio } = SimulatedBoard.current;
  const address = ethernet.address ?? radio.address;
  switch (what) {
    case "DNS":
      return [...nameServers];
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

/**
 * Resolves a name asynchronously through the board's `names`. The callback is dropped if the power was cut meanwhile,
 * even if it is back.
 */
function resolve(name: string, callback: (name: string, address?: string) => void): void {
  const board = SimulatedBoard.current;
  let isPowered = true;
  const detach = board.attach(() => (isPowered = false));
  board.names.resolve(name, (address) => {
    if (!isPowered) return;
    detach();
    board.post(() => callback(name, address));
  });
}

/** The SDK's Net, backed by the board's network settings. */
const Net = { get, resolve };
export default Net;
