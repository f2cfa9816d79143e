import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { ApiClient } from "../support/system/api-client";
import { FakeExchange } from "../support/http/fake-exchange";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { poweredBoard } from "../support/system/simulated-board";
import { serve } from "../support/http/node-exchange";
import { runProgram } from "../support/run-program";
import {
  lookUp,
  reference,
  validateAt,
  validateResponse,
  type MediaType,
  type ResponseObject,
} from "../support/peers/openapi";
import { NUMERIC_PARAMETERS, BALANCE_ENABLED, BLUETOOTH_NAME, COMMANDS, decimalText } from "./documents";

beforeEach(() => void poweredBoard());

/** What POST does has been done when it is answered; elsewhere it is queued. */
const AT_ONCE = [
  "/api/relay",
  "/api/notifications",
  "/api/time",
  "/api/bms/reference",
  "/api/packs/{address}/reference",
];
const METHODS = ["get", "head", "post", "options"] as const;
const encode = (path: string): string => path.replaceAll("/", "~1");

const operations = Object.entries(reference.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation ? [{ path, method, operation, pointer: `/paths/${encode(path)}/${method}` }] : [];
  }),
);

function examples(pointer: string, { content }: { content?: Record<string, MediaType> }) {
  return Object.entries(content ?? {}).flatMap(([type, { examples }]) =>
    Object.entries(examples).map(([name, { value }]) => ({
      name,
      type,
      value,
      schema: `${pointer}/content/${encode(type)}/schema`,
    })),
  );
}

