/** Several packs on one bus, as the owner has set them up: the settings, and the paths below /api/packs against docs/openapi.yaml. */
import { afterEach, describe, expect, it } from "vitest";
import { serialNumberAt, SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { SHARED_FOR } from "../../src/packs/limits";
import type { PacksSettings } from "../../src/settings/types";
import { ApiClient, type ApiAnswer } from "../support/system/api-client";
import { System } from "../support/system/system";

const OTHER_PACK =
  "Another pack than before answers at this address: nothing is written to it until it is accepted in the settings of the packs.";

const TWO_PACKS = "Two packs answer at this address: nothing is written to them until one has another address.";

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const packs = (count: number): PacksSettings => ({
  first: "Pack 1",
  further: range(count)
    .slice(1)
    .map((address) => ({ address, name: `Pack ${address}` })),
});

interface Documents {
  readonly bank: Record<string, unknown>;
  readonly packs: readonly Record<string, unknown>[];
}

/** Its numbers may change from one look to the next. */
interface Queue {
  readonly pending: boolean;
  readonly lastCommand: string;
  readonly lastCommandOk: boolean;
}

let system: System;
let client: ApiClient;
afterEach(() => {
  client.close();
  system.stop();
});

/** @param present packs on the bus, of which `count` are set up; `master`: one more, at address 0; `twins`: addresses that another one has, too */
async function start(
  count: number,
  engine?: "node",
  present = count,
  master = false,
  twins: readonly number[] = [],
): Promise<void> {
  system = await System.start({
    bank: { count: present, timeFactor: 0, master, twins },
    board: { config: { settings: { packs: packs(count) } } },
    ...(engine && { engine }),
  });
  client = new ApiClient({ baseUrl: system.url, token: system.token });
}

const dataOf = ({ json }: ApiAnswer): unknown => (json as { data: unknown }).data;
const shown = async (): Promise<Documents> => dataOf(await client.get("/api/packs")) as Documents;
const queueAt = async (path: string): Promise<Queue> => dataOf(await client.get(path)) as Queue;

/** Several polls, but less than the idle timeout of a connection, ms. */
const LEAP = 1_000;

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let leaps = 0; !(await condition()); leaps++) {
    if (leaps > 120) throw new Error(`never ${what}`);
    system.skip(LEAP);
  }
}

const untilOnline = (count: number): Promise<void> =>
  until(`${count} online`, async () => (await shown()).bank["online"] === count);

async function untilLoaded(count: number): Promise<void> {
  for (const address of range(count))
    await until("loaded", async () => (await client.get(`/api/packs/${address}/config`)).status === 200);
}

async function write(path: string, members: object): Promise<Queue> {
  const answer = await client.post(path, members);
  const queue = path.replace("settings", "commands");
  expect([answer.status, answer.json]).toMatchObject([202, { data: { statusEndpoint: queue } }]);
  await until("ended", async () => !(await queueAt(queue)).pending);
  return queueAt(queue);
}

it("the relay follows the bank, and takes its fail-safe state while one pack is missing", async () => {
  await start(2);
  system.probes.configure("relay", { mode: 1, source: "soc", onAt: 1, offAt: 0, failSafe: "off", failSafeAfter: 10 });
  await system.skipUntil("the relay is on", () => system.probes.relay() === 1, 60);
  system.bank?.packs[1]?.setOnline(false);
  await system.skipUntil("the relay is off", () => system.probes.relay() === 0, 120);
  system.bank?.packs[1]?.setOnline(true);
  await system.skipUntil("the relay is on again", () => system.probes.relay() === 1, 120);
});

