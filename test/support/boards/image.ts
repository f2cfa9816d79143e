import { createHash, type KeyObject } from "node:crypto";
import { signImage } from "../../../scripts/image-signing.mjs";

export interface ImageOptions {
  /** Bytes of application data in each of the two segments. */
  size?: number;
  version?: string;
  mark?: string;
  chip?: number;
  /** Private key to sign with. */
  key?: KeyObject;
}

export const MARK = "@jk-bms-monitor/host-sim";

const HEADER = 24;

function segment(data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x3f40_0020, 0);
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data]);
}

/** Appends the checksum byte, padded to 16 bytes, and the SHA-256, as esptool does. */
export function sealed(body: Buffer): Buffer {
  const padded = Buffer.concat([body, Buffer.alloc(16 - (body.length % 16))]);
  return Buffer.concat([padded, createHash("sha256").update(padded).digest()]);
}

/** An application image in ESP-IDF's format (App Image Format, esp_app_desc_t), of two segments; sealed unless `seal` is false. */
export function image(
  { size = 3000, version = "9.9.9", mark = MARK, chip = 0, key }: ImageOptions = {},
  seal = true,
): Buffer {
  const header = Buffer.alloc(HEADER);
  header[0] = 0xe9;
  header[1] = 2;
  header.writeUInt16LE(chip, 12);
  header[23] = 1;
  const description = Buffer.alloc(256);
  description.writeUInt32LE(0xabcd_5432, 0);
  description.write(version, 16, "latin1");
  description.write("xs_esp32", 48, "latin1");
  const filler = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 37 + (index >> 8)) & 255));
  const first = segment(Buffer.concat([description, filler]));
  const second = segment(
    Buffer.concat([filler, Buffer.from(`@jk-${mark}:${version}\0`, "latin1"), filler.subarray(0, 5)]),
  );
  const body = Buffer.concat([header, first, second]);
  if (!seal) return body;
  return key ? signImage(sealed(body), key) : sealed(body);
}
