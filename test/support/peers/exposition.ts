/** Strict parser of the Prometheus text format 0.0.4, independent of the firmware: prometheus.io/docs/instrumenting/exposition_formats. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: Sample[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < text.length) {
    const at = LABEL.lastIndex;
    const match = LABEL.exec(text);
    if (!match) throw new SyntaxError(`labels: ${text.slice(at)}`);
    const [, name, value] = match as unknown as [string, string, string];
    if (name in labels) throw new SyntaxError(`label ${name} twice`);
    labels[name] = value.replace(/\\(.)/g, (_, character: string) => (character === "n" ? "\n" : character));
  }
  return labels;
}

/** Throws a SyntaxError for anything malformed or duplicated. */
export function parseExposition(text: string): Map<string, MetricFamily> {
  if (!text.endsWith("\n")) throw new SyntaxError("the last line does not end");
  const families = new Map<string, MetricFamily>();
  const seen = new Set<string>();
  let family: MetricFamily | undefined;
  const lines = text.slice(0, -1).split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.startsWith("#")) {
      const [, name = "", help = ""] = HELP.exec(line) ?? [];
      const [, typed, type = ""] = TYPE.exec(lines[++at] ?? "") ?? [];
      if (!name || name !== typed) throw new SyntaxError(`no HELP and TYPE: ${line}`);
      if (families.has(name)) throw new SyntaxError(`${name} twice`);
      family = { name, help, type, samples: [] };
      families.set(name, family);
      continue;
    }
    const [, name = "", labels = "", value] = SAMPLE.exec(line) ?? [];
    if (!family || name !== family.name) throw new SyntaxError(`no sample of ${family?.name}: ${line}`);
    const key = line.slice(0, line.lastIndexOf(" "));
    if (seen.has(key)) throw new SyntaxError(`twice: ${key}`);
    seen.add(key);
    family.samples.push({ name, labels: labelsOf(labels), value: Number(value) });
  }
  for (const { name, samples } of families.values())
    if (!samples.length) throw new SyntaxError(`${name} has no samples`);
  return families;
}

/** Value of the only sample of `name` with these labels. */
export function sampleOf(
  families: Map<string, MetricFamily>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = families
    .get(name)
    ?.samples.filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
  if (found && found.length > 1) throw new Error(`${name}: more than one sample`);
  return found?.[0]?.value;
}
