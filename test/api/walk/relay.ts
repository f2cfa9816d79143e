import { describe, expect, it } from "vitest";
import { RELAY_UPDATED } from "../documents";
import type { Walk } from "./system";

const PATH = "/api/relay";

const ON = ["on", "true", "1"];
const OFF = ["off", "false", "0"];
const SPELLINGS: readonly (readonly [text: string, on: boolean])[] = [
  ...ON.flatMap((text) => [text, text.toUpperCase(), ` ${text} `]).map((text) => [text, true] as const),
  ...OFF.flatMap((text) => [text, text.toUpperCase(), ` ${text} `]).map((text) => [text, false] as const),
];

/** POST /api/relay. */
export function walkRelay(walk: Walk): void {
  const form = (body: string) =>
    walk.client.send({ method: "POST", path: PATH, contentType: "application/x-www-form-urlencoded", body });
  const json = (members: unknown) => walk.client.post(PATH, members);
  const data = (on: boolean, mode = 0): object => ({
    relay0Name: expect.any(String) as string,
    relay0Value: on ? 1 : 0,
    relay0State: on ? "on" : "off",
    relay0Config: mode,
  });
  const updated = (on: boolean): object => ({ success: true, message: RELAY_UPDATED, data: data(on) });
  const value = async (): Promise<unknown> => {
    if (walk.lacks.monitoring) {
      // The block is that of the inputs.
      const { baseUrl, token } = walk.system;
      const metrics = await fetch(`${baseUrl}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
      return Number(/^bms_monitor_relay_on (\d)$/m.exec(await metrics.text())?.[1]);
    }
    const summary = await walk.client.get("/api");
    return (summary.json as { data: { monitoring: { relay0Value: number } } }).data.monitoring.relay0Value;
  };

  if (walk.lacks.relay) {
    describe("a board without a relay", () => {
      it.each(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"])(
        "answers %s with 404, whatever is stored",
        async (method) => {
          const { status, json } = await walk.client.send({ method, path: PATH, contentType: "application/json" });
          expect(status).toBe(404);
          if (method !== "HEAD") expect(json).toEqual({ success: false, error: expect.any(String) as string });
        },
      );

      it("switches nothing", async () => {
        for (const answer of [await form("cmd=on"), await json({ cmd: true })]) expect(answer.status).toBe(404);
      });
    });
    return;
  }

  describe("relay", () => {
    it.each(["cmd", "state"])("is switched by every spelling of %s, in a form and in JSON", async (field) => {
      for (const [text, on] of SPELLINGS) {
        for (const answer of [
          await form(`${field}=${encodeURIComponent(text)}`),
          await form(new URLSearchParams({ [field]: text }).toString()),
          await json({ [field]: text }),
        ])
          expect([answer.status, answer.json], text).toEqual([200, updated(on)]);
        expect(await value()).toBe(on ? 1 : 0);
      }
    });

    it.each([
      [true, true],
      [false, false],
      [1, true],
      [0, false],
    ])("is switched by JSON %j", async (command, on) => {
      expect((await json({ cmd: command })).json).toEqual(updated(on));
      expect((await json({ state: command })).json).toEqual(updated(on));
    });

    it("obeys cmd when both are sent, also when cmd is invalid", async () => {
      expect((await form("cmd=on&state=off")).json).toEqual(updated(true));
      expect((await form("state=on&cmd=off")).json).toEqual(updated(false));
      expect((await json({ state: false, cmd: true })).json).toEqual(updated(true));
      for (const answer of [
        await form("cmd=&state=off"),
        await form("cmd=x&state=off"),
        await json({ cmd: null, state: 0 }),
      ])
        expect(answer.status).toBe(400);
      expect(await value()).toBe(1);
    });

    it("uses the last of repeated fields and ignores unknown ones", async () => {
      expect((await form("cmd=off&x=1&cmd=on")).json).toEqual(updated(true));
      expect((await form("&&x&cmd=off&")).json).toEqual(updated(false));
    });

    it("accepts forms with parameters in their Content-Type", async () => {
      const contentType = "Application/X-WWW-Form-Urlencoded; charset=UTF-8";
      const answer = await walk.client.send({ method: "POST", path: PATH, contentType, body: "cmd=on" });
      expect(answer.json).toEqual(updated(true));
    });

    it("does not change on any other body: 400 with message and error", async () => {
      await form("cmd=on");
      const forms = [
        "x=1",
        "cmd",
        "cmd=",
        "cmd=onn",
        "cmd=2",
        "cmd=-1",
        "cmd=toggle",
        "CMD=off",
        "cmd=%",
        "cmd=%zz",
        "cmd=%ff",
      ];
      const documents = [
        { cmd: 2 },
        { cmd: 0.5 },
        { cmd: null },
        { cmd: [] },
        { cmd: {} },
        { cmd: "" },
        { state: "of" },
        {},
      ];
      for (const answer of [...(await serially(forms, form)), ...(await serially<unknown>(documents, json))]) {
        const { error } = answer.json as { error: string };
        expect([answer.status, answer.json]).toEqual([400, { success: false, message: error, error }]);
        expect(error).toMatch(/on\/off.*true\/false.*1\/0/);
      }
      expect(await value()).toBe(1);
    });

    it.each([1, 2] as const)("does not change in mode %d: 409 with its state", async (mode) => {
      await form("cmd=off");
      await walk.system.configure("relay", { mode, source: "alarm" });
      for (const answer of [await form("cmd=on"), await json({ cmd: false })]) {
        const { error } = answer.json as { error: string };
        expect([answer.status, answer.json]).toEqual([
          409,
          {
            success: false,
            message: error,
            error,
            data: {
              ...data(false, mode),
              relay0Value: expect.any(Number) as number,
              relay0State: expect.any(String) as string,
            },
          },
        ]);
      }
      // What the client must mend comes first.
      expect((await form("cmd=x")).status).toBe(400);
    });

    it("is 404 when it is not fitted, whatever the method", async () => {
      await walk.system.configure("relay", { fitted: false });
      const answer = await form("cmd=on");
      expect([answer.status, answer.json]).toEqual([404, { success: false, error: expect.any(String) as string }]);
      expect((await walk.client.get(PATH)).status).toBe(404);
    });

    it("works without the BMS", async () => {
      await walk.goOffline();
      expect((await form("cmd=on")).json).toEqual(updated(true));
    });
  });
}

/** One request after another: they all are about the one relay. */
async function serially<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<{ status: number; json: unknown }>,
) {
  const answers = [];
  for (const item of items) answers.push(await send(item));
  return answers;
}
