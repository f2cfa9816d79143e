/** The page's files: compressed at build time and sent straight from flash. */
import Resource from "Resource";
import type { StaticFile } from "http-server/types";

interface Asset {
  readonly path: string;
  readonly name: string;
  readonly type: string;
}

const INDEX = "index.html.gz";
const ICON = "icon.svg.gz";
const SVG = "image/svg+xml";

export const ASSETS: readonly Asset[] = Object.freeze(
  [
    { path: "/", name: INDEX, type: "text/html; charset=utf-8" },
    { path: "/app.js", name: "app.js.gz", type: "text/javascript; charset=utf-8" },
    { path: "/app.css", name: "app.css.gz", type: "text/css; charset=utf-8" },
    { path: "/icon.svg", name: ICON, type: SVG },
    // Browsers request this path on their own.
    { path: "/favicon.ico", name: ICON, type: SVG },
  ],
  true,
);

/** Revalidated on each request: costs a 304 while nothing has changed. */
const REVALIDATED = "no-cache";
/** For requests with the file's digest in the query: the content under such a URL never changes. Nothing requests INDEX with one. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** Trailer of a gzip file: CRC-32 and length of the uncompressed data (RFC 1952 section 2.3.1). */
const TRAILER_BYTES = 8;

export const findAsset = (path: string): Asset | undefined => ASSETS.find((asset) => asset.path === path);

/** Undefined if the firmware was built without the page. Created per request: uses no memory at rest. */
export function fileOf({ name, type }: Asset, query: string): StaticFile | undefined {
  if (!Resource.exists(name)) return undefined;
  const gzip = new Uint8Array(new Resource(name));
  let etag = '"';
  for (let at = Math.max(0, gzip.length - TRAILER_BYTES); at < gzip.length; at++)
    etag += (gzip[at] as number).toString(16).padStart(2, "0");
  return { gzip, type, etag: `${etag}"`, cacheControl: query && name !== INDEX ? FOR_EVER : REVALIDATED };
}
