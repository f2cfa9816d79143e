import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { makeKey, publicKeyOf, readKey } from "../../scripts/image-signing.mjs";
import { SAFE_RESTARTS } from "../../src/health/limits";
import { TRIAL_LIMIT_MS } from "../../src/update/limits";
import { freePort } from "../support/free-port";
import { image, type ImageOptions } from "../support/boards/image";
import { sampled } from "../support/property";
import { System } from "../support/system/system";
import { WebClient, type WebAnswer } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
const HASH = hashPassword(PASSWORD, 100);
/** Bytes of data in each of the two segments: an image of some 80 KB. */
const SIZE = 40_000;
const SECOND = 1_000;

const running: System[] = [];
afterEach(async () => {
  for (const system of running.splice(0)) {
    await system.board.restarted;
    system.stop();
  }
});

async function start(updateKey = ""): Promise<{ system: System; client: WebClient; own: string }> {
  const settings = { web: { password: HASH } };
  const system = await System.start({ board: { config: { httpPort: await freePort(), settings, updateKey } } });
  running.push(system);
  await system.untilLoaded();
  const client = new WebClient(system);
  await client.signIn(PASSWORD);
  return { system, client, own: await versionOf(client) };
}

async function versionOf(client: WebClient): Promise<string> {
  return ((await client.get("/web/device")).json as { data: { version: string } }).data.version;
}

function upload(client: WebClient, bytes: Buffer, query = ""): Promise<WebAnswer> {
  const { request, answer } = client.upload(`/web/update${query}`, bytes.length);
  request.end(bytes);
  return answer;
}

const good = (options: ImageOptions = {}): Buffer => image({ size: SIZE, ...options });

/** Uploads a good image and waits until it has been started. */
async function update(system: System, client: WebClient): Promise<void> {
  const answer = await upload(client, good());
  expect([answer.status, answer.json.data]).toMatchObject([200, { state: "restarting", error: "" }]);
  await system.until("the new image runs", () => system.board.slots.running === 1);
  await system.board.restarted;
}

describe("a good image", () => {
  it("starts, is confirmed after network, HTTP and a poll, and stays", async () => {
    const { system, client } = await start();
    system.bms.setOnline(false);
    await update(system, client);
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe("9.9.9");
    system.skip(30 * SECOND);
    expect(system.board.slots.states).toEqual(["valid", "pending"]);
    expect(system.probes.update()).toMatchObject({ onTrial: true, error: "" });
    expect((await upload(client, good())).json).toMatchObject({ error: "update-running" });

    system.bms.setOnline(true);
    await client.get("/web/session");
    await system.until("the image counts as good", () => system.board.slots.states[1] === "valid");
    expect(system.probes.update()).toMatchObject({ state: "idle", onTrial: false });
    await system.powerCycle();
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe("9.9.9");
  });

  it("of the version that runs already is confirmed, too, and reported as nothing else", async () => {
    const { system, client, own } = await start();
    await system.whileTimeStands(async () => {
      const answer = await upload(client, good({ version: own }));
      expect([answer.status, answer.json.data]).toMatchObject([200, { state: "restarting" }]);
    });
    await system.until("the new image runs", () => system.board.slots.running === 1);
    await system.board.restarted;
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe(own);
    await system.until("the image counts as good", () => system.board.slots.states[1] === "valid");
    expect(system.probes.update()).toMatchObject({ state: "idle", error: "" });
  });

  it("that does not prove itself before the next start is rolled back, which is reported", async () => {
    const { system, client, own } = await start();
    system.bms.setOnline(false);
    await update(system, client);
    await system.powerCycle();
    expect(system.board.slots.states).toEqual(["valid", "bad"]);
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe(own);
    expect((await client.get("/web/update")).json.data).toMatchObject({
      state: "failed",
      error: "rolled-back",
    });
  });

  it("is started and, when it fails its trial, rejected only after the running firmware has stopped", async () => {
    const { system, client } = await start();
    const lastBefore = async (): Promise<string | undefined> => {
      await client.signIn(PASSWORD);
      const { data } = (await client.get("/web/log")).json as { data: { text: string; before?: boolean }[] };
      return data.filter(({ before }) => before).at(-1)?.text;
    };
    expect((await upload(client, good())).status).toBe(200);
    system.bms.setOnline(false);
    await system.until("the new image runs", () => system.board.slots.running === 1);
    await system.board.restarted;
    expect(await lastBefore()).toBe("stopped");
    system.skip(TRIAL_LIMIT_MS);
    await system.until("the old image runs", () => system.board.slots.running === 0);
    await system.board.restarted;
    expect(system.board.slots.states).toEqual(["valid", "bad"]);
    expect(await lastBefore()).toBe("stopped");
  });

  it("that was activated just before a power cut starts", async () => {
    const { system, client } = await start();
    await system.whileTimeStands(async () => {
      expect((await upload(client, good())).status).toBe(200);
      expect(system.board.slots.running).toBe(0);
      await system.powerCycle();
    });
    expect(system.board.slots.running).toBe(1);
    await system.until("the image counts as good", async () => {
      await client.get("/web/session");
      return system.board.slots.states[1] === "valid";
    });
  });
});

