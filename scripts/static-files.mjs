/** Serves a folder as any web server does, below a path. */
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/**
 * @param {string} folder
 * @param {string} path below the folder
 * @returns {string | undefined} the file; undefined: there is none, or it is elsewhere
 */
export function fileAt(folder, path) {
  let file;
  try {
    file = join(folder, decodeURIComponent(path));
  } catch {
    return undefined;
  }
  if (!`${file}${sep}`.startsWith(join(folder, sep)) || file.includes("\0")) return undefined;
  return [file, join(file, "index.html")].find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
}

/**
 * @param {string} folder
 * @param {{ below?: string, port?: number }} [options] `below`: such as "/a/b", outside of which everything is 404; `port`: default any
 */
export async function serveFolder(folder, { below = "", port = 0 } = {}) {
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const file = pathname.startsWith(`${below}/`) ? fileAt(folder, pathname.slice(below.length)) : undefined;
    response.writeHead(file === undefined ? 404 : 200, {
      "Content-Type": TYPES[extname(file ?? "")] ?? (file === undefined ? "text/plain" : "application/octet-stream"),
      "Cache-Control": "no-cache",
    });
    response.end(file === undefined ? "Not found.\n" : readFileSync(file));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const bound = /** @type {import("node:net").AddressInfo} */ (server.address()).port;
  return {
    url: `http://127.0.0.1:${bound}${below}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}