describe("the packs of the settings", () => {
  it("are polled, and who they are is remembered over a restart", async () => {
    await start(3, "node");
    const all = () => system.firmware.monitor.packs;
    await system.skipUntil("all are known", () => all().every(({ identity }) => identity.serial), 60);
    expect(all().map(({ identity }) => identity)).toEqual(
      [1, 2, 3].map((address) => ({ address, name: `Pack ${address}`, serial: serialNumberAt(address) })),
    );
    await system.powerCycle();
    expect(all().map(({ identity }) => identity.serial)).toEqual([1, 2, 3].map(serialNumberAt));
    expect(all().map(({ online }) => online)).toEqual([false, false, false]);
  });

  it("change without a restart", async () => {
    await start(3, "node");
    const { monitor, settings } = system.firmware;
    await system.skipUntil("all are online", () => monitor.packs.every(({ online }) => online), 60);
    settings.update("packs", { further: [{ address: 3, name: "Shed" }] });
    expect(monitor.packs.map(({ identity }) => identity.address)).toEqual([1, 3]);
    await system.skipUntil("both are online", () => monitor.packs.every(({ online }) => online), 60);
    settings.update("packs", { further: [] });
    expect(monitor.packs.map(({ identity }) => identity)).toEqual([{ address: 1, name: "Pack 1", serial: "" }]);
    await system.skipUntil("it is online", () => monitor.packs[0]?.online ?? false, 60);
  });
});

describe.each([1, 2, 15])("%i packs over the API", (count) => {
  it("each is in the list with its own values, and has documents of its own", async () => {
    await start(count);
    await untilOnline(count);
    await untilLoaded(count);
    const { bank, packs: list } = await shown();
    expect(bank).toMatchObject({ packs: count, online: count, complete: true, capacityAh: 280 * count, alarms: [] });
    expect(list.map(({ address, name, serialNumber }) => [address, name, serialNumber])).toEqual(
      range(count).map((address) => [address, `Pack ${address}`, serialNumberAt(address)]),
    );
    for (const { address, model, soc } of list) {
      const status = dataOf(await client.get(`/api/packs/${String(address)}/status`)) as Record<string, unknown>;
      expect(status).toMatchObject({
        online: true,
        model,
        soc,
        info: { serialNumber: serialNumberAt(Number(address)) },
      });
      const { status: config, json } = await client.get(`/api/packs/${String(address)}/config`);
      expect([config, json]).toMatchObject([200, { data: { loaded: true, battery: { cellCount: 16 } } }]);
    }
    for (const path of ["", "/1/status", "/1/config", "/1/commands"]) {
      const { status, text } = await client.send({ method: "HEAD", path: `/api/packs${path}` });
      expect([path, status, text]).toEqual([path, 200, ""]);
    }
  });

  it("a write reaches its pack alone, and lastCommand names it if there are several", async () => {
    await start(count);
    await untilLoaded(count);
    const head = (address: number): string => (count > 1 ? `Pack ${address}: ` : "");
    const ended = await write(`/api/packs/${count}/settings`, { setting: "cell_ovp_voltage", value: 3.61 });
    expect(ended).toMatchObject({
      lastCommand: `${head(count)}cell_ovp_voltage 3.61 V: confirmed by the BMS.`,
      lastCommandOk: true,
    });
    expect(await write("/api/packs/1/commands", { command: "display_always_on", state: true })).toMatchObject({
      lastCommand: `${head(1)}display_always_on on: confirmed by the BMS.`,
    });
    expect(await queueAt("/api/bms/commands")).toEqual(await queueAt("/api/packs/1/commands"));
    for (const address of range(count)) {
      const { json } = await client.get(`/api/packs/${address}/config`);
      const { cellOvpVoltage } = (json as { data: { protections: Record<string, number> } }).data.protections;
      expect([address, cellOvpVoltage === 3.61]).toEqual([address, address === count]);
    }
  });
});

describe("the first pack", () => {
  it("has the same documents below /api/bms, byte for byte", async () => {
    await start(2);
    await untilLoaded(2);
    await write("/api/bms/commands", { command: "balance", state: true });
    await system.whileTimeStands(async () => {
      for (const resource of ["status", "config", "commands"]) {
        const [one, other] = [await client.get(`/api/bms/${resource}`), await client.get(`/api/packs/1/${resource}`)];
        expect(other.text).toBe(one.text);
      }
    });
  });
});

