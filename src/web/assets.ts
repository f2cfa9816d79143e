/** The page's files: compressed when the firmware was built, and sent from where they lie in flash. */
import Resource from "Resource";
import type { StaticFile } from "http-server/types";

interface Asset {
  readonly path: string;
  readonly name: string;
  readonly type: string;
}

const ICON = "icon.svg.gz";
const SVG = "image/svg+xml";

export const ASSETS: readonly Asset[] = Object.freeze(
  [
    { path: "/", name: "index.html.gz", type: "text/html; charset=utf-8" },
    { path: "/app.js", name: "app.js.gz", type: "text/javascript; charset=utf-8" },
    { path: "/app.css", name: "app.css.gz", type: "text/css; charset=utf-8" },
    { path: "/icon.svg", name: ICON, type: SVG },
    // Browsers ask for it without being told.
    { path: "/favicon.ico", name: ICON, type: SVG },
  ],
  true,
);

/** Asked again each time, which costs 304 while nothing has changed. */
const REVALIDATED = "no-cache";
/** Asked for with its digest in the query: what is under that name never changes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** The end of a gzip file: CRC-32 and length of what is in it, RFC 1952 section 2.3.1. */
const TRAILER_BYTES = 8;

export const findAsset = (path: string): Asset | undefined => ASSETS.find((asset) => asset.path === path);

/** Undefined when no page was built into the firmware. Made anew for each request: at rest it takes no memory. */
export function fileOf({ name, type }: Asset, query: string): StaticFile | undefined {
  if (!Resource.exists(name)) return undefined;
  const gzip = new Uint8Array(new Resource(name));
  let etag = '"';
  for (let at = Math.max(0, gzip.length - TRAILER_BYTES); at < gzip.length; at++)
    etag += (gzip[at] as number).toString(16).padStart(2, "0");
  return { gzip, type, etag: `${etag}"`, cacheControl: query ? FOR_EVER : REVALIDATED };
}
