/** The packs of a bank over the page's requests: each by its path, and nothing else below it. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { BusPack } from "../../src/packs/types";
import { FakePack } from "../support/fakes/fake-monitor";
import { WebBench } from "../support/web/web-bench";

let bench: WebBench;
let cookie: string;
let packs: (FakePack & { identity: { address: number }; isSwapped: boolean })[];
const acceptPack = vi.fn((pack: BusPack) => pack.isSwapped);

beforeEach(() => {
  acceptPack.mockClear();
  bench = new WebBench({ acceptPack });
  packs = [2, 5].map((address, index) =>
    Object.assign(new FakePack(), { index, identity: { address, name: "", serial: "" }, isSwapped: false }),
  );
  Object.assign(bench.monitor, { packs });
  cookie = bench.signIn();
});

describe.each([2, 5])("the pack at address %i", (address) => {
  const own = (): FakePack => packs.find(({ identity }) => identity.address === address) as FakePack;

  it("has its own configuration and queue", () => {
    own().configurationLoaded = false;
    expect(bench.get(`/web/packs/${address}/config`, cookie).status).toBe(503);
    expect(bench.get(`/web/packs/${address}/queue`, cookie).json).toMatchObject({
      data: { configurationLoaded: false },
    });
    const other = address === 2 ? 5 : 2;
    expect(bench.get(`/web/packs/${other}/config`, cookie).status).toBe(200);
    expect(bench.get(`/web/packs/${other}/queue`, cookie).json).toMatchObject({ data: { configurationLoaded: true } });
  });

  it("is written to by its path, and no other is", () => {
    const command = vi.spyOn(bench.monitor, "command") as unknown as ReturnType<typeof vi.fn>;
    const parameter = vi.spyOn(bench.monitor, "parameter") as unknown as ReturnType<typeof vi.fn>;
    const sent = bench.post(`/web/packs/${address}/commands`, { command: "balance", state: true }, cookie);
    expect([sent.status, sent.json]).toMatchObject([202, { data: { statusEndpoint: `/web/packs/${address}/queue` } }]);
    expect((command.mock.calls[0] as unknown[])[0]).toBe(own());
    bench.monitor.settle();
    expect(bench.post(`/web/packs/${address}/parameters`, { setting: "cell_count", value: 16 }, cookie).status).toBe(
      202,
    );
    expect((parameter.mock.calls[0] as unknown[])[0]).toBe(own());
  });

  it("is accepted only where another one answers", () => {
    expect(bench.post(`/web/packs/${address}/accept`, {}, cookie).status).toBe(409);
    Object.assign(own(), { isSwapped: true });
    expect(bench.post(`/web/packs/${address}/accept`, {}, cookie).status).toBe(200);
    expect(acceptPack.mock.lastCall?.[0]).toBe(own());
  });
});

it("there is nothing else below a pack, and no pack at another address", () => {
  for (const path of [
    "2/session",
    "2/relay",
    "2/restart",
    "2",
    "2/",
    "2/config/",
    "02/config",
    "3/config",
    "x/queue",
    "",
  ])
    expect([path, bench.get(`/web/packs/${path}`, cookie).status]).toEqual([path, 404]);
  expect(bench.post("/web/packs/2/factory-reset", { confirm: true }, cookie).status).toBe(404);
  expect(bench.get("/web/packs/2/commands", cookie).status).toBe(405);
  expect(bench.get("/web/packs/2/accept", cookie).status).toBe(405);
});

it("without a session there is none of it, and guests may only read", () => {
  expect(bench.get("/web/packs/2/config").status).toBe(401);
  expect(bench.post("/web/packs/2/accept", {}).status).toBe(401);
  bench.letGuestsIn();
  const guest = bench.signInGuest();
  packs.forEach((pack) => (pack.isSwapped = true));
  expect(bench.get("/web/packs/2/config", guest).status).toBe(200);
  for (const path of ["2/accept", "2/commands", "2/parameters", "search", "settings"])
    expect(bench.post(`/web/packs/${path}`, {}, guest).status).toBe(403);
  expect(acceptPack).not.toHaveBeenCalled();
});

it("in safe mode nothing is written or accepted", () => {
  const safe = new WebBench({ acceptPack, start: { safe: true } as never });
  Object.assign(safe.monitor, { packs });
  const own = safe.signIn();
  for (const path of ["2/accept", "2/commands", "2/parameters", "search", "settings"])
    expect(safe.post(`/web/packs/${path}`, {}, own).status).toBe(503);
});

describe("a setting for all packs", () => {
  const ofJob = (job: object | undefined): unknown => {
    Object.assign(bench.monitor, { job });
    return bench.ask({ path: "/web/packs/settings", cookie, sources: true }).json;
  };
  const row = (address: number, outcome: string | null, message: string, last: object | null = null): object => ({
    address,
    name: "",
    outcome,
    message,
    last,
  });

  it("is begun for the page, and refused by a code", () => {
    const parameterToAll = vi.fn((): object | undefined => undefined);
    Object.assign(bench.monitor, { parameterToAll });
    const asked = { setting: "cell_count", value: 16 };
    const begun = bench.post("/web/packs/settings", asked, cookie);
    expect([begun.status, begun.json]).toMatchObject([202, { data: { statusEndpoint: "/web/packs/settings" } }]);
    expect(parameterToAll).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: "cell_count" }), 16, "page");
    parameterToAll.mockReturnValue({ reason: "pending", message: "Another." });
    const refused = bench.post("/web/packs/settings", asked, cookie);
    expect([refused.status, refused.json]).toMatchObject([409, { data: { reason: "pending" } }]);
  });

  it("has its outcomes as codes, those still to come as null, and why it has ended", () => {
    const report = { name: "cell_count", value: "16", unit: "cells", outcome: "confirmed", detail: "", pack: 2 };
    const endings: readonly unknown[] = [report, { reason: "offline", message: "Offline." }];
    const job = { setting: "cell_count", problem: "", isRunning: true };
    const message = "Pack 2: cell_count 16 cells: confirmed by the BMS.";
    expect(ofJob(undefined)).toEqual({
      success: true,
      data: { running: false, setting: null, problem: "", packs: [row(2, null, ""), row(5, null, "")] },
    });
    expect(ofJob({ ...job, endingOf: ({ index }: BusPack) => endings[index] })).toEqual({
      success: true,
      data: {
        running: true,
        setting: "cell_count",
        problem: "",
        packs: [row(2, "confirmed", message, report), row(5, "offline", "Offline.")],
      },
    });
    for (const problem of ["interrupted", "restarted"])
      expect(ofJob({ ...job, problem, isRunning: false, endingOf: () => undefined })).toMatchObject({
        data: { running: false, problem },
      });
  });
});

it("a search says by a code why it cannot begin", () => {
  const startSearch = vi.fn(() => "listening");
  Object.assign(bench.monitor, { startSearch, heard: 0b1_0110_0100 });
  const { status, json } = bench.post("/web/packs/search", {}, cookie);
  expect([status, json]).toEqual([409, { success: false, error: "listening" }]);
  expect(bench.get("/web/packs/search", cookie).json).toMatchObject({
    data: { searching: false, searched: 0, problem: "", found: [], heard: [6, 8] },
  });
});

describe("the link", () => {
  const link = (): unknown =>
    (bench.get("/web/device", cookie).json as { data: { link: { online: boolean; readMode: string } } }).data.link;

  it.each([0, 1, 2])("answers while pack %i of three does, and is read as that pack is", (answering) => {
    const three = (["registers", "frames", "registers"] as const).map((readMode, index) =>
      Object.assign(new FakePack(), {
        index,
        identity: { address: index + 1, name: "", serial: "" },
        readMode,
        online: index === answering,
      }),
    );
    Object.assign(bench.monitor, { packs: three });
    expect(link()).toMatchObject({ online: true, readMode: answering === 1 ? "frames" : "registers" });
    three[answering]!.online = false;
    expect(link()).toMatchObject({ online: false, readMode: "registers" });
  });

  it.each([0, 1, 2])("answers while only pack %i of three is asleep", (asleep) => {
    const three = [0, 1, 2].map((index) =>
      Object.assign(new FakePack(), {
        index,
        identity: { address: index + 1, name: "", serial: "" },
        online: index !== asleep,
      }),
    );
    Object.assign(bench.monitor, { packs: three });
    expect(link()).toMatchObject({ online: true });
  });
});
