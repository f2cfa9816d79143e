import { expect, it } from "vitest";
import { STEP_INTERVAL } from "../../src/web/limits";
import { Hasher, type HashJob } from "../../src/web/hasher";
import { Sha256 } from "../../src/auth/sha256";
import { poweredBoard } from "../support/system/simulated-board";

it("a job whose end throws, for lack of random numbers for instance, ends nothing else", () => {
  const lines: string[] = [];
  const board = poweredBoard({ console: (line) => lines.push(line) });
  const hasher = new Hasher({ makeDigest: () => new Sha256() });
  const keys: string[] = [];
  const job = (who: string, done: HashJob["done"]): HashJob => ({
    password: Uint8Array.of(1),
    salt: Uint8Array.of(2),
    iterations: 1,
    who,
    rank: 0,
    done,
    onDropped: () => undefined,
  });
  hasher.start(
    job("one", () => {
      throw new Error("no memory");
    }),
  );
  hasher.start(job("other", (key) => void keys.push(Buffer.from(key).toString("hex"))));
  board.clock.runFor(2 * STEP_INTERVAL);
  expect([keys.length, hasher.idle, lines]).toEqual([1, true, ["web: Error: no memory\n"]]);
});