describe("a firmware that requires signed updates", () => {
  it("accepts images signed with its key, and older ones only on demand, which is logged", async () => {
    const key = readKey(makeKey());
    const { system, client } = await start(publicKeyOf(key));
    expect((await client.get("/web/device")).json.data.update).toMatchObject({ signed: true });
    for (const [options, error] of [
      [{}, "image-unsigned"],
      [{ key: readKey(makeKey()) }, "image-signature"],
      [{ key, version: "0.0.9" }, "image-older"],
    ] as const)
      expect([await upload(client, good(options))]).toMatchObject([{ status: 400, json: { error } }]);
    expect(system.board.slots.states).toEqual(["valid", "empty"]);
    await system.whileTimeStands(async () => {
      const answer = await upload(client, good({ key, version: "0.0.9" }), "?older=1");
      expect([answer.status, answer.json.data]).toMatchObject([200, { state: "restarting", error: "" }]);
      const log = (await client.get("/web/log")).json as { data: { text: string }[] };
      expect(log.data.map(({ text }) => text)).toContain("older-update\t0.0.9");
    });
    await system.until("the older image runs", () => system.board.slots.running === 1);
  });

  it("takes what npm run sign has signed with the key of npm run keygen, and nothing else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "signed-"));
    const script = (name: string, ...parameters: string[]): string =>
      execFileSync("node", [`scripts/${name}.mjs`, ...parameters], { encoding: "utf8" });
    const signed = (key: string): Buffer => {
      const path = join(folder, "image.bin");
      writeFileSync(path, good());
      script("sign", path, join(folder, key));
      return readFileSync(path);
    };
    const [updateKey] = ["own", "other"].map(
      (name) => /04[0-9a-f]{128}/.exec(script("keygen", join(folder, name)))?.[0],
    );
    const [right, wrong] = ["own", "other"].map(signed) as [Buffer, Buffer];
    rmSync(folder, { recursive: true });

    const { system, client } = await start(updateKey);
    const flipped = Buffer.from(right);
    flipped[SIZE] = (flipped[SIZE] as number) ^ 1;
    for (const [bytes, error] of [
      [wrong, "image-signature"],
      [flipped, "image-damaged"],
      [Buffer.concat([right, Buffer.alloc(1)]), "image-too-long"],
    ] as const)
      expect(await upload(client, bytes)).toMatchObject({ status: 400, json: { error } });
    expect(system.board.slots.states).toEqual(["valid", "empty"]);
    expect((await upload(client, right)).status).toBe(200);
    await system.until("the signed image runs", () => system.board.slots.running === 1);
  });
});

const damaged = good();
damaged[SIZE] = (damaged[SIZE] as number) ^ 1;

