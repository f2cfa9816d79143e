/** The firmware's web interface with a static file besides its own, as large as the page may be. */
import type { Exchange, StaticFile } from "http-server/types";
import { Web as Firmware } from "../../../src/web/web";

export const FILE_PATH = "/file";
export const FILE_BYTES = 30 * 1024;

/** On the device it is in flash. */
const FILE: StaticFile = Object.freeze({
  gzip: new Uint8Array(FILE_BYTES),
  type: "text/html",
  etag: '"file"',
  cacheControl: "no-cache",
});

export class Web extends Firmware {
  override answer(exchange: Exchange): void {
    if (exchange.path === FILE_PATH) exchange.respondFile(FILE);
    else super.answer(exchange);
  }
}
