import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

/** The parts of docs/openapi.yaml in use here. */
export interface MediaType {
  schema: object;
  examples: Record<string, { value: unknown }>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  security?: object[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, object>;
}

export interface Reference {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, ResponseObject>; schemas: Record<string, object> };
}

const ID = "openapi";

// The parser's default alias limit is meant for hostile documents.
export const reference = parse(readFileSync(new URL("../../../docs/openapi.yaml", import.meta.url), "utf8"), {
  maxAliasCount: -1,
}) as Reference;

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
addFormats(ajv);
// The document around the schemas has OpenAPI keywords that are not JSON Schema.
ajv.addVocabulary(["openapi", "info", "servers", "security", "tags", "paths", "webhooks", "components"]);
ajv.addSchema(reference, ID);

const validators = new Map<string, ValidateFunction>();

/** Throws when `value` does not conform to the schema at `pointer` (JSON pointer into the reference). */
export function validateAt(pointer: string, value: unknown): void {
  let validator = validators.get(pointer);
  if (!validator) validators.set(pointer, (validator = ajv.compile({ $ref: `${ID}#${pointer}` })));
  if (!validator(value)) throw new Error(`not as documented: ${ajv.errorsText(validator.errors)}`);
}

const escapePointer = (token: string): string => encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));

/** Resolves `pointer` and its references: the object and its final location. */
export function lookUp(pointer: string): { pointer: string; object: unknown } {
  let object: unknown = reference;
  for (const token of pointer.split("/").slice(1))
    object = (object as Record<string, unknown> | undefined)?.[
      decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  const target = (object as { $ref?: string } | undefined)?.$ref;
  return target ? lookUp(target.slice(1)) : { pointer, object };
}

/** Unlisted paths and methods are documented once, under this path. */
const OTHER = "/api/{other}";

/** Paths with an address: also one that no pack has. */
const OF_A_PACK = /^\/api\/packs\/[^/]*\//;

/**
 * Where the reference documents the response: under its path and method if listed, otherwise under the path for all others. A path that
 * some boards lack documents its own 404.
 */
function documented(method: string, given: string, status: number): { pointer: string; object: unknown } {
  const path = given.replace(OF_A_PACK, "/api/packs/{address}/");
  const name = method.toLowerCase();
  const listed = Object.hasOwn(reference.paths, path) && name in (reference.paths[path] ?? {});
  const known: readonly [string, string] = listed ? [path, name] : [OTHER, name === "options" ? "options" : "get"];
  return lookUp(`/paths/${escapePointer(known[0])}/${known[1]}/responses/${status}`);
}

export interface ResponseHeaders {
  get(name: string): string | null;
}

/** Throws unless the reference documents this response to the request, with this body and these header fields. */
export function validateResponse(
  method: string,
  path: string,
  status: number,
  body: unknown,
  headers: ResponseHeaders,
): void {
  const { pointer, object } = documented(method, path, status);
  if (!object) throw new Error(`${method} ${path} is not documented to answer ${status}`);
  const response = object as ResponseObject;
  for (const name of Object.keys(response.headers ?? {})) {
    const header = lookUp(`${pointer}/headers/${escapePointer(name)}`);
    const value = headers.get(name);
    if (value !== null) validateAt(`${header.pointer}/schema`, value);
    else if ((header.object as { required?: boolean }).required) throw new Error(`header ${name} is missing`);
  }
  const json = response.content?.["application/json"];
  if (!json || method === "HEAD") {
    if (body !== undefined) throw new Error(`${method} ${path} answers ${status} with a body`);
    return;
  }
  if (headers.get("content-type") !== "application/json") throw new Error("Content-Type is not application/json");
  validateAt(`${pointer}/content/application~1json/schema`, body);
}
