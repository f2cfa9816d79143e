/** The flash of a board as `npm run flash` leaves it, with settings of the owner's where a test wants some. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, placesOf } from "../../scripts/release/images.mjs";

/** FLASH_SIZE of the boards that are emulated, 4MB; QEMU takes the size of the chip from that of the file. */
export const FLASH_BYTES = 0x40_0000;

/** Flash is erased to ones. */
const ERASED = 0xff;

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 * 1024 };

export interface Partition {
  readonly offset: number;
  readonly size: number;
}

function bytesOf(text: string): number {
  const [, number = "", unit = ""] = /^(0x[0-9a-f]+|\d+)([KM]?)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  if (number === "" || factor === undefined) throw new Error(`partitions: ${text} is no size`);
  return Number(number) * factor;
}

/** The partitions of boards/esp32/partitions.csv by name. Throws if one ends beyond the flash or overlaps the one before. */
export function partitionsOf(table: string): ReadonlyMap<string, Partition> {
  const partitions = new Map<string, Partition>();
  let end = 0;
  for (const line of table.split("\n")) {
    if (line.startsWith("#") || line.trim() === "") continue;
    const [name = "", , , offset = "", size = ""] = line.split(",").map((field) => field.trim());
    const partition = { offset: bytesOf(offset), size: bytesOf(size) };
    if (partition.offset < end) throw new Error(`partitions: ${name} overlaps the one before`);
    end = partition.offset + partition.size;
    if (end > FLASH_BYTES) throw new Error(`partitions: ${name} ends beyond the flash`);
    partitions.set(name, partition);
  }
  return partitions;
}

function partition(partitions: ReadonlyMap<string, Partition>, name: string): Partition {
  const found = partitions.get(name);
  if (!found) throw new Error(`partitions: there is no ${name}`);
  return found;
}

export interface FlashOptions {
  /** Folder of the build: `FILES`. */
  readonly folder: string;
  /** esp_chip_id_t. */
  readonly chip: number;
  /** boards/esp32/partitions.csv. */
  readonly table: string;
  /** Content of the partition "nvs"; default: erased. */
  readonly nvs?: Uint8Array | undefined;
}

/** The whole flash. Throws if a file of the build is missing or reaches into the next part. */
export function flashImage({ folder, chip, table, nvs }: FlashOptions): Buffer {
  const partitions = partitionsOf(table);
  const offsets = Object.fromEntries([...partitions].map(([name, { offset }]) => [name, offset]));
  const places = placesOf(chip, offsets);
  const flash = Buffer.alloc(FLASH_BYTES, ERASED);
  const limits = [places[1], partition(partitions, "nvs").offset, partition(partitions, "coredump").offset];
  FILES.forEach((file, index) => {
    const bytes = readFileSync(join(folder, file));
    const place = places[index] ?? 0;
    const slot = partition(partitions, "ota_0");
    const limit = limits[index] ?? slot.offset + slot.size;
    if (place + bytes.length > limit)
      throw new Error(`${file} has ${bytes.length} bytes, ${place + bytes.length - limit} too many for its place`);
    bytes.copy(flash, place);
  });
  if (nvs) {
    const { offset, size } = partition(partitions, "nvs");
    if (nvs.length > size) throw new Error(`nvs has ${nvs.length} bytes, its partition ${size}`);
    flash.set(nvs, offset);
  }
  return flash;
}
