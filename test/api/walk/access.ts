import { describe, expect, it } from "vitest";
import { UNAUTHORIZED } from "../documents";
import { GETS, type Walk } from "./system";

const RELAY = ["/api/relay", "POST, OPTIONS", ["GET", "HEAD", "PUT", "DELETE", "PATCH"]] as const;

/** OPTIONS, the API switched off, the token, unknown paths and methods. */
export function walkAccess(walk: Walk): void {
  const preflighted = [...new Set([...GETS, ...walk.posts]), "/api/", "/api/anything", "/api/bms/status/deeper"];

  describe("OPTIONS", () => {
    walk.each(preflighted)("a preflight is 204 with the CORS fields, without a token", async (path) => {
      const { status, text, headers } = await walk.client.send({ method: "OPTIONS", path, authorization: null });
      expect([status, text]).toEqual([204, ""]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toBe("GET, POST, OPTIONS");
      expect(headers.get("access-control-allow-headers")).toBe("Content-Type, Authorization");
    });
  });

  describe("the API while disabled", () => {
    it("is 403 for every path and method but OPTIONS, whatever the token", async () => {
      await walk.system.configure("api", { enabled: false });
      for (const path of [...GETS, "/api/nothing"])
        for (const authorization of [undefined, null]) {
          const { status, json } = await walk.client.send({ path, ...(authorization === null && { authorization }) });
          expect([status, json]).toEqual([403, { success: false, error: "API disabled." }]);
        }
      for (const path of walk.posts) expect((await walk.client.post(path, { cmd: "on" })).status).toBe(403);
      for (const path of GETS) expect((await walk.client.send({ method: "HEAD", path })).status).toBe(403);
      expect((await walk.client.send({ method: "OPTIONS", path: "/api" })).status).toBe(204);
    });
  });

  describe("the token", () => {
    const wrong = (token: string): [what: string, authorization: string | null][] => [
      ["missing", null],
      ["empty", ""],
      ["a scheme alone", "Bearer"],
      ["a scheme and a blank", "Bearer "],
      ["another", `Bearer ${token.replace(/./g, "x")}`],
      ["a longer one", `Bearer ${token}0`],
      ["a shorter one", `Bearer ${token.slice(0, -1)}`],
      ["twice", `Bearer ${token}${token}`],
      ["another at its end", `Bearer ${token.slice(0, -1)}~`],
      ["of another scheme", `Basic ${token}`],
      ["without a scheme", token],
      ["run into the scheme", `Bearer${token}`],
      ["followed by more", `Bearer ${token} x`],
    ];

    it("missing or wrong is 401, on every path and method", async () => {
      for (const [what, authorization] of wrong(walk.system.token)) {
        const { status, json } = await walk.client.send({ path: "/api", authorization });
        expect([status, json], what).toEqual([401, { success: false, data: UNAUTHORIZED }]);
        await walk.queue();
      }
      for (const path of [...GETS, ...walk.posts, "/api/nothing"])
        for (const method of ["GET", "POST", "DELETE", "HEAD"]) {
          expect((await walk.client.send({ method, path, authorization: null })).status).toBe(401);
          await walk.queue();
        }
    });

    walk.each(["bearer", "BEARER", "bEaReR", "Bearer  "])("may be sent with the scheme in any case", async (scheme) => {
      const authorization = `${scheme} ${walk.system.token}`;
      expect((await walk.client.send({ path: "/api", authorization })).status).toBe(200);
    });

    it("sent wrong many times still gets 401, and the right one is accepted", async () => {
      for (let time = 0; time < 4; time++)
        expect((await walk.client.send({ path: "/api", authorization: "Bearer no" })).status).toBe(401);
      expect((await walk.client.get("/api")).status).toBe(200);
    });

    it("changes at once", async () => {
      const { token } = walk.system;
      await walk.system.configure("api", { token: `${token}-new` });
      const old = await walk.client.get("/api");
      const changed = await walk.client.send({ path: "/api", authorization: `Bearer ${token}-new` });
      await walk.system.configure("api", { token });
      expect([old.status, changed.status]).toEqual([401, 200]);
    });
  });

  describe("unknown paths", () => {
    walk.each([
      "/api/",
      "/api/nothing",
      "/api/bms",
      "/api/bms/",
      "/api/bms/status/",
      "/api/BMS/status",
      "/api//bms/status",
    ])("unknown paths are 404", async (path) => {
      for (const method of ["GET", "POST", "PUT", "HEAD"]) {
        const answer = await walk.client.send({ method, path });
        expect(answer.status, method).toBe(404);
        if (method !== "HEAD")
          expect(answer.json).toEqual({ success: false, error: expect.stringMatching(/./) as string });
      }
    });

    it("outside /api are not answered by the API", async () => {
      expect((await fetch(`${walk.system.baseUrl}/apis`)).headers.has("access-control-allow-methods")).toBe(false);
    });
  });

  describe("other methods", () => {
    walk.each([
      ["/api", "GET, HEAD, OPTIONS", ["POST", "PUT", "DELETE", "PATCH"]],
      ["/api/bms/status", "GET, HEAD, OPTIONS", ["POST", "PUT", "DELETE", "PATCH"]],
      ["/api/bms/log", "GET, HEAD, OPTIONS", ["POST", "PUT", "DELETE", "PATCH"]],
      ["/api/bms/config", "GET, HEAD, OPTIONS", ["POST", "PUT", "DELETE", "PATCH"]],
      ["/api/bms/commands", "GET, HEAD, POST, OPTIONS", ["PUT", "DELETE", "PATCH"]],
      ["/api/bms/settings", "POST, OPTIONS", ["GET", "HEAD", "PUT", "DELETE", "PATCH"]],
      ...(walk.lacks.relay ? [] : [RELAY]),
    ] as const)("of each resource are 405 with Allow", async (path, allow, methods) => {
      for (const method of methods) {
        const { status, headers, json } = await walk.client.send({ method, path });
        expect([status, headers.get("allow")], method).toEqual([405, allow]);
        if (method !== "HEAD") expect(json).toEqual({ success: false, error: expect.stringMatching(/./) as string });
      }
    });
  });
}