describe("what is not known", () => {
  it("of a pack that is offline is null; the sums are of the others", async () => {
    await start(2);
    await untilLoaded(2);
    const before = await shown();
    system.bank!.packs[1]!.setOnline(false);
    await untilOnline(1);
    const { bank, packs: list } = await shown();
    const [, missing] = list as [object, Record<string, unknown>];
    const { address, name, online, swapped, shared, well, concerns, conditions, ageSeconds, last, ...values } = missing;
    expect([well, concerns]).toEqual([false, ["offline"]]);
    const unknown = { since: null, value: null, limit: null };
    expect(conditions).toEqual([{ code: "offline", severity: "fault", ...unknown, today: 1 }]);
    expect([address, name, online, swapped, shared]).toEqual([2, "Pack 2", false, false, false]);
    expect(ageSeconds).toBeGreaterThanOrEqual(5);
    expect(new Set(Object.values(values))).toEqual(new Set([null]));
    // What it was.
    const [, was] = before.packs as [object, Record<string, unknown>];
    expect(last).toEqual({
      ...{ soc: was["soc"], voltage: expect.any(Number) as number },
      capacityAh: Number(before.bank["capacityAh"]) / 2,
    });
    expect(bank).toMatchObject({ packs: 2, online: 1, complete: false });
    expect(before.bank["complete"]).toBe(true);
    expect(bank["capacityAh"]).toBe(Number(before.bank["capacityAh"]) / 2);
    const { soc, current, power } = list[0] as Record<string, unknown>;
    expect(bank).toMatchObject({ soc, current, power });
    expect(bank["concerns"]).toContain("offline");
    expect([bank["minCell"], bank["maxTemperature"]]).toMatchObject([{ pack: 1 }, { pack: 1 }]);
    expect((await client.get("/api/packs/2/config")).status).toBe(503);
    expect(await queueAt("/api/packs/2/commands")).toMatchObject({ bmsOnline: false });
    const refused = await client.post("/api/packs/2/commands", { command: "balance", state: true });
    expect(refused.status).toBe(409);
    system.bank!.packs[0]!.setOnline(false);
    await untilOnline(0);
    const all = (await shown()).bank;
    expect([all["voltage"], all["minCell"], all["maxDelta"]]).toEqual([null, null, null]);
  });

  it("there are no paths for", async () => {
    await start(2);
    const none = [
      "",
      "3/status",
      "01/status",
      "x/status",
      "-1/status",
      "1.0/status",
      "1",
      "1/",
      "1/status/",
      "1/relay",
      "/status",
      "%31/status",
    ];
    for (const path of none)
      for (const method of ["GET", "POST", "PUT"]) {
        const { status, json } = await client.send({ method, path: `/api/packs/${path}` });
        expect([path, status, json]).toEqual([path, 404, { success: false, error: "Not found." }]);
      }
    for (const [method, path, allow] of [
      ["PUT", "2/status", "GET, HEAD, OPTIONS"],
      ["GET", "2/settings", "POST, OPTIONS"],
      ["DELETE", "2/commands", "GET, HEAD, POST, OPTIONS"],
    ] as const) {
      const { status, headers, json } = await client.send({ method, path: `/api/packs/${path}` });
      expect([status, headers.get("allow")]).toEqual([405, allow]);
      expect(json).toEqual({ success: false, error: `Method not allowed on /api/packs/${path}.` });
    }
    for (const path of ["/api/packs", "/api/packs/2/status", "/api/packs/3/status"]) {
      expect((await client.send({ path, authorization: null })).status).toBe(401);
      expect((await client.send({ method: "OPTIONS", path, authorization: null })).status).toBe(204);
    }
    for (const path of ["2/commands", "2/settings"]) {
      const post = { method: "POST", path: `/api/packs/${path}` };
      expect((await client.send({ ...post, body: "{}" })).status).toBe(415);
      expect((await client.post(post.path, {})).status).toBe(400);
      expect((await client.send({ ...post, contentType: "application/json", body: "x".repeat(257) })).status).toBe(413);
    }
  });
});