describe("docs/openapi.yaml", () => {
  it("matches what its script generates from the catalogue", async () => {
    expect(await runProgram("node", ["scripts/openapi.mjs", "--check"])).toMatchObject({ code: 0, output: "" });
  });

  it.each(operations.filter(({ method }) => method !== "options"))(
    "$method $path documents 401, the disabled API and, under /api, safe mode",
    ({ operation, path }) => {
      const statuses = path === "/metrics" ? ["401", "403"] : ["401", "403", "503"];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statuses));
      expect(operation.security).toBeUndefined();
    },
  );

  it.each(operations.filter(({ method }) => method === "options"))("OPTIONS $path needs no token", ({ operation }) => {
    expect(operation.security).toEqual([]);
    expect(Object.keys(operation.responses)).toEqual(["204"]);
  });

  it("lists OPTIONS for every path, and HEAD for every GET", () => {
    for (const [path, item] of Object.entries(reference.paths)) {
      if (path.startsWith("/api")) expect(item, path).toHaveProperty("options");
      if (path !== "/api/{other}") expect("head" in item, path).toBe("get" in item);
    }
  });

  it("has a valid example of every body", () => {
    for (const [name, response] of Object.entries(reference.components.responses)) {
      const found = examples(`/components/responses/${name}`, response);
      if (response.content) expect(found, name).not.toHaveLength(0);
      for (const { value, schema } of found) validateAt(schema, value);
    }
    for (const { operation, pointer } of operations) {
      if (!operation.requestBody) continue;
      for (const { value, schema } of examples(`${pointer}/requestBody`, operation.requestBody))
        validateAt(schema, value);
    }
  });

  it("allows no undescribed member in a response", () => {
    const openObjects = (schema: unknown, at: string): string[] => {
      if (typeof schema !== "object" || schema === null) return [];
      const { type, additionalProperties } = schema as Record<string, unknown>;
      const open = type === "object" && additionalProperties !== false ? [at] : [];
      return [...open, ...Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${at}/${key}`))];
    };
    const requests =
      /^\/(CommandRequest|SettingRequest|RelayForm|RelayRequest|TimeRequest|ReferenceRequest|NotificationTest|Notification)$/;
    expect(openObjects(reference.components.schemas, "").filter((at) => !requests.test(at))).toEqual([]);
  });

  it("describes every command and setting", () => {
    const command = reference.components.schemas["CommandQueued"] as never as {
      properties: { data: { properties: { command: { enum: string[] } } } };
    };
    expect(command.properties.data.properties.command.enum).toEqual(COMMANDS);
    const { description } = (reference.paths["/api/bms/settings"] as never as { post: { description: string } }).post;
    for (const { name, alias } of [...NUMERIC_PARAMETERS, BALANCE_ENABLED, BLUETOOTH_NAME])
      expect(description).toContain(`| \`${name}\` | \`${alias}\` |`);
    for (const { name, min, max, decimals } of NUMERIC_PARAMETERS.filter(
      ({ decimals, name }) => decimals && name !== "capacity_ah",
    ))
      expect(description).toMatch(
        new RegExp(`${name}.*${decimalText(min, decimals)} to ${decimalText(max, decimals)}`),
      );
  });

  it("has request examples that the API accepts", () => {
    for (const { path, operation, pointer } of operations) {
      if (!operation.requestBody) continue;
      for (const { type, value } of examples(pointer, operation.requestBody)) {
        const exchange = new FakeExchange({
          method: "POST",
          path: path.replace("{address}", "1"),
          headers: { authorization: `Bearer ${TOKEN}`, "content-type": type },
          body:
            type === "application/json"
              ? JSON.stringify(value)
              : new URLSearchParams(value as Record<string, string>).toString(),
        });
        new Api(fakeParts()).answer(exchange);
        expect(exchange.status, `${path} ${JSON.stringify(value)}`).toBe(AT_ONCE.includes(path) ? 200 : 202);
      }
    }
  });

  it("has the exact texts of the API's own errors", () => {
    const start = { reason: "panic", restarts: 5, where: "", safe: false };
    const parts = Object.assign(fakeParts(), { start });
    const api = new Api(parts);
    const told = (name: string): unknown[] =>
      examples("", reference.components.responses[name] as ResponseObject).map(({ value }) => value);
    const answer = (method: string, path: string, contentType?: string, body = ""): unknown => {
      const headers = { authorization: `Bearer ${TOKEN}`, ...(contentType && { "content-type": contentType }) };
      const exchange = new FakeExchange({ method, path, headers, body });
      api.answer(exchange);
      return exchange.json;
    };
    const json = "application/json";
    expect(told("NotFound")).toEqual([answer("GET", "/api/nothing")]);
    expect(told("MethodNotAllowed")).toEqual([answer("PUT", "/api")]);
    expect(told("NotJson")).toEqual([answer("POST", "/api/bms/commands")]);
    expect(told("WrongSize")).toEqual([answer("POST", "/api/bms/commands", json)]);
    expect(told("InvalidCommandBody")).toEqual([answer("POST", "/api/bms/commands", json, "{}")]);
    expect(told("InvalidSettingBody")).toEqual([answer("POST", "/api/bms/settings", json, "{}")]);
    expect(told("RelayWrongType")).toEqual([answer("POST", "/api/relay")]);
    expect(told("RelayWrongSize")).toEqual([answer("POST", "/api/relay", json)]);
    expect(told("InvalidRelayCommand")).toEqual([answer("POST", "/api/relay", json, "{}")]);
    expect(told("RelayUpdated")).toEqual([answer("POST", "/api/relay", json, '{"cmd":1}')]);
    parts.relay.switch(false);
    expect(told("TimeSet")).toEqual([answer("POST", "/api/time", json, '{"time":1800014400}')]);
    expect(told("InvalidTimeBody")).toEqual([answer("POST", "/api/time", json, "{}")]);
    const outside = answer("POST", "/api/time", json, '{"time":1735689599}');
    expect(told("TimeRefused")).toEqual([
      outside,
      (parts.setTime = () => false) && answer("POST", "/api/time", json, '{"time":1800014400}'),
    ]);
    parts.settings.update("relay", { mode: 1 });
    const notManual = answer("POST", "/api/relay", json, '{"cmd":1}');
    parts.settings.update("relay", { mode: 0 });
    parts.relay.switch = () => false;
    expect(told("RelayNotManual")).toEqual([notManual, answer("POST", "/api/relay", json, '{"cmd":1}')]);
    parts.monitor.pack.systemLog = undefined;
    const notRead = answer("GET", "/api/bms/log");
    parts.monitor.pack.configurationLoaded = false;
    const notLoaded = answer("GET", "/api/bms/config");
    parts.monitor.pack.online = false;
    const unavailable = [answer("GET", "/api/bms/config"), notLoaded];
    start.safe = true;
    const safe = answer("GET", "/api/bms/config");
    expect(told("SafeMode")).toEqual([safe]);
    expect(told("LogUnavailable")).toEqual([notRead, safe]);
    expect(told("ConfigurationUnavailable")).toEqual([...unavailable, safe]);
    start.safe = false;
    const { access } = parts.settings;
    const [first, ...others] = access.tokens;
    const hash = createHash("sha256").update(TOKEN, "hex").digest("hex");
    parts.settings.access = { ...access, tokens: [{ ...first, hash }, ...others] };
    parts.settings.update("api", { token: "f".repeat(32) });
    const readOnly = answer("POST", "/api/relay");
    parts.settings.update("api", { enabled: false });
    expect(told("Disabled")).toEqual([answer("GET", "/api"), readOnly]);
  });
});

