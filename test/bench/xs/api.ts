/** The firmware's REST interface with a static file beside it, as large as the web interface may be. */
import type { Exchange, StaticFile } from "http-server/types";
import { Api as Firmware, type ApiOptions } from "../../../src/api/api";
import { inheriting } from "../../../src/runtime/inheriting";

export const FILE_PATH = "/file";
export const FILE_BYTES = 30 * 1024;

/** On the device it is in flash. */
const FILE: StaticFile = Object.freeze({
  gzip: new Uint8Array(FILE_BYTES),
  type: "text/html",
  etag: '"file"',
  cacheControl: "no-cache",
});

export class Api extends Firmware {
  constructor(options: ApiOptions) {
    super(
      inheriting(options, {
        next(exchange: Exchange) {
          if (exchange.path === FILE_PATH) exchange.respondFile(FILE);
          else options.next?.(exchange);
        },
      }),
    );
  }
}
