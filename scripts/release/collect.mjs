/** Collects the output of `npm run build:esp32` for all boards in build/release. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { boardNames } from "../flash-page.mjs";
import { BOARDS, slotBytes } from "../moddable.mjs";
import { problemsOf } from "../notices/check-linked.mjs";
import { COMPONENTS } from "../notices/components.mjs";
import { packagesOfPage } from "../notices/npm.mjs";
import { root } from "../setup.mjs";
import { partsOf } from "./bill.mjs";
import { writeRelease } from "./images.mjs";

const { MODDABLE = "", IDF_PATH = "" } = process.env;
const outputOf = (board, kind) => `${root}build/moddable/${kind}/esp32/${board}/release/${basename(root)}`;
const read = (path) => readFileSync(root + path, "utf8");
const names = boardNames();
try {
  const problems = BOARDS.flatMap((board) =>
    problemsOf({
      makefile: `${outputOf(board, "tmp")}/makefile`,
      map: `${outputOf(board, "bin")}/xs_esp32.map`,
      sdk: MODDABLE,
      idf: IDF_PATH,
    }),
  );
  if (problems.length) throw new Error([...new Set(problems)].join("\n"));
  writeRelease({
    version: JSON.parse(read("package.json")).version,
    table: read("boards/esp32/partitions.csv"),
    boards: BOARDS.map((board) => ({
      board,
      name: names[board] ?? "",
      chip: JSON.parse(read(`boards/${board}/manifest.json`)).config.chip,
      folder: outputOf(board, "bin"),
      budget: slotBytes(),
    })),
    texts: ["LICENSE", "THIRD-PARTY-NOTICES"].map((name) => root + name),
    parts: [...partsOf(COMPONENTS, read("scripts/ci/versions")), ...(await packagesOfPage())],
    to: `${root}build/release`,
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
