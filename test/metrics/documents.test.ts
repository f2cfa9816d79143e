import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import dashboard from "../../docs/grafana-dashboard.json";
import { OF_BANK, OF_PACK, OF_PACK_HOLDS, textOf } from "../../src/metrics/bank-samples";
import { DESCRIPTIONS } from "../../src/metrics/table";
import { headOf, nameOf } from "../../src/metrics/text";

const FAMILIES = [
  ...DESCRIPTIONS.map(({ name, help }) => `${name} ${help}`),
  ...[...OF_BANK].map((place) => textOf(place, "bank_")),
  ...[...OF_PACK, ...OF_PACK_HOLDS].map((place) => textOf(place, "pack_")),
].map((text) => {
  const [, name = "", type = ""] = /\n# TYPE (\S+) (\S+)\n/.exec(headOf(nameOf(text), text)) ?? [];
  return { name, type };
});
const names = FAMILIES.map(({ name }) => name);
const expressions = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
const metricsOf = (expression: string): string[] => expression.match(/\bbms_\w+/g) ?? [];

/** `scraped`: packs that `$address` names. */
function countOf(expression: string, scraped: number): number {
  if (expression.includes("$address")) return scraped;
  return expression.startsWith("bms_pack_") || (expression.includes("(bms_pack_") && !/\b(sum|max)\(/.test(expression))
    ? 2
    : 1;
}

/** The expression of one monitor, with Grafana's variables filled in. */
const filled = (expression: string, packs: string, addresses: string): string =>
  expression
    .replaceAll("$instance", "x")
    .replaceAll("$pack", packs)
    .replaceAll("$address", addresses)
    .replaceAll(/\$__(rate_interval|range)/g, "5m");

const labelsOf = (name: string): string =>
  `instance="x"${/_(alarm|concern)$/.test(name) ? `,${name.split("_").at(-1)}="a"` : ""}`;

/** promtool's test that each expression has so many results where these series grow. */
const countsOf = (series: readonly string[], wanted: readonly { expr: string; count: number }[]): object => ({
  tests: [
    {
      interval: "1m",
      input_series: series.map((name) => ({ series: name, values: "1+1x2000" })),
      promql_expr_test: wanted.map(({ expr, count }) => ({
        expr: `count(${expr})`,
        eval_time: "20m",
        exp_samples: [{ labels: "{}", value: count }],
      })),
    },
  ],
});

/** Has promtool check rules, or run tests of them, and returns what it prints. */
function promtool(word: "check" | "test", contents: object): string {
  const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
  try {
    const file = join(folder, "rules.json");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(contents));
    const { status, stdout, stderr } = spawnSync("promtool", [word, "rules", file], { encoding: "utf8" });
    expect([status, stderr + (status ? stdout : "")]).toEqual([0, ""]);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("docs/metrics.md", () => {
  it("is generated from the tables", () => {
    const { status, stderr } = spawnSync("node", ["scripts/metrics-doc.mjs", "--check"], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("names every metric", () => {
    const text = readFileSync("docs/metrics.md", "utf8");
    for (const name of names) expect(text).toContain(`| \`${name}\``);
  });
});

describe("docs/grafana-dashboard.json", () => {
  it.each(expressions)("$title: $expr uses existing metrics", ({ expr }) => {
    const asked = metricsOf(expr);
    expect(asked).not.toEqual([]);
    for (const name of asked) expect(names).toContain(name);
  });

  it("uses rates for counters and nothing else", () => {
    for (const { expr } of expressions)
      for (const name of metricsOf(expr))
        expect(FAMILIES.find((family) => family.name === name)?.type, expr).toBe(
          /\b(rate|increase)\(/.test(expr) ? "counter" : "gauge",
        );
  });

  it("is valid PromQL according to promtool", () => {
    const rules = expressions.map(({ expr }, index) => ({ record: `rule:${index}`, expr: filled(expr, "x", "x") }));
    expect(promtool("check", { groups: [{ name: "dashboard", rules }] })).toContain(
      `${expressions.length} rules found`,
    );
  });

  it.each([
    ["2|3", 2],
    // All.
    [".*", 3],
  ])("shows every pack that is scraped by a job of its own, as docs/metrics.md has them: %s", (addresses, packs) => {
    // Three packs, the second and the third by jobs with a label.
    const series = [...new Set(expressions.flatMap(({ expr }) => metricsOf(expr)))].flatMap((name) => {
      const labels = labelsOf(name);
      if (name.startsWith("bms_pack_"))
        return ["1", "2", "3"].map((pack) => `${name}{${labels},pack="${pack}",name="Pack ${pack}"}`);
      if (name.startsWith("bms_bank_")) return [`${name}{${labels}}`];
      return ["", ',pack="2"', ',pack="3"'].map((more) => `${name}{${labels}${more}}`);
    });
    const wanted = expressions.map(({ expr }) => ({
      expr: filled(expr, "Pack 2|Pack 3", addresses),
      count: countOf(expr, packs),
    }));
    promtool("test", countsOf(series, wanted));
  });

  it("shows a pack that is alone in every panel but those of packs", () => {
    const series = [...new Set(expressions.flatMap(({ expr }) => metricsOf(expr)))]
      .filter((name) => !/^bms_(pack|bank)_/.test(name))
      .map((name) => `${name}{${labelsOf(name)}}`);
    const wanted = expressions
      .filter(({ title }) => !title.startsWith("Packs:"))
      .map(({ expr }) => ({ expr: filled(expr, ".*", ".*"), count: 1 }));
    promtool("test", countsOf(series, wanted));
  });

  it("asks for cells, wires and model of every pack that is scraped", () => {
    const titles = expressions.filter(({ expr }) => expr.includes("$address")).map(({ title }) => title);
    expect(titles).toEqual(["Cells", "Wire resistances", "Model"]);
  });

  it("has its variables, unique panel ids, and panels that do not overlap", () => {
    expect(dashboard.templating.list.map(({ name, query }) => [name, metricsOf(query.query)])).toEqual([
      ["instance", ["bms_online"]],
      ["pack", ["bms_pack_online"]],
      ["address", ["bms_info"]],
    ]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title } of dashboard.panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x},${y}`), title).toBe(false);
          taken.add(`${x},${y}`);
        }
    }
  });
});
