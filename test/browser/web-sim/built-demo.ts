import { mkdtempSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDemo } from "../../../web-sim/build.mjs";
import { serveFolder } from "../../../web-sim/serve.mjs";
import { builtPage } from "../../support/web/built-page.ts";

export interface ServedDemo {
  /** Ends with a slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Folders by entry point, of all files that share this process. */
const builds = new Map<string | undefined, Promise<string>>();

async function build(worker: string | undefined): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "demo-"));
  await buildDemo({ out, page: await builtPage(), ...(worker !== undefined && { worker }) });
  return out;
}

/** The demonstration as static files below `path`; `worker`: another entry point of the dedicated worker. */
export async function serveDemo(path: string, worker?: string): Promise<ServedDemo> {
  const built = builds.get(worker) ?? build(worker);
  builds.set(worker, built);
  const server: Server = serveFolder(await built, path);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
