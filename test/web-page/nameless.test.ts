/** Texts as the built page has them, without their names until they arrive, are those of the sources. */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { named, namesOf } from "../../web/named";
import { nameless } from "../../web/nameless.mjs";

const LANGUAGES = ["en", "pt"];
const { plugin, names } = await nameless(LANGUAGES);

/** What the module exports when it is built so. */
async function built(path: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    ...{ entryPoints: [path], absWorkingDir: root, plugins: [plugin], charset: "utf8" },
    ...{ bundle: true, format: "esm", minify: true, write: false },
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return (await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)) as never;
}

/** Texts with parameters as what they say. */
const said = (texts: unknown): unknown =>
  typeof texts === "function"
    ? String((texts as (...values: string[]) => string)("3", "<two>", "<three>", "<four>"))
    : typeof texts === "object" && texts !== null && !Array.isArray(texts)
      ? Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, said(text)]))
      : texts;

it.each(LANGUAGES)("%s: every text has its name again", async (language) => {
  const { [language]: source } = (await import(`../../web/texts/${language}.ts`)) as Record<string, object>;
  const { [language]: values } = await built(`web/texts/${language}.ts`);
  expect(JSON.stringify(values)).not.toContain("otherBuild");
  expect(said(named(namesOf(names), values as readonly unknown[]))).toEqual(said(source));
});

const LATER = readdirSync(`${root}web/texts/later`).filter((name) => !name.includes("rare"));

it.each(LATER)("later/%s: so it is of the texts of all languages", async (file) => {
  const source = (await import(`../../web/texts/later/${basename(file, ".ts")}.ts`)) as object;
  const found = await built(`web/texts/later/${file}`);
  expect(Object.keys(found)).toEqual(Object.keys(source).filter((name) => /^[A-Z]/.test(name)));
  expect(said({ ...found })).toEqual(said({ ...source }));
});
