/**
 * npm run test:emulator -- <board> [--once] [vitest's arguments]: starts the image that `npm run build:esp32 -- <board>` built in an emulator of
 * its chip and tests it there. Builds nothing. Says all that is missing. `--once`: only starts it, and where no emulator can, says so in a line
 * and succeeds.
 */
import { spawnSync } from "node:child_process";
import { chipOf, findEmulator, missingFor, unstartable } from "./emulator.mjs";
import { boardOf, imageFolder } from "./moddable.mjs";
import { root, setUp } from "./setup.mjs";

const ONCE = "--once";
const [board, words] = boardOf(process.argv.slice(2));
const once = words.includes(ONCE);
const rest = once ? ["test/emulator/start"] : words;
const { env } = process;
try {
  const folder = imageFolder(board);
  const chip = chipOf(root, board);
  const program = findEmulator(chip, env);
  const reason = program ? unstartable(root, board, env.FLASH_MODE) : "no emulator of its chip is installed";
  const missing = missingFor(board, chip, folder, env);
  if (once && reason) console.log(`${board}: not started before it is published: ${reason}`);
  else if (missing.length)
    throw new Error([`${board}'s image cannot be started (docs/building.md):`, ...missing].join("\n- "));
  else {
    await setUp({ tests: ["test/emulator"] });
    const { status } = spawnSync(
      "node_modules/.bin/vitest",
      ["run", "--config", "test/emulator/vitest.config.mjs", ...rest],
      {
        cwd: root,
        stdio: "inherit",
        env: { ...env, EMULATOR_BOARD: board, EMULATOR_BUILD: folder, EMULATOR_PROGRAM: program },
      },
    );
    process.exitCode = status ?? 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
