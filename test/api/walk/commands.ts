import { describe, expect, it } from "vitest";
import { BMS_UNAVAILABLE, COMMANDS, UNKNOWN_COMMAND } from "../documents";
import type { Walk } from "./system";

const PATH = "/api/bms/commands";

/** POST /api/bms/commands. */
export function walkCommands(walk: Walk): void {
  const queued = (command: string, state: boolean): object => ({
    success: true,
    status: "queued",
    data: { command, state, statusEndpoint: PATH },
  });

  describe.each(COMMANDS)("command %s", (command) => {
    walk.each([
      [true, true],
      [false, false],
      ["on", true],
      ["off", false],
      ["1", true],
      ["0", false],
    ])("every spelling of a state is queued, confirmed and applied in the BMS", async (state, on) => {
      const { json } = await walk.confirm(PATH, { command, state });
      expect(json).toEqual(queued(command, on));
      expect(await walk.system.bms.register(command)).toBe(on ? 1 : 0);
    });
  });

  describe("commands", () => {
    walk.each([
      ["CHARGE_MOS", "ON"],
      [" Charge_Mos\t", " oN "],
      ["charge_mos", "\n1"],
    ])("case and surrounding blanks are ignored", async (command, state) => {
      expect((await walk.confirm(PATH, { command, state })).json).toEqual(queued("charge_mos", true));
    });

    walk.each(["", "charge", "charge_mos2", "charge mos", "cell_count", "mos_carga", "__proto__"])(
      "what is not a command is refused",
      async (command) => {
        await walk.refuse(PATH, { command, state: true }, UNKNOWN_COMMAND);
      },
    );

    walk.each([
      {},
      { command: "charge_mos" },
      { state: true },
      { command: "charge_mos", state: null },
      { command: "charge_mos", state: 1 },
      { command: "charge_mos", state: 0 },
      { command: "charge_mos", state: "" },
      { command: "charge_mos", state: "yes" },
      { command: "charge_mos", state: "2" },
      { command: "charge_mos", state: [true] },
      { command: "charge_mos", state: {} },
      { command: null, state: true },
      { command: 1, state: true },
      { command: true, state: true },
      { command: ["charge_mos"], state: true },
      { command: { name: "charge_mos" }, state: true },
      { COMMAND: "charge_mos", STATE: true },
    ])("members that are missing or of another type are 400", async (members) => {
      const { status, json } = await walk.client.post(PATH, members);
      expect(status).toBe(400);
      const { error } = json as { error: string };
      expect(json).toEqual({ success: false, error });
      for (const word of [/JSON/i, /command/, /state/]) expect(error).toMatch(word);
    });

    it("unknown members are ignored, and the last of repeated members wins", async () => {
      const body = '{"x":{"command":1},"state":true,"command":"balance","state":"off","command":"charge_mos"}';
      const { status, json } = await walk.client.send({
        method: "POST",
        path: PATH,
        contentType: "application/json",
        body,
      });
      expect([status, json]).toEqual([202, queued("charge_mos", false)]);
      expect((await walk.outcome()).lastCommandOk).toBe(true);
    });

    it("are refused while the BMS is offline", async () => {
      await walk.goOffline();
      for (const command of COMMANDS) await walk.refuse(PATH, { command, state: true }, BMS_UNAVAILABLE);
    });

    it("do not need the settings", async () => {
      await walk.unload();
      await walk.confirm(PATH, { command: "charge_mos", state: true });
    });

    it("are handled one at a time: a second is refused while one is pending, and changes nothing", async () => {
      await walk.confirm(PATH, { command: "discharge_mos", state: true });
      await walk.system.bms.holdWrites(true);
      expect((await walk.client.post(PATH, { command: "balance", state: true })).status).toBe(202);
      expect(await walk.queue()).toMatchObject({ pending: true });
      await walk.refuse(PATH, { command: "discharge_mos", state: false }, /./, true);
      await walk.refuse("/api/bms/settings", { setting: "cell_count", value: 16 }, /./, true);
      await walk.system.bms.holdWrites(false);
      await walk.outcome();
      expect(await walk.system.bms.register("discharge_mos")).toBe(1);
      await walk.confirm(PATH, { command: "discharge_mos", state: false });
    });
  });
}
