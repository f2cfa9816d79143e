/** docs/openapi.yaml as a page. */
import { parse } from "yaml";

const METHODS = ["get", "post", "put", "patch", "delete"];
/** Deeper than this a schema is named by its type only. */
const DEPTH = 3;

/** @param {string} text docs/openapi.yaml @returns {string} Markdown */
export function referencePage(text) {
  const document = parse(text);
  const resolve = (item) =>
    item?.$ref
      ? resolve(
          item.$ref
            .slice(2)
            .split("/")
            .reduce((part, name) => part[name], document),
        )
      : item;

  const nameOf = (schema) => /schemas\/(\w+)$/.exec(schema?.$ref ?? "")?.[1];
  const linkTo = (schema) => {
    const name = nameOf(schema);
    return name ? `[${name}](#${name.toLowerCase()})` : cell(typeOf(schema));
  };

  function typeOf(schema) {
    const { type, enum: choices, const: constant, anyOf, oneOf, allOf, items } = resolve(schema) ?? {};
    if (constant !== undefined) return JSON.stringify(constant);
    if (choices) return choices.map((choice) => JSON.stringify(choice)).join(", ");
    if (type === "array") return `array of ${nameOf(items) ?? typeOf(items)}`;
    if (type) return [type].flat().join(" or ");
    const parts = anyOf ?? oneOf ?? allOf ?? [];
    return [...new Set(parts.map((part) => nameOf(part) ?? typeOf(part)))].filter(Boolean).join(" or ") || "any";
  }

  /** The bounds of a number, of a text's length or of a list. */
  function boundsOf(schema) {
    const all = resolve(schema) ?? {};
    const least = all.minimum ?? all.minLength ?? all.minItems;
    const most = all.maximum ?? all.maxLength ?? all.maxItems;
    if (least === undefined && most === undefined) return "";
    return ` (${least ?? ""}…${most ?? ""})`;
  }

  function rowsOf(schema, prefix = "", depth = 1) {
    const { properties = {}, allOf = [], items } = resolve(schema) ?? {};
    if (items && !nameOf(items)) return rowsOf(items, `${prefix}[].`, depth);
    const own = Object.entries(properties).flatMap(([name, part]) => [
      `| \`${prefix}${name}\` | ${linkTo(part)}${boundsOf(part)} | ${cell(resolve(part).description ?? "")} |`,
      ...(nameOf(part) || depth >= DEPTH ? [] : rowsOf(part, `${prefix}${name}.`, depth + 1)),
    ]);
    return [...allOf.flatMap((part) => rowsOf(part, prefix, depth)), ...own];
  }

  const table = (head, rows) =>
    rows.length ? ["", `| ${head.join(" | ")} |`, `|${" --- |".repeat(head.length)}`, ...rows, ""] : [];

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).flatMap((method) => {
      const { summary = "", description = "", parameters = [], requestBody, responses = {} } = item[method];
      const bodies = Object.entries(resolve(requestBody)?.content ?? {});
      return [
        `## ${method.toUpperCase()} ${path}`,
        "",
        open(summary),
        "",
        open(description),
        ...table(
          ["Parameter", "Type", "What"],
          [...(item.parameters ?? []), ...parameters].map(resolve).map(({ name, schema, description: what = "" }) => {
            return `| \`${name}\` | ${linkTo(schema)}${boundsOf(schema)} | ${cell(what)} |`;
          }),
        ),
        ...table(
          ["Request", "Content"],
          bodies.map(([type, { schema }]) => `| \`${type}\` | ${linkTo(schema)} |`),
        ),
        ...table(
          ["Status", "Content", "What"],
          Object.entries(responses).map(([status, response]) => {
            const { description: what = "", content = {} } = resolve(response);
            const kinds = Object.values(content).map(({ schema }) => linkTo(schema));
            return `| ${status} | ${kinds.join(", ")} | ${cell(what)} |`;
          }),
        ),
      ];
    }),
  );

  const schemas = Object.entries(document.components.schemas).flatMap(([name, schema]) => {
    return [
      `### ${name}`,
      "",
      open(schema.description ?? ""),
      "",
      `Type: ${cell(typeOf(schema))}${boundsOf(schema)}`,
      ...table(["Field", "Type", "What"], rowsOf(schema)),
    ];
  });

  return [
    `# ${document.info.title}`,
    "",
    open(document.info.description),
    "",
    ...operations,
    "## Schemas",
    "",
    ...schemas,
  ]
    .join("\n")
    .concat("\n");
}

/** Markdown in a cell of a table. */
const cell = (text) => open(text).replace(/\s+/g, " ").replace(/\|/g, "\\|").trim();

/** No element of Vue or HTML. */
const open = (text) => text.replace(/<(?=[\w/])/g, "&lt;").replace(/\{\{/g, "&#123;&#123;");
