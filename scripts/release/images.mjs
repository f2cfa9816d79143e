/** Creates the files of a release from the builds of the boards. */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { billOf } from "./bill.mjs";

/**
 * Indexed by esp_chip_id_t: the chip's name in ESP Web Tools manifests, and the offset at which the boot ROM expects
 * the boot loader.
 */
const CHIPS = {
  0: { family: "ESP32", bootLoader: 0x1000 },
  5: { family: "ESP32-C3", bootLoader: 0 },
  9: { family: "ESP32-S3", bootLoader: 0 },
};

/** Offset of ESP-IDF's partition table. */
const TABLE = 0x8000;

/** Offsets by partition name. @param {string} table partitions.csv */
export function offsetsOf(table) {
  const rows = [...table.matchAll(/^(\w+),[^,]+,[^,]+, *(0x[0-9a-f]+),/gm)];
  return Object.fromEntries(rows.map(([, name, offset]) => [name, Number(offset)]));
}

/** What is flashed: files of the build. */
export const FILES = ["bootloader.bin", "partition-table.bin", "ota_data_initial.bin", "xs_esp32.bin"];

/** Offsets in flash of `FILES`. @param {number} chip esp_chip_id_t @param {Record<string, number>} offsets of the partitions */
export const placesOf = (chip, offsets) => [CHIPS[chip].bootLoader, TABLE, offsets.otadata, offsets.ota_0];

/** Parts of a board's image: file name in the release, file in the build, offset in flash. */
function partsOf({ board, version, chip, offsets }) {
  const name = `jk-bms-monitor-${version}-${board}`;
  const places = placesOf(chip, offsets);
  // The last one is also used for updates from the web page.
  const parts = ["-bootloader", "-partitions", "-otadata", ""];
  return FILES.map((file, index) => ({ path: `${name}${parts[index]}.bin`, file, offset: places[index] }));
}

/** ESP Web Tools manifest of a board; its dialog asks "Install NAME". */
export function manifestOf({ name, version, chip, parts }) {
  return {
    name: `JK BMS Monitor for ${name}`,
    version,
    new_install_prompt_erase: true,
    // Seconds to wait for Improv, which this firmware does not speak; otherwise 10.
    new_install_improv_wait_time: 0,
    builds: [{ chipFamily: chip.family, parts: parts.map(({ path, offset }) => ({ path, offset })) }],
  };
}

/**
 * Writes the release into an empty folder: the images, each with a bill of materials, one manifest per board, licences and notices, SHA256SUMS.
 * @param {object} release
 * @param {string} release.version
 * @param {{ board: string, name: string, chip: number, folder: string, budget: number }[]} release.boards `name` is for people
 * @param {string} release.table partitions.csv
 * @param {readonly string[]} release.texts files that go with the images
 * @param {readonly { name: string, version: string, licence: string }[]} release.parts of others in each image
 * @param {string} release.to
 * Throws if a build lacks a file or an image exceeds its budget.
 */
export function writeRelease({ version, boards, table, texts, parts: others, to }) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const offsets = offsetsOf(table);
  for (const { board, name, chip: number, folder, budget } of boards) {
    if (!name) throw new Error(`${board} has no name on the page that flashes`);
    const chip = CHIPS[number];
    if (!chip) throw new Error(`${board}: no chip has the number ${number}`);
    const parts = partsOf({ board, version, chip: number, offsets });
    for (const { path, file } of parts) {
      const bytes = readFileSync(join(folder, file));
      if (file === "xs_esp32.bin" && bytes.length > budget)
        throw new Error(`${board}: the image has ${bytes.length} bytes, ${bytes.length - budget} above its budget`);
      writeFileSync(join(to, path), bytes);
      if (file !== "xs_esp32.bin") continue;
      const bill = billOf({ file: path, bytes, version, parts: others });
      writeFileSync(join(to, `${path.slice(0, -4)}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
    }
    const manifest = manifestOf({ name, version, chip, parts });
    writeFileSync(join(to, `manifest-${board}.json`), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  for (const path of texts) cpSync(path, join(to, basename(path)));
  const sums = readdirSync(to)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(to, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(join(to, "SHA256SUMS"), sums.join(""));
}