describe("validateResponse", () => {
  const headers = new Headers({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "Content-Type, Authorization",
    "cache-control": "no-store",
    "content-type": "application/json",
  });
  const without = (name: string): Headers => {
    const rest = new Headers(headers);
    rest.delete(name);
    return rest;
  };
  const queue = { bmsOnline: true, configurationLoaded: true, pending: false, lastCommand: "", lastCommandOk: false };
  const path = "/api/bms/commands";

  it("accepts what is documented", () => {
    validateResponse("GET", path, 200, { success: true, data: queue }, headers);
    validateResponse("HEAD", path, 200, undefined, headers);
    validateResponse(
      "DELETE",
      path,
      405,
      { success: false, error: "x" },
      new Headers([...headers, ["allow", "OPTIONS"]]),
    );
    validateResponse("GET", "/api/nothing", 404, { success: false, error: "x" }, headers);
  });

  it.each([
    ["a status that is not documented", "GET", 418, { success: false, error: "x" }, headers],
    ["a status of another method", "GET", 409, { success: false, error: "x", data: { pending: true } }, headers],
    ["a member too many", "GET", 200, { success: true, data: { ...queue, x: 1 } }, headers],
    ["a member too few", "GET", 200, { success: true, data: { ...queue, pending: undefined } }, headers],
    ["another type", "GET", 200, { success: true, data: { ...queue, pending: 0 } }, headers],
    ["no body", "GET", 200, undefined, headers],
    ["a body after HEAD", "HEAD", 200, { success: true, data: queue }, headers],
    ["another Content-Type", "GET", 200, { success: true, data: queue }, without("content-type")],
    ["no CORS field", "GET", 200, { success: true, data: queue }, without("access-control-allow-origin")],
    ["405 without Allow", "DELETE", 405, { success: false, error: "x" }, headers],
  ])("fails for %s", (_, method, status, body, fields) => {
    const json: unknown = body && JSON.parse(JSON.stringify(body));
    expect(() => validateResponse(method, path, status, json, fields)).toThrow(Error);
  });

  it("checks every answer that the test client receives", async () => {
    const { baseUrl, close } = await serve((exchange) => exchange.respond(200, "application/json", () => 0));
    const client = new ApiClient({ baseUrl, token: TOKEN });
    await expect(client.get("/api")).rejects.toThrow();
    client.close();
    await close();
  });

  it("follows references", () => {
    expect(lookUp("/paths/~1api/get/responses/200").pointer).toBe("/components/responses/Summary");
  });
});
