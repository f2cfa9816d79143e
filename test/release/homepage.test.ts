import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import product from "../../package.json";
import { Repository } from "../../scripts/docs/checks.mjs";
import { addressOf, homepageOf, withAddress } from "../../scripts/homepage.mjs";

const address = "https://github.com/some-body/monitor.js";

it.each([
  "https://github.com/some-body/monitor.js.git",
  "https://github.com/some-body/monitor.js",
  "https://token@github.com/some-body/monitor.js.git",
  "git@github.com:some-body/monitor.js.git",
  "ssh://git@github.com/some-body/monitor.js.git\n",
])("the address of %s", (remote) => expect(addressOf(remote)).toBe(address));

it.each(["https://example.org/some-body/monitor.git", "/home/me/monitor", "https://github.com/monitor", ""])(
  "%j has none",
  (remote) => expect(addressOf(remote)).toBe(undefined),
);

it("is in package.json, in all places that npm has for it", () => {
  const published = withAddress({ name: "monitor" }, address);
  expect(published).toEqual({
    name: "monitor",
    repository: { type: "git", url: "git+https://github.com/some-body/monitor.js.git" },
    homepage: address,
    bugs: "https://github.com/some-body/monitor.js/issues",
  });
  expect(homepageOf(published)).toBe(address);
  expect(homepageOf({})).toBe(undefined);
});

it("no file has an address of a project that does not exist", () => {
  const own = new RegExp(`github\\.com/(?:${["OWNER", "owner", "USER", "<[^>]+>"].join("|")})/`);
  const repository = Repository.here();
  const paths = repository.paths("").filter((path) => !path.startsWith("test/") && path !== "package-lock.json");
  expect(paths.filter((path) => own.test(repository.files.get(path)))).toEqual([]);
  // Set by `npm run release` together.
  const { repository: source, homepage, bugs } = product as Partial<ReturnType<typeof withAddress>>;
  if (homepage) expect({ repository: source, homepage, bugs }).toEqual(withAddress({}, homepage));
  else expect([source, bugs]).toEqual([undefined, undefined]);
  expect(readFileSync("README.md", "utf8")).toContain("](../../releases)");
});
