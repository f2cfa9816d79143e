/** The proof that a packed file is the linker's: whatever is taken out of the packing, or changed behind it, must not pass. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pack } from "../../scripts/shrink/heap/pack.mjs";
import { prove } from "../../scripts/shrink/heap/proof.mjs";
import { LINKER, type Pass } from "../../scripts/shrink/passes.mjs";

const INPUT = readFileSync("test/fixtures/shrink/heap.in.c.txt", "utf8");
const OUTPUT = pack(INPUT);

/** A table with all its rows. */
const TABLES = ["gxHeap", "gxStack", "gxSlotData", "gxKeys"];
const table = (text: string, name: string): string =>
  new RegExp(`static const txSlot[*\\w ]* ${name}\\[\\w+\\][ \\w]*= \\{[^]*?\\n\\};`).exec(text)![0];
const references = (text: string, to: string): RegExpExecArray[] => [
  ...text.matchAll(new RegExp(`&${to}\\[(\\d+)\\]`, "g")),
];

/** The packed file with a part changed. */
function changed(part: RegExp, what: string | RegExp, to: string): string {
  const [was] = part.exec(OUTPUT)!;
  const is = was.replace(what, to);
  expect(is).not.toBe(was);
  return OUTPUT.replace(was, () => is);
}

describe("the proof of a packed file", () => {
  it("passes what packing makes", () => {
    expect(() => prove(INPUT, OUTPUT)).not.toThrow();
  });

  it.each(TABLES.flatMap((name) => ["gxHeap", "gxBuilders"].map((to) => [name, to] as const)))(
    "sees any reference in %s to %s that names another",
    (name, to) => {
      const text = table(OUTPUT, name);
      const found = references(text, to);
      const count = Number(
        new RegExp(to === "gxHeap" ? "mxHeapCount (\\d+)" : "gxBuilders\\[(\\d+)\\] =").exec(OUTPUT)![1],
      );
      expect(found.length > 0).toBe(to === "gxHeap" || ["gxHeap", "gxStack"].includes(name));
      for (const { 0: reference, 1: at, index } of found)
        for (let other = 0; other <= count; other++) {
          if (other === Number(at)) continue;
          const broken = `${text.slice(0, index)}&${to}[${other}]${text.slice(index + reference.length)}`;
          expect(
            () =>
              prove(
                INPUT,
                OUTPUT.replace(text, () => broken),
              ),
            `${reference} as ${other}`,
          ).toThrow("not the same");
        }
    },
  );

  it.each([
    ["gxStack", "gxHeap"],
    ["gxStack", "gxBuilders"],
    ["gxSlotData", "gxHeap"],
    ["gxKeys", "gxHeap"],
  ])("sees that %s keeps its old numbers of %s", (name, to) => {
    const numbers = references(table(INPUT, name), to).map(([reference]) => reference);
    const text = table(OUTPUT, name);
    const broken = text.replace(new RegExp(`&${to}\\[\\d+\\]`, "g"), () => numbers.shift()!);
    expect(broken).not.toBe(text);
    expect(() =>
      prove(
        INPUT,
        OUTPUT.replace(text, () => broken),
      ),
    ).toThrow("not the same");
  });

  it.each([
    ["another builder", changed(/^\t\{ fx_Array_prototype_values.*$/m, "values", "keys")],
    ["another module's builder", changed(/^\t\{ xs_rng_get.*$/m, "xs_rng_get", "xs_rng_set")],
    ["another colour", changed(/gxColors[^}]*/, "\t2,", "\t3,")],
    ["another preparation", changed(/gxPreparation[^}]*/, "gxStack", "gxHeap")],
    ["another flag", changed(/^.*"two".*$/m, "0x87", "0x86")],
    ["another text that looks like a reference", changed(/^.*STRING_X.*$/m, "@", "&gxHeap[1]")],
    ["other code", changed(/^.*x01\\x45.*$/m, "\\x01", "\\x02")],
    ["code that lacks its end", changed(/^.*x01\\x45.*$/m, "\\x45", "")],
    ["a wrong number of slots", changed(/^#define mxHeapCount.*$/m, /\d+/, "9")],
    ["a wrong number of builders", changed(/gxBuilders\[\d+\] =/, /\d+/, "9")],
    ["a list that goes on", changed(/^.*XS_HOME.*$/m, "{ NULL", "{ (txSlot*)&gxHeap[3]")],
    ["another array's item", changed(/^.*\(txSlot\*\)1,.*$/m, "(txSlot*)1", "(txSlot*)2")],
    ["another row's place", changed(/^\/\* 0003 \*\/.*$/m, "0003", "0004")],
  ])("sees %s", (_, output) => {
    expect(() => prove(INPUT, output)).toThrow("not the same");
  });

  it("sees two in place of one", () => {
    const row = /^\/\* (\d+) (.*"one", 0x1.*)$/m.exec(OUTPUT)!;
    const last = /^\/\* (\d+) (.*)(?=\n\};)/m.exec(OUTPUT)!;
    const count = Number(last[1]);
    const twice = OUTPUT.replace(last[0], () => `/* 00${count} ${row[2]!}\n/* 00${count + 1} ${last[2]!}`)
      .replace(/^(#define mxHeapCount) .*$/m, `$1 ${count + 2}`)
      .replace(/(gxKeys[^}]*&gxHeap\[)\d+(?=\],\n)/, `$1${count}`);
    expect(() => prove(OUTPUT, twice)).toThrow(/is both \[\d+\] and \[\d+\]/);
  });

  it("sees an ID that no key has", () => {
    const other = OUTPUT.replace(/(?<=\.ID = )xsID_two/, "xsID_too");
    expect(() => prove(other, other)).toThrow("unknown ID, xsID_too");
  });

  it("sees a slot that the engine would take for a property of an object that it is none of", () => {
    expect(() => prove(OUTPUT, OUTPUT)).not.toThrow();
    const other = changed(/gxColors[^}]*/, "\t3,", "\t4,");
    expect(() => prove(other, other)).toThrow(/slot \d+ would be taken for a property of \d+/);
  });
});

describe("the linker with packing", () => {
  /** What a build with these passes gets if the SDK's linker writes `written`. */
  function link(
    written: string,
    passes: readonly Pass[] = ["heap"],
  ): { status: number | null; output: string; file: string | undefined } {
    const folder = mkdtempSync(join(tmpdir(), "linker-"));
    const made = join(folder, "mc.xs.c");
    try {
      writeFileSync(join(folder, "input"), written);
      writeFileSync(join(folder, "xsl"), `#!/bin/sh\ncp ${folder}/input ${made}\n`);
      chmodSync(join(folder, "xsl"), 0o755);
      const { status, stdout, stderr } = spawnSync("xsl", ["-o", folder], {
        encoding: "utf8",
        env: {
          ...process.env,
          PATH: [LINKER, folder, process.env["PATH"]].join(":"),
          SHRINK: passes.join(),
          MODDABLE: folder,
        },
      });
      return { status, output: stdout + stderr, file: existsSync(made) ? readFileSync(made, "utf8") : undefined };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it("writes the packed file", () => {
    expect(link(INPUT)).toEqual({ status: 0, output: "", file: OUTPUT });
  });

  it("writes the linker's without the pass", () => {
    expect(link(INPUT, ["names"])).toEqual({ status: 0, output: "", file: INPUT });
  });

  it("reads the opcodes of its SDK for shorter bytecode", () => {
    const { status, output, file } = link(INPUT, ["code", "heap"]);
    expect([status, file]).toEqual([0, INPUT]);
    expect(output).toContain("xs/sources/xsCommon.h");
  });

  it("leaves a file of unknown form as it is, with a warning", () => {
    const unknown = INPUT.replace("XS_HOME_KIND", "7");
    expect(link(unknown)).toMatchObject({ status: 0, file: unknown });
    expect(link(unknown).output).toContain("### warning: ");
  });

  it("fails, and leaves no file, if the packed file is not proven to be the same", () => {
    // The packing knows no texts: it numbers this one as if it were a reference.
    const { status, output, file } = link(INPUT.replace('"@],', '"&gxHeap[33],'));
    expect([status, file]).toEqual([1, undefined]);
    expect(output).toContain("is not the same when packed: slot 36 was");
  });
});
