import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import product from "../../package.json";
import { BOARDS } from "../../scripts/moddable.mjs";

interface Manifest {
  include?: string[];
  config?: Record<string, unknown>;
  modules?: Record<string, string | string[]>;
  preload?: string[];
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest;

/** The manifest and those of this repository that it includes. */
function withIncluded(path: string): [path: string, Manifest][] {
  const manifest = readManifest(path);
  const own = (manifest.include ?? []).filter((included) => included.startsWith("."));
  return [[path, manifest], ...own.flatMap((included) => withIncluded(normalize(join(dirname(path), included))))];
}

const TLS = "modules/tls-socket/";

describe("manifest.json", () => {
  const { modules, preload, config = {} } = readManifest("manifest.json");

  it("has the firmware in flash, and main separately", () => {
    expect(modules).toEqual({ "*": "./build/device/main", firmware: "./build/device/firmware" });
    expect(preload).toEqual(["firmware"]);
  });

  it("has the product's name; its version comes from package.json, as an argument of mcconfig", () => {
    expect(config).toMatchObject({ softwareName: product.name });
    expect(config).not.toHaveProperty("version");
    expect(readFileSync("linux/linux-board.js", "utf8")).toContain(`softwareName: "${product.name}"`);
  });
});

it.each(BOARDS)("boards/%s marks its image; the version comes from package.json", (board) => {
  const { config = {} } = readManifest(`boards/${board}/manifest.json`);
  expect(config["image"]).toBe(`@${product.name}/${board}`);
});

describe("modules/tls-socket/manifest.json", () => {
  const { modules: names = {}, preload: preloaded = [] } = readManifest(`${TLS}manifest.json`);

  it("preloads every module, by its exact name", () => {
    expect([...preloaded].sort()).toEqual(
      Object.keys(names)
        .filter((name) => name !== "*")
        .sort(),
    );
  });

  it("is on every board", () => {
    const boards = readdirSync("boards").filter((board) => board !== "esp32");
    const withTls = boards.filter((board) =>
      withIncluded(`boards/${board}/manifest.json`).some(([path]) => path === `${TLS}manifest.json`),
    );
    expect(withTls).toEqual(boards);
  });
});

describe.each(["linux", "boards/esp32", "boards/esp32/ethernet"])("%s/manifest.json", (folder) => {
  const { modules = {}, preload = [] } = readManifest(`${folder}/manifest.json`);

  it("names existing files", () => {
    const own = Object.entries(modules)
      .filter(([name]) => name !== "~")
      .flatMap(([, places]) => places)
      .filter((place) => place.startsWith("."));
    for (const place of own)
      expect([".js", ".c", ".h", ".d.ts"].some((kind) => existsSync(join(folder, place + kind)))).toBe(true);
  });

  it("preloads by exact names", () => {
    expect(preload.filter((name) => name.includes("*"))).toEqual([]);
  });
});
