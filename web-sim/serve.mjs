/** Static files below a path. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const TYPES = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
};

/** @returns {import("node:http").Server} of the files in `folder`, each below `path`, which begins and ends with a slash */
export function serveFolder(folder, path = "/") {
  return createServer(({ url = "" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const name = pathname.startsWith(path) ? pathname.slice(path.length) || "index.html" : "";
    const type = TYPES[name.split(".").pop() ?? ""];
    let content;
    try {
      // No folders: nothing outside of this one has such a name.
      if (type && !name.includes("/")) content = readFileSync(join(folder, name));
    } catch {
      // Not there.
    }
    response.writeHead(content ? 200 : 404, {
      "Content-Type": content ? type : "text/plain",
      "Cache-Control": "no-cache",
    });
    response.end(content ?? "Not found.\n");
  });
}
