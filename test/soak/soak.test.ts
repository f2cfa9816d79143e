/** The logic of `npm run soak`, and one case of each of its parts. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { Random } from "../fuzz/random";
import { STATES } from "../suites/states";
import { casesOf, pairOf, shuffled, type Case } from "./cases";
import { HELP, parseOptions, PARTS } from "./options";
import { soak } from "./soak";

const options = parseOptions([]);
const state = (name: string): (typeof STATES)[string] => STATES[name]!;

it("runs by itself, without vitest", () => {
  const { status, stdout, stderr } = spawnSync("node", ["scripts/soak.mjs", "--help"], { cwd: root, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("vitest")]);
  expect(stdout).toContain(HELP);
});

it("has a default for every option, and refuses what it does not know", () => {
  expect(options).toEqual({ parts: PARTS, only: "", seed: 1, minutes: Infinity, hours: 24 });
  expect(parseOptions("--part pairs --part writes --only writes --seed 7 --minutes 30 --hours 2".split(" "))).toEqual({
    parts: ["pairs", "writes"],
    only: "writes",
    seed: 7,
    minutes: 30,
    hours: 2,
  });
  for (const words of ["--part tea", "--seed 0", "--minutes 1.5", "--hours 0", "--engine xs", "more"])
    expect(() => parseOptions(words.split(" ")), words).toThrow();
});

it("a seed gives the same order again, another seed another", () => {
  const names = (seed: number): string[] => casesOf("pairs", { seed, hours: 1 }).map(({ name }) => name);
  expect(names(3)).toEqual(names(3));
  expect(names(4)).not.toEqual(names(3));
  expect(new Set(names(4))).toEqual(new Set(names(3)));
  expect(shuffled([1, 2, 3], new Random(1)).sort()).toEqual([1, 2, 3]);
});

it("a pair has both states' troubles and what either lacks; contradictory ones are none", () => {
  expect(pairOf(state("no cable"), state("a full storage"))).toEqual({
    network: "ethernet",
    troubles: ["no-link", "storage-full"],
    lacks: { services: "there is no network" },
  });
  expect(pairOf(state("no cable"), state("no Wi-Fi in range"))).toBeUndefined();
  expect(pairOf(state("no cable"), state("a cable that comes after 60 s"))).toBeUndefined();
  const count = casesOf("pairs", options).length;
  expect(count).toBeGreaterThan(200);
});

const made = (outcomes: readonly string[]): Case[] =>
  outcomes.map((outcome) => ({
    name: outcome,
    run: () => (outcome === "bad" ? Promise.reject(new Error("it broke")) : Promise.resolve()),
  }));

it("goes on after a failure, and reports it", async () => {
  const said: string[] = [];
  const outcome = await soak("pairs", options, (text) => said.push(text), made(["good", "bad", "good"]));
  expect(outcome).toEqual({ part: "pairs", passed: 2, left: 0, failed: [["bad", "it broke"]] });
  expect(said).toEqual(["FAIL bad: it broke"]);
});

it("runs only the cases that are asked for", async () => {
  const outcome = await soak("pairs", { ...options, only: "goo" }, () => undefined, made(["good", "bad", "good"]));
  expect(outcome).toEqual({ part: "pairs", passed: 2, left: 0, failed: [] });
});

it("starts no further case when the time is over", async () => {
  const outcome = await soak("pairs", { ...options, minutes: 0 }, () => undefined, made(["good", "good", "bad"]));
  expect(outcome).toEqual({ part: "pairs", passed: 1, left: 2, failed: [] });
});

it.each(["pairs", "allocations", "writes"] as const)("%s: a case passes", async (part) => {
  const [first] = casesOf(part, options);
  expect(await soak(part, options, () => undefined, [first!])).toMatchObject({ passed: 1, failed: [] });
});

it("conditions: minutes pass", async () => {
  expect(await soak("conditions", { ...options, hours: 0.1, only: "hours" }, () => undefined)).toMatchObject({
    passed: 1,
    failed: [],
  });
});

it("hours: an hour passes", async () => {
  expect(await soak("hours", { ...options, hours: 1 }, () => undefined)).toMatchObject({ passed: 1, failed: [] });
});
