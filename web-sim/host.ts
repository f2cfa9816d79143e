import BUILD from "web-sim:build";
import RESOURCES from "web-sim:resources";
import type { Host } from "../host-sim/host-types";
import { IPV4 } from "../host-sim/network/ipv4";
import { files } from "./files";
import { Sha256 } from "./sha256";
import { createServer, soon } from "./sockets";

/** The board in a browser's worker. */
export const host: Host = {
  files,
  build: () => BUILD,
  print: () => undefined,
  soon,
  sha256: (text) => new Sha256().update(new TextEncoder().encode(text)).digest(),
  resource: (path) => RESOURCES[path],
  isIP: (address) => IPV4.test(address),
  lookup: (_name, done) => soon(() => done(undefined)),
  connect() {
    throw new Error("a browser opens no TCP connections");
  },
  createServer,
};
