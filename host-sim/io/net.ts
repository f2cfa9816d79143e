import { lookup } from "node:dns";
import { SimulatedBoard } from "../board";

function get(what: "DNS"): string[];
function get(what: "IP" | "MAC", mode?: "station" | "ap" | "ethernet"): string | undefined;
function get(what: string, mode?: string): string | string[] | undefined {
  const { network } = SimulatedBoard.current;
  if (what === "DNS") return network.cable ? [...network.dns] : [];
  if (mode && mode !== network.type) return undefined;
  if (what === "MAC") return network.mac;
  if (what === "IP") return network.cable ? network.ip : undefined;
  return undefined;
}

/** Answered by the host's resolver. */
function resolve(host: string, done: (host: string, address?: string) => void): void {
  const board = SimulatedBoard.current;
  lookup(host, { family: 4 }, (error, address) =>
    board.clock.external(() => board.post(() => done(host, error ? undefined : address))),
  );
}

/** The SDK's Net, with the board's network facts. With the cable unplugged there is no address. */
const Net = { get, resolve };
export default Net;