describe("a rejected image", () => {
  it.each([
    ["damaged", damaged, "image-damaged"],
    ["for another board", good({ mark: "@jk-bms-monitor/other" }), "image-other-board"],
    ["for another chip", image({ size: 2_500, chip: 9 }), "image-other-chip"],
    ["cut off", good().subarray(0, SIZE), "image-incomplete"],
    ["no image", Buffer.alloc(5_000, "BM"), "not-firmware"],
  ])("%s: reports why, and the firmware keeps running", async (_, bytes, reason) => {
    const { system, client, own } = await start();
    const answer = await upload(client, bytes);
    expect([answer.status, answer.json]).toMatchObject([400, { success: false, error: reason }]);
    expect((await client.get("/web/update")).json.data).toMatchObject({ state: "failed", error: reason });
    system.skip(5 * SECOND);
    expect(system.board.slots.running).toBe(0);
    await system.powerCycle();
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe(own);
    await update(system, client);
  });

  it("too small or too large is not even received", async () => {
    const { system, client } = await start();
    const answers = [await upload(client, Buffer.alloc(100)), await client.upload("/web/update", 3_000_000).answer];
    expect(answers.map(({ status, json }) => [status, (json as { error: string }).error])).toEqual([
      [409, "image-too-small"],
      [409, "image-too-large"],
    ]);
    expect(system.board.slots.states).toEqual(["valid", "empty"]);
  });

  it("that the platform rejects leaves no trace: safe mode goes on, and the next start reports no roll-back", async () => {
    const { system, client } = await start();
    for (let count = 0; count < SAFE_RESTARTS; count++) {
      system.board.panic();
      await system.board.restarted;
    }
    await client.signIn(PASSWORD);
    system.board.slots.invalid = true;
    expect((await upload(client, good())).json).toMatchObject({ error: "image-refused" });
    expect((await client.get("/web/device")).json).toMatchObject({ data: { start: { safeMode: true } } });
    await system.powerCycle();
    await client.signIn(PASSWORD);
    expect((await client.get("/web/update")).json).toMatchObject({ data: { state: "idle", error: "" } });
  });

  it("from a client that is not signed in, or from another site", async () => {
    const { system, client } = await start();
    expect((await upload(new WebClient(system), image({ size: 2_500 }))).status).toBe(401);
    const headers = { "content-type": "application/octet-stream", origin: "http://elsewhere.example" };
    expect((await client.send("POST", "/web/update", { body: "x", headers })).status).toBe(403);
    expect(system.probes.update()).toMatchObject({ state: "idle", received: 0 });
  });
});

describe("during an upload", () => {
  it("a write to the BMS goes first and is confirmed", async () => {
    const { system, client } = await start();
    const bytes = good();
    const half = bytes.length >> 1;
    const { request, answer } = client.upload("/web/update", bytes.length);
    request.write(bytes.subarray(0, half));
    await system.until("half of it is in", () => system.probes.update().received === half);
    await system.whileTimeStands(() => writeMeanwhile(system, client, () => request.end(bytes.subarray(half)), half));
    expect((await answer).status).toBe(200);
    await system.until("the new image runs", () => system.board.slots.running === 1);
  });

  /** Time goes on in steps of the test alone. `finish` sends the other half. */
  async function writeMeanwhile(system: System, client: WebClient, finish: () => void, half: number): Promise<void> {
    // The first two attempts are lost, so that the write takes a while.
    const isWrite = (order: { function: number }): boolean => order.function === 0x10;
    system.bms.faults.add({ kind: "no-answer", times: 2, matching: isWrite });
    expect((await client.post("/web/parameters", { setting: "cell_ovp_voltage", value: 3.6 })).status).toBe(202);
    finish();
    let waited = 0;
    await system.skipUntil("the write has ended", () => {
      // Both are read at once: nothing runs in between.
      const { pending } = system.monitor();
      const { received } = system.probes.update();
      if (pending) {
        waited++;
        expect(received).toBe(half);
      }
      return !pending;
    });
    expect(waited).toBeGreaterThan(3);
    expect(system.monitor()).toMatchObject({ lastCommandOk: true });
    expect(system.bms.registers.read("VolCellOV")).toBe(3_600);
  }

  it("a second upload is refused, and an aborted one makes room for the next", async () => {
    const { system, client } = await start();
    const first = client.upload("/web/update", 50_000);
    const gone = first.answer.catch(() => "gone");
    first.request.write(good().subarray(0, 10_000));
    await system.until("a part of it is in", () => system.probes.update().received === 10_000);
    const second = await client.upload("/web/update", 50_000).answer;
    expect([second.status, second.json.error]).toEqual([409, "update-running"]);
    first.request.destroy();
    expect(await gone).toBe("gone");
    await system.until("it is given up", () => system.probes.update().state === "failed");
    expect(system.probes.update().error).toBe("upload-ended");
    await update(system, client);
  });

  it.each(sampled([0, 1, 1_024, 40_000, -1]))("a power cut at byte %i: the old firmware starts", async (at) => {
    const { system, client, own } = await start();
    const bytes = good();
    const sent = at < 0 ? bytes.length + at : at;
    const { request, answer } = client.upload("/web/update", bytes.length);
    const broken = answer.catch(() => "broken");
    if (sent) request.write(bytes.subarray(0, sent));
    await system.until("it has come so far", () => {
      const { state, received } = system.probes.update();
      return state === "receiving" && received === sent;
    });
    await system.powerCycle();
    expect(await broken).toBe("broken");
    expect(system.board.slots.states).toEqual(["valid", "empty"]);
    await client.signIn(PASSWORD);
    expect(await versionOf(client)).toBe(own);
    expect(system.probes.update()).toMatchObject({ state: "idle", error: "", onTrial: false });
    await system.until("the BMS is polled again", () => system.monitor().online);
  });
});
