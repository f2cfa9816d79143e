/** The page's files: compressed at build time and sent straight from flash. */
import Resource from "Resource";
import type { StaticFile } from "http-server/types";

const INDEX = "index.html";
const ICON = "icon.svg";

/** What web/build.mjs makes besides INDEX, as in manifest.json; each is served at its name. */
export const ASSETS: readonly string[] = Object.freeze([
  "app.css",
  "app.js",
  "en.js",
  "pt.js",
  "control.js",
  "device.js",
  "history.js",
  "touch-icon.png",
  "manifest.webmanifest",
  ICON,
]);

/** Content-Type by the end of the name. */
const TYPES: readonly (readonly [string, string])[] = Object.freeze(
  [
    [".js", "text/javascript; charset=utf-8"],
    [".css", "text/css; charset=utf-8"],
    [".html", "text/html; charset=utf-8"],
    [".svg", "image/svg+xml"],
    [".png", "image/png"],
    [".webmanifest", "application/manifest+json"],
  ],
  true,
);

/** Revalidated on each request: costs a 304 while nothing has changed. */
const REVALIDATED = "no-cache";
/** For requests with the file's own digest in the query: the content under such a URL never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Trailer of a gzip file: CRC-32 and length of the uncompressed data (RFC 1952 section 2.3.1). */
const TRAILER_BYTES = 8;

/** Name of the file at `path`. */
export function findAsset(path: string): string | undefined {
  if (path === "/") return INDEX;
  // Browsers request this path on their own.
  if (path === "/favicon.ico") return ICON;
  return ASSETS.find((name) => path.length === name.length + 1 && path.endsWith(name));
}

/** Undefined if the firmware was built without the page. Created per request: uses no memory at rest. */
export function fileOf(name: string, query: string): StaticFile | undefined {
  const resource = `${name}.gz`;
  if (!Resource.exists(resource)) return undefined;
  const gzip = new Uint8Array(new Resource(resource));
  let digest = "";
  for (let at = Math.max(0, gzip.length - TRAILER_BYTES); at < gzip.length; at++)
    digest += (gzip[at] as number).toString(16).padStart(2, "0");
  const [, type] = TYPES.find(([end]) => name.endsWith(end)) as (typeof TYPES)[number];
  // A page of other firmware may ask with another digest: that must not keep these bytes for ever.
  return { gzip, type, etag: `"${digest}"`, cacheControl: query === digest ? FOR_EVER : REVALIDATED };
}
