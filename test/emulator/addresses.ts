/** Addresses of this machine from which QEMU's router lets its guest see who asks: those of 127.0.0.0/8 it hides behind its own. */
import { spawnSync } from "node:child_process";

/** Of RFC 2544, for benchmarks: in nobody's network. */
const NETWORK = "198.18";
const NETWORKS = 256;

export interface Addresses {
  of(client: number): string;
  release(): void;
}

/** Throws where this may not be done: it takes root. */
export function ownAddresses(): Addresses {
  const network = `${NETWORK}.${process.pid % NETWORKS}`;
  const route = (order: string): string => {
    const { status, stderr, error } = spawnSync("ip", ["route", order, "local", `${network}.0/24`, "dev", "lo"]);
    return status === 0 ? "" : String(error ?? stderr);
  };
  const problem = route("replace");
  if (problem) throw new Error(`Clients with addresses of their own need root (ip route): ${problem}`);
  return { of: (client) => `${network}.${client}`, release: () => void route("del") };
}
