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
    const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
    try {
      const file = join(folder, "rules.json");
      const rules = expressions.map(({ expr }, index) => ({
        record: `rule:${index}`,
        expr: expr.replaceAll(/\$(instance|pack|address)/g, "x").replaceAll(/\$__(rate_interval|range)/g, "5m"),
      }));
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
      const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`${expressions.length} rules found`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ["2|3", 2],
    // All.
    [".*", 3],
  ])("shows every pack that is scraped by a job of its own, as docs/metrics.md has them: %s", (addresses, packs) => {
    const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
    try {
      // Three packs, the second and the third by jobs with a label.
      const series = [...new Set(expressions.flatMap(({ expr }) => metricsOf(expr)))].flatMap((name) => {
        const labels = `instance="x"${/_(alarm|concern)$/.test(name) ? `,${name.split("_").at(-1)}="a"` : ""}`;
        if (name.startsWith("bms_pack_"))
          return ["1", "2", "3"].map((pack) => `${name}{${labels},pack="${pack}",name="Pack ${pack}"}`);
        if (name.startsWith("bms_bank_")) return [`${name}{${labels}}`];
        return ["", ',pack="2"', ',pack="3"'].map((more) => `${name}{${labels}${more}}`);
      });
      const tests = expressions.map(({ expr }) => ({
        expr: `count(${expr
          .replaceAll("$instance", "x")
          .replaceAll("$pack", "Pack 2|Pack 3")
          .replaceAll("$address", addresses)
          .replaceAll(/\$__(rate_interval|range)/g, "5m")})`,
        eval_time: "20m",
        exp_samples: [
          {
            labels: "{}",
            value: countOf(expr, packs),
          },
        ],
      }));
      const file = join(folder, "test.json");
      const input = series.map((name) => ({ series: name, values: "1+1x2000" }));
      writeFileSync(
        file,
        JSON.stringify({ tests: [{ interval: "1m", input_series: input, promql_expr_test: tests }] }),
      );
      const { status, stderr, stdout } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
      expect([status, stderr + (status ? stdout : "")]).toEqual([0, ""]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("shows a pack that is alone in every panel but those of packs", () => {
    const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
    try {
      const series = [...new Set(expressions.flatMap(({ expr }) => metricsOf(expr)))]
        .filter((name) => !/^bms_(pack|bank)_/.test(name))
        .map(
          (name) => `${name}{instance="x"${/_(alarm|concern)$/.test(name) ? `,${name.split("_").at(-1)}="a"` : ""}}`,
        );
      const tests = expressions
        .filter(({ title }) => !title.startsWith("Packs:"))
        .map(({ expr }) => ({
          expr: `count(${expr
            .replaceAll("$instance", "x")
            .replaceAll(/\$(pack|address)/g, ".*")
            .replaceAll(/\$__(rate_interval|range)/g, "5m")})`,
          eval_time: "20m",
          exp_samples: [{ labels: "{}", value: 1 }],
        }));
      const file = join(folder, "test.json");
      const input = series.map((name) => ({ series: name, values: "1+1x2000" }));
      writeFileSync(
        file,
        JSON.stringify({ tests: [{ interval: "1m", input_series: input, promql_expr_test: tests }] }),
      );
      const { status, stderr, stdout } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
      expect([status, stderr + (status ? stdout : "")]).toEqual([0, ""]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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
