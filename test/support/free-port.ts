/**
 * Ports for programs that cannot be told to take any. Between the choice of a port and its use nobody else takes it: it lies below those
 * that systems give out by themselves, and the same number of the other protocol, held as long as this process lives, keeps away who
 * chooses in the same way, in this run and in others.
 */
import { createSocket } from "node:dgram";
import { createServer } from "node:net";

const LOWEST = 20_000;
const COUNT = 10_000;
const HOST = "127.0.0.1";

/** The function ends the hold; undefined: somebody has the port. */
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

/** Of TCP. */
export const freePort = (): Promise<number> => free(holdTcp, holdUdp);

export const freeUdpPort = (): Promise<number> => free(holdUdp, holdTcp);
