/**
 * Ports for programs that cannot bind to port 0. Nothing takes a chosen port before it is used: it is below the ephemeral range, and
 * the same port of the other protocol is held for the life of this process, which keeps other users of this module away, in this run
 * and in others.
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const LOWEST = 20_000;
const COUNT = 10_000;
const HOST = "127.0.0.1";

/** Binds a port; the returned function releases it. Undefined: port in use. */
type Hold = (port: number) => Promise<(() => void) | undefined>;

const holdTcp: Hold = (port) =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(undefined));
    server.listen(port, HOST, () => resolve(() => server.close())).unref();
  });

const holdUdp: Hold = (port) =>
  new Promise((resolve) => {
    const socket = createSocket("udp4").once("error", () => resolve(undefined));
    socket.bind(port, HOST, () => resolve(() => socket.close())).unref();
  });

async function free(wanted: Hold, other: Hold): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const release = await other(port);
    const probe = release && (await wanted(port));
    probe?.();
    if (probe) return port;
    release?.();
  }
}

/** A free TCP port. */
export const freePort = (): Promise<number> => free(holdTcp, holdUdp);

export const freeUdpPort = (): Promise<number> => free(holdUdp, holdTcp);
