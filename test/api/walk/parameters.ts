import { describe, expect, it } from "vitest";
import {
  BALANCE_ENABLED,
  BLUETOOTH_NAME,
  BMS_UNAVAILABLE,
  decimalNumber,
  decimalText,
  NUMERIC_PARAMETERS,
  UNKNOWN_PARAMETER,
  type NumericParameter,
} from "../documents";
import type { Walk } from "./system";

const PATH = "/api/bms/settings";

const named = (name: string): NumericParameter => {
  const setting = NUMERIC_PARAMETERS.find((row) => row.name === name);
  if (!setting) throw new Error(`no setting ${name}`);
  return setting;
};

/** POST /api/bms/settings. */
export function walkParameters(walk: Walk): void {
  const queued = (setting: string): object => ({
    success: true,
    status: "queued",
    data: { setting, statusEndpoint: "/api/bms/commands" },
  });
  const post = (setting: unknown, value: unknown) => walk.client.post(PATH, { setting, value });

  /** Accepted; how it ends is the BMS's to say: a model of it may allow less than the API. */
  async function accept(name: string, setting: string, value: unknown): Promise<void> {
    const { status, json } = await post(setting, value);
    expect([status, json], `${setting} ${JSON.stringify(value)}`).toEqual([202, queued(name)]);
    expect((await walk.outcome()).lastCommand).not.toBe("");
  }

  /** Accepted, confirmed, in the BMS and in the configuration. */
  async function write(
    { name, object, member, decimals }: NumericParameter,
    value: unknown,
    units: number,
  ): Promise<void> {
    expect((await walk.confirm(PATH, { setting: name, value })).json).toEqual(queued(name));
    expect(await walk.system.bms.register(name), JSON.stringify(value)).toBe(units);
    expect(await walk.configuration(object, member)).toBe(decimalNumber(units, decimals));
  }

  describe.each(NUMERIC_PARAMETERS)("setting $name ($alias)", (setting) => {
    const { name, alias, min, max, decimals, unit, usual } = setting;
    const number = (units: number): number => decimalNumber(units, decimals);
    const text = (units: number): string => decimalText(units, decimals);

    it("accepts its lowest and highest value, by name and alias, as number and as text", async () => {
      await accept(name, name, number(min));
      await accept(name, alias, text(min));
      await accept(name, name, text(max));
      await accept(name, alias, number(max));
    });

    it("refuses one step below and above, naming itself, its range and its unit", async () => {
      const message = (error: string): void => {
        expect(error).toContain(name);
        for (const bound of [min, max]) expect(error).toContain(String(number(bound)));
        expect(error).toContain(unit);
      };
      for (const given of [name, alias])
        for (const value of [number(min - 1), text(min - 1), number(max + 1), text(max + 1)]) {
          const { status, json } = await post(given, value);
          expect([status, json], `${given} ${value}`).toMatchObject([
            409,
            { success: false, data: { pending: false } },
          ]);
          message((json as { error: string }).error);
        }
    });

    it("checks the range before rounding", async () => {
      const finer = 10 ** (decimals + 1);
      for (const units of [min * 10 - 1, max * 10 + 1])
        await walk.refuse(PATH, { setting: name, value: units / finer }, /./);
    });

    it("accepts a typical value, which the BMS then holds", async () => {
      await write(setting, number(usual), usual);
    });

    walk.each([
      "",
      " ",
      ".5",
      "5.",
      "1e1",
      "1E1",
      "0x10",
      "1,5",
      "1 000",
      "--1",
      "+-1",
      "1.2.3",
      "five",
      "NaN",
      "Infinity",
      "true",
      "on",
      "1V",
      "٣",
    ])("refuses texts that are no number", async (value) => {
      await walk.refuse(PATH, { setting: name, value }, new RegExp(name));
    });
  });

  describe("numbers", () => {
    walk.each([
      ["cell_ovp_voltage", "3.45", 3450],
      ["cell_ovp_voltage", "+3.451", 3451],
      ["cell_ovp_voltage", "03.4530", 3453],
      ["cell_ovp_voltage", 3.45449, 3454],
      ["cell_ovp_voltage", 3.4545, 3455],
      ["cell_ovp_voltage", "3.4564999999999999999999", 3456],
      ["cell_ovp_voltage", "3.4565", 3457],
      ["cell_ovp_voltage", 3.4585, 3459],
      ["charge_utp", -5.25, -53],
      ["charge_utp", "-5.24", -52],
      ["charge_utp", "-0.04", 0],
      ["charge_utp", "-0", 0],
      ["charge_utp", 5.05, 51],
      ["charge_utp", "0.05", 1],
      ["cell_count", "16", 16],
      ["cell_count", "16.0", 16],
    ])("are rounded half away from zero", async (name, value, units) => {
      await write(named(name), value, units);
    });

    it("beyond the range of a double (1e400) are refused", async () => {
      for (const value of ["1e400", "-1e400"]) {
        const body = `{"setting":"cell_ovp_voltage","value":${value}}`;
        const { status } = await walk.client.send({
          method: "POST",
          path: PATH,
          contentType: "application/json",
          body,
        });
        expect(status).toBe(409);
      }
    });

    walk.each([15.5, "15.5", 1.0001])("with a fraction are refused for an integer", async (value) => {
      await walk.refuse(PATH, { setting: "cell_count", value }, /cell_count/);
    });
  });

  describe("setting balance_enabled", () => {
    const { name, alias, object, member } = BALANCE_ENABLED;

    walk.each([
      ["on", 1],
      ["off", 0],
      ["TRUE", 1],
      ["False", 0],
      ["1", 1],
      [" 0 ", 0],
      [1, 1],
      [0, 0],
      [true, 1],
      [false, 0],
    ])("accepts every spelling", async (value, units) => {
      for (const setting of [name, alias]) {
        expect((await walk.confirm(PATH, { setting, value })).json).toEqual(queued(name));
        expect(await walk.system.bms.register(name)).toBe(units);
        expect(await walk.configuration(object, member)).toBe(units === 1);
      }
    });

    walk.each([2, -1, 0.5, "2", "", "yes", "onn"])("refuses anything else", async (value) => {
      await walk.refuse(PATH, { setting: name, value }, new RegExp(name));
    });
  });

  describe("setting bluetooth_name", () => {
    const { name, alias, object, member, maxLength } = BLUETOOTH_NAME;

    walk.each(["x", "Garage Pack", '~"\\ !{}', "A".repeat(maxLength), "12"])(
      "accepts every spelling",
      async (value) => {
        for (const setting of [name, alias]) {
          expect((await walk.confirm(PATH, { setting, value })).json).toEqual(queued(name));
          expect(await walk.system.bms.register(name)).toBe(value);
          expect(await walk.configuration(object, member)).toBe(value);
        }
      },
    );

    walk.each(["", " ", "   ", "A".repeat(maxLength + 1), "Söl", "a\tb", "a\u0000b", "a\u007fb", "😀"])(
      "refuses anything else",
      async (value) => {
        await walk.refuse(PATH, { setting: name, value }, new RegExp(name));
      },
    );
  });

  describe("settings", () => {
    walk.each(["CELL_OVP_VOLTAGE", " cell_ovp_voltage ", "CellOVP", "\tcellovp"])(
      "case and surrounding blanks are ignored",
      async (setting) => {
        expect((await walk.confirm(PATH, { setting, value: 3.6 })).json).toEqual(queued("cell_ovp_voltage"));
      },
    );

    walk.each(["", "cell", "cell_ovp", "cell-ovp-voltage", "charge_mos", "soc", "__proto__", "constructor"])(
      "what is not a setting is refused",
      async (setting) => {
        await walk.refuse(PATH, { setting, value: 1 }, UNKNOWN_PARAMETER);
      },
    );

    walk.each([
      {},
      { setting: "cell_ovp_voltage" },
      { value: 3.6 },
      { setting: "cell_ovp_voltage", value: null },
      { setting: "cell_ovp_voltage", value: [3.6] },
      { setting: "cell_ovp_voltage", value: { volts: 3.6 } },
      { setting: "cell_ovp_voltage", value: true },
      { setting: "bluetooth_name", value: false },
      { setting: "nothing", value: true },
      { setting: "balance_enabled", value: null },
      { setting: "balance_enabled", value: [] },
      { setting: null, value: 3.6 },
      { setting: 1, value: 3.6 },
      { setting: true, value: 3.6 },
      { setting: ["cell_ovp_voltage"], value: 3.6 },
      { SETTING: "cell_ovp_voltage", VALUE: 3.6 },
    ])("members that are missing or of another type are 400", async (members) => {
      const { status, json } = await walk.client.post(PATH, members);
      expect(status).toBe(400);
      const { error } = json as { error: string };
      expect(json).toEqual({ success: false, error });
      for (const word of [/JSON/i, /setting/, /value/]) expect(error).toMatch(word);
    });

    it("unknown members are ignored, and the last of repeated members wins", async () => {
      const body = '{"value":9,"setting":"cell_count","x":{"value":1},"setting":"cell_ovp_voltage","value":3.61}';
      const { status, json } = await walk.client.send({
        method: "POST",
        path: PATH,
        contentType: "application/json",
        body,
      });
      expect([status, json]).toEqual([202, queued("cell_ovp_voltage")]);
      expect((await walk.outcome()).lastCommandOk).toBe(true);
      expect(await walk.configuration("protections", "cellOvpVoltage")).toBe(3.61);
    });

    it("are refused while the BMS is offline or its setup is not loaded", async () => {
      await walk.goOffline();
      await walk.refuse(PATH, { setting: "cell_ovp_voltage", value: 3.6 }, BMS_UNAVAILABLE);
      await walk.unload();
      const { status, json } = await post("cell_ovp_voltage", 3.6);
      const { error } = json as { error: string };
      expect([status, json]).toEqual([409, { success: false, error, data: { pending: false } }]);
      expect(error).not.toBe(BMS_UNAVAILABLE);
    });

    it("are handled one at a time: a second is refused while one is pending, and changes nothing", async () => {
      await write(named("mos_otp"), 90, 900);
      await walk.system.bms.holdWrites(true);
      expect((await post("cell_ovp_voltage", 3.6)).status).toBe(202);
      await walk.refuse(PATH, { setting: "mos_otp", value: 85 }, /./, true);
      await walk.refuse("/api/bms/commands", { command: "balance", state: true }, /./, true);
      await walk.system.bms.holdWrites(false);
      await walk.outcome();
      expect(await walk.system.bms.register("mos_otp")).toBe(900);
    });
  });
}