const events = (): string[] => system.probes.parts().log;

describe("another pack at an address", () => {
  const members = { setting: "cell_ovp_voltage", value: 3.62 };
  const swapped = async (): Promise<unknown[]> => (await shown()).packs.map((pack) => pack["swapped"]);

  it("is told, not written to, and accepted by the owner alone; no event has a serial number", async () => {
    await start(2);
    await untilLoaded(2);
    expect((await client.post("/api/packs/2/accept", {})).status).toBe(409);
    system.bank!.packs[1]!.setOnline(false);
    await untilOnline(1);
    const { clock, wire } = system.board;
    const other = new SimulatedBms({ clock, wire: wire.join(), address: 2, serialNumber: "OTHER2", timeFactor: 0 });
    await until("noticed", async () => (await swapped())[1] === true);
    expect(await swapped()).toEqual([false, true]);

    const refused = await client.post("/api/packs/2/settings", members);
    expect([refused.status, (refused.json as { error: string }).error]).toEqual([409, OTHER_PACK]);
    expect((await client.post("/api/packs/1/accept", {})).status).toBe(409);
    expect((await client.send({ method: "POST", path: "/api/packs/2/accept", authorization: null })).status).toBe(401);
    expect((await client.get("/api/packs/2/accept")).status).toBe(405);
    for (const path of ["/api/bms/accept", "/api/packs/3/accept"])
      expect((await client.post(path, {})).status).toBe(404);

    await system.powerCycle();
    client.close();
    client = new ApiClient({ baseUrl: system.url, token: system.token });
    await until("noticed again", async () => (await swapped())[1] === true);
    expect((await client.post("/api/packs/2/accept", {})).status).toBe(200);
    expect(await swapped()).toEqual([false, false]);
    await untilLoaded(2);
    expect(await write("/api/packs/2/settings", members)).toMatchObject({ lastCommandOk: true });
    expect(other.registers.read("VolCellOV")).toBe(3620);
    const told = events();
    expect(told).toEqual(
      expect.arrayContaining([
        "pack-online\t1",
        "pack-online\t2",
        "pack-swapped\t2",
        "write\tcell_ovp_voltage\t3.62\tconfirmed\tV\t2\tAPI\t",
      ]),
    );
    expect(told.join()).not.toMatch(/OTHER2|SIM000/);
    expect(told.join()).not.toContain("bms-online");
    other.close();
  });
});

it.each([
  [1, 1],
  [3, 1],
  [3, 2],
  [3, 3],
])("of %i packs that at %i: two packs at an address are told, and not written to", async (count, address) => {
  await start(count, undefined, count, false, [address]);
  await until("known", async () => (await shown()).packs[address - 1]!["shared"] === true);
  const refused = await client.post(`/api/packs/${address}/settings`, { setting: "cell_ovp_voltage", value: 3.62 });
  expect([refused.status, (refused.json as { error: string }).error]).toEqual([409, TWO_PACKS]);
  expect((await client.post(`/api/packs/${address}/commands`, { command: "balance", state: false })).status).toBe(409);
  expect((await shown()).packs.map(({ shared, concerns }) => [shared, concerns])).toEqual(
    range(count).map((one) =>
      one === address
        ? ([true, expect.arrayContaining(["shared-address"])] as unknown)
        : [false, expect.not.arrayContaining(["shared-address"])],
    ),
  );
  await untilLoaded(count);
  expect((await client.post("/api/packs/settings", { setting: "cell_ovp_voltage", value: 3.62 })).status).toBe(202);
  const outcomes = async (): Promise<unknown[]> =>
    (dataOf(await client.get("/api/packs/settings")) as { packs: { outcome: unknown }[] }).packs.map(
      ({ outcome }) => outcome,
    );
  await until("over", async () => !(await outcomes()).includes(null));
  expect(await outcomes()).toEqual(range(count).map((one) => (one === address ? "other-pack" : "confirmed")));
  const { packs: ones, twins } = system.bank!;
  expect([...ones, ...twins].map(({ registers }) => registers.read("VolCellOV") === 3620)).toEqual([
    ...range(count).map((one) => one !== address),
    false,
  ]);
  // Once it counts, it stands over a restart, until it is disproved.
  const listed = async (): Promise<string[]> =>
    (dataOf(await client.get("/api/conditions")) as { code: string }[]).map(({ code }) => code);
  await until("it counts", async () => (await listed()).includes("shared-address"));
  for (const twin of twins) twin.setOnline(false);
  const { restarts } = system.probes.start();
  client.close();
  system.probes.restart();
  await system.skipUntil("it has started again", () => system.probes.start().restarts > restarts, 60);
  client = new ApiClient({ baseUrl: system.url, token: system.token });
  await untilOnline(count);
  expect((await shown()).packs.map(({ shared }) => shared)).toEqual(range(count).map((one) => one === address));
  expect((await client.post(`/api/packs/${address}/commands`, { command: "balance", state: false })).status).toBe(409);
});

