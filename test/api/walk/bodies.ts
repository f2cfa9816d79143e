import { describe, expect, it } from "vitest";
import { POSTS, type Walk } from "./system";

/** A body that is right in form but asks for nothing that is done: what lies behind it answers, and nothing changes. */
const HARMLESS = [
  ["/api/bms/commands", '{"command":"nothing","state":true}', 409],
  ["/api/bms/settings", '{"setting":"nothing","value":1}', 409],
  ["/api/relay", '{"cmd":"nothing"}', 400],
] as const;

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** Content-Type, size and form of request bodies. */
export function walkBodies(walk: Walk): void {
  const post = (path: string, contentType: string | null, body?: string | Uint8Array | readonly string[]) =>
    walk.client.send({ method: "POST", path, contentType, ...(body !== undefined && { body }) });
  const padded = (text: string, length: number): string => text.padEnd(length);

  describe.each(HARMLESS.filter(([path]) => walk.posts.includes(path)))("POST %s", (path, harmless, beyond) => {
    const relay = path === "/api/relay";
    const failure = (json: unknown): void => {
      const { error } = json as { error: string };
      expect(json).toEqual(relay ? { success: false, message: error, error } : { success: false, error });
    };

    walk.each([
      null,
      "",
      "text/plain",
      "text/json",
      "application/jsonx",
      "multipart/form-data",
      "application/json, text/plain",
    ])("another Content-Type is 415", async (contentType) => {
      const { status, json } = await post(path, contentType, harmless);
      expect(status).toBe(415);
      failure(json);
    });

    it("a form is accepted for the relay only", async () => {
      expect((await post(path, FORM_TYPE, "cmd=nothing")).status).toBe(relay ? 400 : 415);
    });

    walk.each([
      "application/json; charset=utf-8",
      "application/json;charset=UTF-8",
      "APPLICATION/JSON",
      "Application/Json ; Charset=utf-8",
      'application/json; x="y"',
    ])("is JSON by every spelling of its Content-Type", async (contentType) => {
      expect((await post(path, contentType, harmless)).status).toBe(beyond);
    });

    walk.each([255, 256])("bytes up to the limit are accepted, in one piece or chunked", async (length) => {
      const body = padded(harmless, length);
      expect((await post(path, JSON_TYPE, body)).status).toBe(beyond);
      expect((await post(path, JSON_TYPE, [body])).status).toBe(beyond);
      expect((await post(path, JSON_TYPE, [body.slice(0, 1), body.slice(1, 200), body.slice(200)])).status).toBe(
        beyond,
      );
    });

    walk.each([257, 258, 1000])("bytes beyond the limit are 413, in one piece or chunked", async (length) => {
      const body = padded(harmless, length);
      for (const sent of [body, [body], [body.slice(0, 256), body.slice(256)]]) {
        const { status, json } = await post(path, JSON_TYPE, sent);
        expect(status).toBe(413);
        failure(json);
      }
    });

    it("the limit counts bytes, not characters", async () => {
      const euros = (count: number, blanks: number): string =>
        harmless.replace("nothing", `nothing${"€".repeat(count)}${" ".repeat(blanks)}`);
      const room = 256 - harmless.length;
      const count = Math.floor(room / 3);
      expect((await post(path, JSON_TYPE, euros(count, room - 3 * count))).status).toBe(beyond);
      expect((await post(path, JSON_TYPE, euros(count, room - 3 * count + 1))).status).toBe(413);
    });

    it("a missing or empty body is 413", async () => {
      for (const body of [undefined, "", []]) {
        const { status, json } = await post(path, JSON_TYPE, body);
        expect(status).toBe(413);
        failure(json);
      }
    });

    it.each([
      " ",
      "{",
      "}",
      "{}}",
      "[]",
      "[1]",
      "null",
      "true",
      "1",
      '"text"',
      "{a:1}",
      "cmd=on",
      '{"cmd":"on",}',
      '{"cmd":"on"',
      "[".repeat(256),
      '{"a":'.repeat(50),
    ])("%j is 400", async (body) => {
      const { status, json } = await post(path, JSON_TYPE, body);
      expect(status).toBe(400);
      failure(json);
    });

    it("invalid UTF-8 is 400", async () => {
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
        const body = Buffer.concat([
          Buffer.from(harmless.slice(0, -1)),
          Buffer.from(',"x":"'),
          Buffer.from(bytes),
          Buffer.from('"}'),
        ]);
        expect((await post(path, JSON_TYPE, body)).status).toBe(400);
      }
    });

    it("an empty object is 400: required fields are missing", async () => {
      const { status, json } = await post(path, JSON_TYPE, "{}");
      expect(status).toBe(400);
      failure(json);
    });
  });

  it("the limits are the same on every path", () => {
    expect(HARMLESS.map(([path]) => path)).toEqual(POSTS);
  });
}
