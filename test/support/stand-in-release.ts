/** A release as the build makes it, with texts in place of images. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOARDS } from "../../scripts/moddable.mjs";
import { boardNames } from "../../scripts/flash-page.mjs";
import { writeRelease } from "../../scripts/release/images.mjs";

/** @returns its folder */
export function standInRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const boards = BOARDS.map((board) => {
    const build = join(folder, "build", board);
    mkdirSync(build, { recursive: true });
    for (const name of ["bootloader.bin", "partition-table.bin", "ota_data_initial.bin", "xs_esp32.bin"])
      writeFileSync(join(build, name), `${board} ${name}`);
    const { config } = JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as {
      config: { chip: number };
    };
    return { board, name: boardNames()[board] ?? "", chip: config.chip, folder: build, budget: 1_000 };
  });
  const to = join(folder, "release");
  const table = readFileSync("boards/esp32/partitions.csv", "utf8");
  writeRelease({ version: "1.2.3", boards, table, texts: ["LICENSE", "THIRD-PARTY-NOTICES"], parts: [], to });
  return to;
}