it("while two packs are at its address, what a pack carries is no energy", async () => {
  await start(1, "node", 1, false, [1]);
  const [one] = system.bank!.packs;
  const [twin] = system.bank!.twins;
  one!.pack.current = twin!.pack.current = 50;
  await until("known", async () => (await shown()).packs[0]!["shared"] === true);
  const { energy } = system.firmware;
  const before = energy!.chargedJoules;
  system.skip(60_000);
  expect(energy!.chargedJoules).toBe(before);
  twin!.setOnline(false);
  // 50 A at 53 V for the last minute.
  system.skip(1_000 * SHARED_FOR + 60_000);
  expect(energy!.chargedJoules).toBeGreaterThan(before + 100_000);
});

it("a setting for all packs is ended by a restart, which says so, and the next can begin", async () => {
  await start(3, "node");
  await untilOnline(3);
  await untilLoaded(3);
  const PATH = "/api/packs/settings";
  const members = { setting: "cell_ovp_voltage", value: 3.62 };
  const job = async () => dataOf(await client.get(PATH)) as { running: boolean; setting: unknown; problem: string };
  expect((await client.post(PATH, members)).status).toBe(202);
  expect(await job()).toMatchObject({ running: true, setting: "cell_ovp_voltage", problem: "" });
  client.close();
  await system.powerCycle();
  client = new ApiClient({ baseUrl: system.url, token: system.token });
  expect(await job()).toMatchObject({
    running: false,
    setting: "cell_ovp_voltage",
    problem: "The device was restarted meanwhile.",
  });
  expect(system.probes.parts().log).toContain("all-packs-ended\tcell_ovp_voltage");
  await untilOnline(3);
  await untilLoaded(3);
  expect((await client.post(PATH, members)).status).toBe(202);
  await until("over", async () => !(await job()).running);
  expect(await job()).toMatchObject({ problem: "" });
  expect(system.bank!.packs.map(({ registers }) => registers.read("VolCellOV"))).toEqual([3620, 3620, 3620]);
});

