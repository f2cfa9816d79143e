/**
 * An NVS partition as ESP-IDF writes it (components/nvs_flash, "Internals" of its README): one page with a namespace and its texts, so
 * that a device starts with an owner's settings.
 */

const PAGE_BYTES = 4096;
const ENTRY_BYTES = 32;
const ENTRIES = 126;
const BITMAP = 32;
const FIRST_ENTRY = 64;
const KEY_BYTES = 15;

const ACTIVE = 0xffff_fffe;
/** The version of the format that has blobs in several parts, inverted as flash wants it. */
const VERSION_2 = 0xfe;
const WRITTEN = 2;

const U8 = 0x01;
const TEXT = 0x21;
/** Not part of a blob. */
const NO_CHUNK = 0xff;

/** esp_rom_crc32_le(0xffffffff, …): CRC-32 as of zlib, but started from 0. */
export function crc32(...parts: readonly Uint8Array[]): number {
  let crc = 0;
  for (const part of parts)
    for (const byte of part) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
    }
  return ~crc >>> 0;
}

function entry(namespace: number, type: number, span: number, key: string, data: Uint8Array): Buffer {
  if (key.length === 0 || key.length > KEY_BYTES) throw new Error(`NVS: "${key}" has not 1 to ${KEY_BYTES} characters`);
  const bytes = Buffer.alloc(ENTRY_BYTES, 0xff);
  bytes.set([namespace, type, span, NO_CHUNK]);
  bytes.fill(0, 8, 24).write(key, 8, "latin1");
  bytes.set(data, 24);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 4), bytes.subarray(8)), 4);
  return bytes;
}

function textEntries(namespace: number, key: string, text: string): Buffer[] {
  const bytes = Buffer.from(`${text}\0`, "utf8");
  const span = 1 + Math.ceil(bytes.length / ENTRY_BYTES);
  const header = Buffer.alloc(8, 0xff);
  header.writeUInt16LE(bytes.length, 0);
  header.writeUInt32LE(crc32(bytes), 4);
  const padded = Buffer.alloc((span - 1) * ENTRY_BYTES, 0xff);
  bytes.copy(padded);
  return [entry(namespace, TEXT, span, key, header), padded];
}

/**
 * @param texts by key
 * Throws if they do not fit one page.
 */
export function nvsImage(namespace: string, texts: Readonly<Record<string, string>>, size: number): Buffer {
  const entries = Buffer.concat([
    entry(0, U8, 1, namespace, Uint8Array.of(1)),
    ...Object.entries(texts).flatMap(([key, text]) => textEntries(1, key, text)),
  ]);
  const count = entries.length / ENTRY_BYTES;
  if (count > ENTRIES) throw new Error(`NVS: ${count} entries, a page has ${ENTRIES}`);
  const image = Buffer.alloc(size, 0xff);
  image.writeUInt32LE(ACTIVE, 0);
  image.writeUInt32LE(0, 4);
  image[8] = VERSION_2;
  image.writeUInt32LE(crc32(image.subarray(4, 28)), 28);
  for (let index = 0; index < count; index++) {
    const byte = BITMAP + (index >> 2);
    const shift = (index & 3) * 2;
    image[byte] = (image[byte] ?? 0) & (~(3 << shift) | (WRITTEN << shift));
  }
  if (PAGE_BYTES > size) throw new Error(`NVS: ${size} bytes are less than a page`);
  entries.copy(image, FIRST_ENTRY);
  return image;
}
