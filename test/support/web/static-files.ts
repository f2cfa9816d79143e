/** Serves a folder as any web server does, below a path. */
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

export interface StaticFiles {
  /** Of the folder's index, without the slash at its end. */
  readonly url: string;
  close(): void;
}

/** The file of a path below the folder; undefined: there is none. */
export function fileAt(folder: string, path: string): string | undefined {
  const file = join(folder, decodeURIComponent(path));
  const found = [file, join(file, "index.html")].find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
  return found;
}

/** @param below such as "/a/b": outside of it everything is 404 */
export async function serveFolder(folder: string, below = ""): Promise<StaticFiles> {
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://x");
    const file = pathname.startsWith(`${below}/`) ? fileAt(folder, pathname.slice(below.length)) : undefined;
    if (file === undefined) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${below}`, close: () => void server.close() };
}
