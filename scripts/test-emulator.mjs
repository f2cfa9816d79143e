/**
 * npm run test:emulator -- <board> [vitest's arguments]: starts the image that `npm run build:esp32 -- <board>` built in Espressif's
 * QEMU and tests it there. Builds nothing.
 */
import { spawnSync } from "node:child_process";
import { checkBuild, chipOf, findEmulator } from "./emulator.mjs";
import { boardOf, imageFolder } from "./moddable.mjs";
import { root, setUp } from "./setup.mjs";

const [board, rest] = boardOf(process.argv.slice(2));
try {
  const folder = imageFolder(board);
  checkBuild(folder, board);
  const program = findEmulator(chipOf(root, board), process.env.PATH ?? "");
  await setUp({ tests: ["test/emulator"] });
  const { status } = spawnSync(
    "node_modules/.bin/vitest",
    ["run", "--config", "test/emulator/vitest.config.mjs", ...rest],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, EMULATOR_BOARD: board, EMULATOR_BUILD: folder, EMULATOR_PROGRAM: program },
    },
  );
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
