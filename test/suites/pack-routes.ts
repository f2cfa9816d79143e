/**
 * The paths below /api/packs, each answer against docs/openapi.yaml, wherever the firmware runs: one pack, two and fifteen polled, and sixteen
 * heard beside a JK master, which is one of them.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { Bank } from "../../host-sim/bms/packs";
import { ApiClient, type ApiAnswer, type ApiRequest } from "../support/system/api-client";
import { TOKEN, turn } from "../support/system/system";
import type { Stage, Whole } from "./whole";

type Json = Record<string, unknown>;

/** Of virtual time between two turns of the sockets, and between two looks, ms. */
const STEP = 20;
const LOOK = 1_000;
/** The same in all, seconds. */
const PATIENCE = 300;
const UNKNOWN_PACK = { success: false, error: "Not found." };
const PENDING = { error: "Another write is pending; try again when it has ended.", data: { pending: true } };
const LISTENING = "Another master is on this bus: the device listens and sends nothing.";

/** Codes of the log: this cell over-charged. Later than all else in it. */
const CELL_1 = 100;
const LATE = 4_000_000_000;

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export function packRoutesSuite({ name, start }: Stage): void {
  describe(`the paths of packs, ${name}`, () => {
    let whole: Whole;
    let client: ApiClient;
    afterEach(async () => {
      client.close();
      await whole.stop();
    });

    /** The first is at address 1. */
    async function begin(addresses: readonly number[], master = false): Promise<Bank> {
      const [, ...further] = addresses;
      whole = await start({
        bank: { count: Math.max(...addresses), master, timeFactor: 0 },
        settings: {
          packs: { first: "Pack 1", further: further.map((address) => ({ address, name: `Pack ${address}` })) },
        },
      });
      // Each has something of its own to tell.
      whole.bank!.packs.forEach(({ controller }, index) => controller.systemLog.add(LATE, CELL_1 + index));
      client = new ApiClient({ baseUrl: whole.url, token: TOKEN });
      return whole.bank!;
    }

    /** Lets time pass until the answer is there. */
    async function send(request: ApiRequest): Promise<ApiAnswer> {
      let done = false;
      const answer = client.send(request).finally(() => (done = true));
      while (!done) {
        await turn();
        await whole.run(STEP);
      }
      return answer;
    }
    const get = async (path: string): Promise<Json> => {
      const { status, json } = await send({ path: `/api/packs${path}` });
      return { status, ...((json as { data?: Json }).data ?? (json as Json)) };
    };
    const post = (path: string, members: object): Promise<ApiAnswer> =>
      send({
        method: "POST",
        path: `/api/packs${path}`,
        contentType: "application/json",
        body: JSON.stringify(members),
      });

    async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
      for (let seconds = 0; !(await condition()); seconds++) {
        if (seconds > PATIENCE) throw new Error(`never ${what}`);
        await whole.run(LOOK);
      }
    }
    const untilOnline = (count: number): Promise<void> =>
      until(`${count} online`, async () => ((await get("")) as { bank: Json }).bank["online"] === count);
    async function untilLoaded(addresses: readonly number[]): Promise<void> {
      for (const address of addresses)
        await until(`${address} loaded`, async () => (await get(`/${address}/config`))["status"] === 200);
    }

    /** Every document of every pack, by GET and HEAD; and what is no pack's. */
    async function walkReads(addresses: readonly number[], complete = true, isPolled = true): Promise<void> {
      const { bank, packs } = (await get("")) as { bank: Json; packs: Json[] };
      expect(bank).toMatchObject({ packs: addresses.length, complete });
      expect(packs.map(({ address, name }) => [address, name])).toEqual(
        addresses.map((address) => [address, `Pack ${address}`]),
      );
      for (const address of addresses) {
        expect(await get(`/${address}/status`)).toMatchObject({ status: 200, online: true });
        expect(await get(`/${address}/config`)).toMatchObject({ status: 200, loaded: true });
        expect(await get(`/${address}/setup`)).toMatchObject({ status: 200, deviceAddress: address });
        expect(await get(`/${address}/commands`)).toMatchObject({ status: 200, bmsOnline: true, pending: false });
        if (!isPolled) {
          expect(await get(`/${address}/log`)).toMatchObject({ status: 503, success: false });
          continue;
        }
        await until(`log of ${address}`, async () => (await get(`/${address}/log`))["status"] === 200);
        const { entries, total } = (await get(`/${address}/log`)) as { entries: Json[]; total: number };
        expect([total, entries]).toEqual([
          2,
          [
            { uptime: LATE, code: CELL_1 - 1 + address, event: `cell_${address}_overcharged` },
            { uptime: expect.any(Number) as number, code: 1, event: "start" },
          ],
        ]);
      }
      for (const path of [
        "",
        ...["status", "config", "setup", "commands", ...(isPolled ? ["log"] : [])].map(
          (resource) => `/${addresses.at(-1)}/${resource}`,
        ),
      ]) {
        const { status, text } = await send({ method: "HEAD", path: `/api/packs${path}` });
        expect([path, status, text]).toEqual([path, 200, ""]);
      }
      const none = [16, ...range(0, 15)].filter((address) => !addresses.includes(address)).slice(0, 3);
      for (const path of [...none, "x", "01"].map((pack) => `/api/packs/${pack}/status`)) {
        const { status, json } = await send({ path });
        expect([path, status, json]).toEqual([path, 404, UNKNOWN_PACK]);
      }
    }

    async function written(path: string, members: object): Promise<Json> {
      const queue = `/${path.replace("settings", "commands")}`;
      const { status, json } = await post(`/${path}`, members);
      const { data } = json as { data: Json };
      expect([status, data["statusEndpoint"]]).toEqual([202, `/api/packs${queue}`]);
      // Which pack, where there are several.
      const { length } = (await get(""))["packs"] as unknown[];
      expect(data["pack"]).toBe(length > 1 ? Number(path.split("/")[0]) : undefined);
      await until("ended", async () => !(await get(queue))["pending"]);
      return get(queue);
    }

    const ALL = { setting: "cell_uvp_voltage", value: 2.71 };
    async function writtenToAll(): Promise<Json[]> {
      const { status, json } = await post("/settings", ALL);
      expect([status, json]).toEqual([
        202,
        {
          success: true,
          status: "queued",
          data: { setting: "cell_uvp_voltage", statusEndpoint: "/api/packs/settings" },
        },
      ]);
      // Between two writes of it, too, nothing else is written.
      while ((await get("/settings"))["running"]) {
        const other = await post("/1/commands", { command: "balance", state: true });
        if ((await get("/settings"))["running"]) expect([other.status, other.json]).toMatchObject([409, PENDING]);
      }
      const { setting, problem, packs } = await get("/settings");
      expect([setting, problem]).toEqual(["cell_uvp_voltage", ""]);
      return packs as Json[];
    }

    it.each([1, 2, 4, 15])("%i polled", async (count) => {
      const addresses = range(1, count);
      const { packs } = await begin(addresses);
      await untilOnline(count);
      await untilLoaded(addresses);
      await walkReads(addresses);

      const head = count > 1 ? `Pack ${count}: ` : "";
      expect(await written(`${count}/settings`, { setting: "cell_ovp_voltage", value: 3.61 })).toMatchObject({
        lastCommand: `${head}cell_ovp_voltage 3.61 V: confirmed by the BMS.`,
        lastCommandOk: true,
      });
      expect(await written(`${count}/commands`, { command: "balance", state: false })).toMatchObject({
        lastCommandOk: true,
      });
      expect(packs.map(({ registers }) => registers.read("VolCellOV") === 3_610)).toEqual(
        addresses.map((address) => address === count),
      );
      const at = `/${count}`;
      expect((await post(`${at}/settings`, { setting: "cell_ovp_voltage", value: 99 })).status).toBe(409);
      expect((await post(`${at}/commands`, { command: "explode", state: true })).status).toBe(409);
      expect((await post(`${at}/commands`, {})).status).toBe(400);
      expect((await post(`${at}/accept`, {})).status).toBe(409);
      expect((await post("/16/settings", { setting: "cell_ovp_voltage", value: 3.6 })).status).toBe(404);
      expect((await send({ method: "POST", path: `/api/packs${at}/settings`, body: "{}" })).status).toBe(415);
      expect((await send({ method: "PUT", path: `/api/packs${at}/status` })).status).toBe(405);
      expect((await send({ path: "/api/packs", authorization: null })).status).toBe(401);

      expect(await get("/settings")).toEqual({
        status: 200,
        running: false,
        setting: null,
        problem: "",
        packs: addresses.map((address) => ({ address, name: `Pack ${address}`, outcome: null, message: "" })),
      });
      expect((await post("/settings", { setting: "cell_uvp_voltage", value: 99 })).status).toBe(409);
      expect((await post("/settings", { setting: "charge_mos", value: 1 })).status).toBe(409);
      expect((await post("/settings", {})).status).toBe(400);
      expect((await send({ method: "POST", path: "/api/packs/settings", body: "{}" })).status).toBe(415);
      expect((await send({ method: "PUT", path: "/api/packs/settings" })).status).toBe(405);
      expect((await send({ path: "/api/packs/settings", authorization: null })).status).toBe(401);
      const named = (address: number): string => (count > 1 ? `Pack ${address}: ` : "");
      expect(await writtenToAll()).toEqual(
        addresses.map((address) => ({
          address,
          name: `Pack ${address}`,
          outcome: "confirmed",
          message: `${named(address)}cell_uvp_voltage 2.71 V: confirmed by the BMS.`,
        })),
      );
      expect(packs.map(({ registers }) => registers.read("VolCellUV"))).toEqual(addresses.map(() => 2_710));

      packs.at(-1)!.setOnline(false);
      await untilOnline(count - 1);
      expect((await writtenToAll()).map(({ outcome }) => outcome)).toEqual(
        addresses.map((address) => (address === count ? "offline" : "confirmed")),
      );
      expect(await get(`${at}/status`)).toMatchObject({ status: 200, online: false });
      expect(await get(`${at}/config`)).toMatchObject({ status: 503 });
      expect(await get(`${at}/setup`)).toMatchObject({ status: 503 });
      expect(await get(`${at}/commands`)).toMatchObject({ status: 200, bmsOnline: false });
      expect((await post(`${at}/commands`, { command: "balance", state: true })).status).toBe(409);
      const { bank } = (await get("")) as { bank: Json };
      const sum: unknown = count > 1 ? expect.any(Number) : null;
      expect(bank).toMatchObject({ online: count - 1, complete: false, soc: sum, current: sum });
    });

    it("16 heard", async () => {
      // The master has address 0, and tells its own values unasked.
      const addresses = [...range(1, 15), 0];
      await begin(addresses, true);
      await untilOnline(16);
      await untilLoaded(addresses);
      await walkReads(addresses, true, false);
      const { packs } = (await get("")) as { packs: Json[] };
      // Nobody asks for it.
      expect(new Set(packs.map(({ serialNumber }) => serialNumber))).toEqual(new Set([null]));
      const refused = await post("/settings", ALL);
      expect([refused.status, (refused.json as Json)["error"]]).toEqual([409, LISTENING]);
      for (const address of [0, 1, 15]) {
        const { status, json } = await post(`/${address}/commands`, { command: "balance", state: true });
        expect([address, status, (json as Json)["error"]]).toEqual([address, 409, LISTENING]);
      }
    });
  });
}
