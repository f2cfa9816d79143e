import { beforeEach, describe, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { CountingWriter } from "../support/fakes/counting-writer";
import { fakeParts, TOKEN, type FakeParts } from "../support/fakes/fake-parts";
import { Harness, response } from "../support/http/http-harness";
import type { MemoryClient } from "../support/http/memory-sockets";

/** The server and the API together: what was found out for a client's head holds while its heads repeat, and no longer than it is right. */
let parts: FakeParts;
let rendered: number;
let client: MemoryClient;
beforeEach(() => {
  parts = fakeParts();
  rendered = 0;
  const json = new CountingWriter(() => void rendered++);
  const api = new Api({ ...parts, json });
  client = new Harness({ handler: (exchange) => api.answer(exchange) }).connect();
});

const get = (path: string, token = TOKEN): number =>
  response(client.send(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)).status;

describe("a client that repeats the same request head", () => {
  beforeEach(() => {
    for (let time = 0; time < 4; time++) expect(get("/api")).toBe(200);
  });

  it("is rejected once the token changes", () => {
    parts.settings.update("api", { token: "another-token-of-32-characters-xx" });
    expect(get("/api")).toBe(401);
    expect(get("/api", "another-token-of-32-characters-xx")).toBe(200);
  });

  it("is rejected while the API is disabled", () => {
    parts.settings.update("api", { enabled: false });
    expect([get("/api"), get("/api")]).toEqual([403, 403]);
    parts.settings.update("api", { enabled: true });
    expect(get("/api")).toBe(200);
  });

  it("is admitted to another path, but not with another token", () => {
    expect([get("/api/bms/status"), get("/api/nothing"), get("/api", "x".repeat(TOKEN.length)), get("/api")]).toEqual([
      200, 404, 401, 200,
    ]);
  });
});

it("looks an unknown path up again once the board has that resource", () => {
  parts.settings.update("relay", { fitted: false });
  for (let time = 0; time < 4; time++) expect([get("/api/relay"), get("/api/nothing")]).toEqual([404, 404]);
  for (let time = 0; time < 4; time++) expect(get("/api/relay")).toBe(404);
  parts.settings.update("relay", { fitted: true });
  expect(get("/api/relay")).toBe(405);
});
