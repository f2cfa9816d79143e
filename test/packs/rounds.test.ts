/** What is done once a round is done once in each, whichever pack is silent. */
import { describe, expect, it } from "vitest";
import { Rounds } from "../../src/packs/rounds";

/** Of rounds in which these packs reply, one after the other: how many begin, and the most rounds between two of them. */
function begun(rounds: readonly (readonly number[])[]): { begun: number; longest: number } {
  const counted = new Rounds();
  let begun = 0;
  let longest = 0;
  let last = 0;
  rounds.forEach((packs, at) => {
    for (const index of packs) {
      if (!counted.beginsWith({ index })) continue;
      begun++;
      longest = Math.max(longest, at - last);
      last = at;
    }
  });
  return { begun, longest: Math.max(longest, rounds.length - 1 - last) };
}

const ROUNDS = 100;
const roundsOf = (count: number, replies: (index: number, round: number) => boolean): number[][] =>
  Array.from({ length: ROUNDS }, (_, round) =>
    Array.from({ length: count }, (_, index) => index).filter((index) => replies(index, round)),
  );

it.each([1, 2, 4, 16])("of %i packs that all answer each round counts once", (count) => {
  expect(begun(roundsOf(count, () => true))).toEqual({ begun: ROUNDS, longest: 1 });
});

describe.each([0, 2, 3])("of four packs number %i", (silent) => {
  it("falls silent: no round is left out", () => {
    expect(begun(roundsOf(4, (index, round) => index !== silent || round < 50))).toEqual({ begun: ROUNDS, longest: 1 });
  });

  it("answers now and then: each round counts once all the same", () => {
    const { begun: counted, longest } = begun(roundsOf(4, (index, round) => index !== silent || round % 3 > 0));
    expect(longest).toBe(1);
    expect(counted).toBe(ROUNDS);
  });
});
