import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import KeyValueStorage from "embedded:storage/key-value";
import { StorageFile } from "../../host-sim/storage";
import { poweredBoard } from "../support/system/simulated-board";

const folder = mkdtempSync(join(tmpdir(), "storage-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (mode: "r" | "r+" = "r+"): ReturnType<typeof KeyValueStorage.open> =>
  KeyValueStorage.open({ path: "settings", format: "string", mode });

describe("key-value storage", () => {
  it("keeps texts and buffers, in memory without a file, for the lifetime of the board", () => {
    const board = poweredBoard();
    const texts = open();
    texts.write("name", "Häuschen €");
    expect(texts.read("name")).toBe("Häuschen €");
    expect(texts.read("other")).toBeUndefined();
    const buffers = KeyValueStorage.open({ path: "keys/" });
    expect(buffers.format).toBe("buffer");
    buffers.write("key", Uint8Array.of(1, 2, 255).subarray(1));
    expect([...new Uint8Array(buffers.read("key") as ArrayBuffer)]).toEqual([2, 255]);
    buffers.write("key", new ArrayBuffer(0));
    expect((buffers.read("key") as ArrayBuffer).byteLength).toBe(0);
    expect([...texts]).toEqual(["name"]);
    board.powerOff();
    board.powerOn();
    expect(open().read("name")).toBe("Häuschen €");
  });

  it("throws when the stored value has another format", () => {
    poweredBoard();
    const storage = open();
    storage.write("name", "text");
    storage.format = "buffer";
    expect(() => storage.read("name")).toThrow(TypeError);
    storage.write("name", new Uint8Array(2));
    storage.format = "string";
    expect(() => storage.read("name")).toThrow(TypeError);
    expect(() => storage.write("name", new Uint8Array(1))).toThrow(TypeError);
  });

  it("has the limits of NVS", () => {
    poweredBoard();
    const storage = open();
    storage.write("k".repeat(15), "fits");
    expect(() => storage.write("k".repeat(16), "x")).toThrow("KEY_TOO_LONG");
    expect(() => storage.read("k".repeat(16))).toThrow("KEY_TOO_LONG");
    expect(() => storage.write("", "x")).toThrow("INVALID_NAME");
    // 4,000 bytes with the NUL that ends it.
    storage.write("text", "ä".repeat(1999) + "x");
    expect(() => storage.write("text", "ä".repeat(2000))).toThrow("VALUE_TOO_LONG");
    expect(storage.read("text")).toHaveLength(2000);
    expect(() => KeyValueStorage.open({ path: "d".repeat(16) })).toThrow("KEY_TOO_LONG");
    expect(() => KeyValueStorage.open({ path: "settings", format: "number" as "string" })).toThrow(RangeError);
  });

  it("deletes, and accepts names that JavaScript objects have", () => {
    poweredBoard();
    const storage = open();
    for (const key of ["__proto__", "constructor", "toString"]) {
      expect(storage.read(key)).toBeUndefined();
      storage.write(key, key);
      expect(storage.read(key)).toBe(key);
      storage.delete(key);
      storage.delete(key);
      expect(storage.read(key)).toBeUndefined();
    }
  });

  it("opened for reading requires a store and writes nothing", () => {
    poweredBoard();
    expect(() => open("r")).toThrow("NOT_FOUND");
    open().write("name", "x");
    const storage = open("r");
    expect(storage.read("name")).toBe("x");
    expect(() => storage.write("name", "y")).toThrow("read-only");
    expect(() => storage.delete("name")).toThrow("read-only");
    storage.close();
    expect(() => storage.read("name")).toThrow();
  });
});

describe("storage file", () => {
  it("is there for the next board", () => {
    const file = join(folder, "restart.json");
    const first = poweredBoard({ storage: file });
    open().write("name", "kept");
    open().write("__proto__", "odd");
    first.powerOff();
    poweredBoard({ storage: file });
    expect([open().read("name"), open().read("__proto__")]).toEqual(["kept", "odd"]);
    expect(open().read("constructor")).toBeUndefined();
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  it("that is corrupt is reported, set aside, and counts as empty", () => {
    for (const content of ["", "{", "[]", '{"settings":{"name":{"string":5}}}', '{"settings":7}', "null"]) {
      const file = join(folder, "corrupt.json");
      writeFileSync(file, content);
      const reports: string[] = [];
      const board = poweredBoard({ storage: file, console: (text) => reports.push(text) });
      expect(reports.join("")).toContain("corrupt");
      expect(open().read("name")).toBeUndefined();
      expect(readFileSync(`${file}.corrupt`, "utf8")).toBe(content);
      open().write("name", "new");
      board.powerOff();
      const again: string[] = [];
      poweredBoard({ storage: file, console: (text) => again.push(text) });
      expect([open().read("name"), again.length]).toEqual(["new", 0]);
    }
  });

  it("that cannot be written makes delete throw and keeps the value", () => {
    const gone = mkdtempSync(join(tmpdir(), "gone-"));
    poweredBoard({ storage: join(gone, "settings.json") });
    open().write("token", "kept");
    rmSync(gone, { recursive: true });
    expect(() => open().delete("token")).toThrow();
    expect(open().read("token")).toBe("kept");
  });

  it("that cannot be written makes write throw and keeps the old value", () => {
    const gone = mkdtempSync(join(tmpdir(), "gone-"));
    const board = poweredBoard({ storage: join(gone, "file.json") });
    const storage = open();
    rmSync(gone, { recursive: true });
    expect(() => storage.write("name", "x")).toThrow();
    expect(storage.read("name")).toBeUndefined();
    board.powerOff();
  });

  it("is complete whenever the writer is killed", async () => {
    const program = join(folder, "writer.mjs");
    await build({
      stdin: {
        contents: `import { StorageFile } from "./host-sim/storage";
          const storage = new StorageFile(process.argv[2]);
          storage.load();
          for (let round = 0; ; round++) {
            storage.write("settings", "round", { string: String(round).repeat(500) });
            if (round === 5) process.stdout.write("writing");
          }`,
        resolveDir: ".",
        loader: "ts",
      },
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    for (let kill = 0; kill < 5; kill++) {
      const file = join(folder, `killed-${kill}.json`);
      const writer = spawn(process.execPath, [program, file]);
      await new Promise((resolve) => writer.stdout.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, kill * 3));
      const gone = new Promise((resolve) => writer.once("close", resolve));
      writer.kill("SIGKILL");
      await gone;
      const storage = new StorageFile(file);
      expect(storage.load()).toBeUndefined();
      const value = storage.read("settings", "round") as { string: string };
      const round = value.string.slice(0, value.string.length / 500);
      expect(value.string).toBe(round.repeat(500));
      expect(Number(round)).toBeGreaterThanOrEqual(5);
      expect(existsSync(`${file}.corrupt`)).toBe(false);
    }
  });
});