describe("a search", () => {
  const SEARCH = "/api/packs/search";
  interface Search {
    readonly searching: boolean;
    readonly searched: number;
    readonly found: readonly Record<string, unknown>[];
    readonly heard: readonly number[];
  }
  const IDLE = { searching: false, waiting: false, baud: 115_200, problem: "", heard: [] };
  const state = async (): Promise<Search> => dataOf(await client.get(SEARCH)) as Search;

  it("finds packs that are not set up; no log and no event has a serial number", async () => {
    await start(2, undefined, 4);
    await untilLoaded(2);
    expect(await state()).toEqual({ ...IDLE, searched: 0, found: [] });
    await system.whileTimeStands(async () => {
      const begun = await client.post(SEARCH, {});
      expect([begun.status, dataOf(begun)]).toMatchObject([202, { searching: true, found: [] }]);
      const again = await client.post(SEARCH, {});
      expect([again.status, again.json]).toEqual([409, { success: false, error: "Another search is not over yet." }]);
    });
    await until("over", async () => !(await state()).searching);
    expect(await state()).toEqual({
      ...IDLE,
      searched: 16,
      found: range(4).map((address) => ({
        address,
        baud: 115_200,
        model: "JK_PB2A16S20P",
        serialNumber: serialNumberAt(address),
        cells: 16,
        configured: address <= 2,
      })),
    });
    expect((await shown()).bank).toMatchObject({ packs: 2, online: 2, complete: true });
    expect([...events(), ...system.console].join()).not.toMatch(/SIM000/);
  });

  it("finds the packs at the other baud rate where none has ever answered; their settings bring them online", async () => {
    system = await System.start({
      bank: { count: 2, timeFactor: 0 },
      board: { config: { settings: { bms: { baud: 9_600, address: 7 } } } },
    });
    client = new ApiClient({ baseUrl: system.url, token: system.token });
    await untilOnline(0);
    await system.whileTimeStands(async () => {
      const begun = await client.post(SEARCH, {});
      const data = { ...IDLE, searching: true, waiting: true, baud: 9_600, searched: 0, found: [] };
      expect([begun.status, dataOf(begun)]).toEqual([202, data]);
    });
    await until("over", async () => !(await state()).searching);
    expect(await state()).toEqual({
      ...IDLE,
      searched: 16,
      found: range(2).map((address) => ({
        ...{ address, baud: 115_200, model: "JK_PB2A16S20P", serialNumber: serialNumberAt(address) },
        ...{ cells: 16, configured: false },
      })),
    });
    system.probes.configure("bms", { baud: 115_200, address: 2 });
    await untilOnline(1);
    expect((await state()).found.map(({ configured }) => configured)).toEqual([false, true]);
  });

  it("is checked in the order of all requests", async () => {
    await start(1);
    expect((await client.send({ method: "POST", path: SEARCH, authorization: null, body: "x" })).status).toBe(401);
    expect((await client.send({ method: "OPTIONS", path: SEARCH, authorization: null })).status).toBe(204);
    const { status, headers } = await client.send({ method: "DELETE", path: SEARCH });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    const post = { method: "POST", path: SEARCH };
    expect((await client.send({ ...post, body: "{}" })).status).toBe(415);
    expect((await client.send({ ...post, contentType: "application/json", body: "x".repeat(257) })).status).toBe(413);
    expect((await client.send({ ...post, contentType: "application/json", body: "" })).status).toBe(413);
    expect((await client.send({ ...post, contentType: "application/json", body: "[]" })).status).toBe(400);
    expect((await state()).searching).toBe(false);
  });

  it("is refused beside another master, and what that one is answered by is listed", async () => {
    await start(2, undefined, 4, true);
    await until("heard", async () => (await state()).heard.length === 3);
    expect((await state()).heard).toEqual([0, 3, 4]);
    expect(await shown()).toMatchObject({ heard: [0, 3, 4] });
    const refused = await client.post(SEARCH, {});
    expect([refused.status, refused.json]).toEqual([
      409,
      { success: false, error: "Another master is on this bus: the device listens and sends nothing." },
    ]);
  });
});

describe("one queue for all", () => {
  it("a second write is refused while one to another pack is pending", async () => {
    await start(2);
    await untilLoaded(2);
    const command = { command: "balance", state: true };
    await system.whileTimeStands(async () => {
      expect((await client.post("/api/packs/2/commands", command)).status).toBe(202);
      expect(await queueAt("/api/bms/commands")).toMatchObject({ pending: true, lastCommand: "" });
      expect((await client.post("/api/bms/commands", command)).status).toBe(409);
    });
    await until("ended", async () => !(await queueAt("/api/packs/2/commands")).pending);
    expect(await queueAt("/api/bms/commands")).toMatchObject({ pending: false, lastCommand: "" });
  });
});
