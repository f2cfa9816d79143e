import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIN_FREE } from "../../src/health/limits";
import { startBroker } from "../support/mqtt/broker";
import { Authority } from "../support/tls/certificates";
import { TOKEN } from "../support/system/system";
import { ROUTER } from "./command";
import { BOARD, BUILD, newBoardEach, until, WIFI } from "./machine";
import { OWNED, Owner } from "./owner";
import { serveTime } from "./time";

if (!WIFI) throw new Error("This QEMU has no Wi-Fi: these tests need lcgamboa/qemu (docs/building.md)");

/** RISC-V: no code is at 0. `csrci mstatus, 8` and `j .`: a loop with interrupts off, at the end of the RTC's fast memory. */
const NOWHERE = 0;
const LOOP = Uint8Array.of(0x73, 0x70, 0x04, 0x30, 0x01, 0xa0);
const LOOP_AT = 0x5000_1ff0;
/** `j .`: a loop that interrupts and other tasks go on beside. */
const SPIN = Uint8Array.of(0x01, 0xa0);
/** Of XS; its task alone calls it. */
const IN_SCRIPT = "fxRunID";

describe(`the life of ${BOARD}`, () => {
  const board = newBoardEach(OWNED);
  const again = async (starts: number): Promise<Owner> => {
    await until(`start ${starts}:\n${board.machine.console.slice(-2000)}`, () =>
      board.machine.starts >= starts ? true : undefined,
    );
    return Owner.of(board.machine);
  };

  it("joins the Wi-Fi, serves its page and its API, and stays up", async () => {
    const owner = await Owner.of(board.machine);
    const page = await owner.send("GET", "/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const { status, headers } = await fetch(`${board.machine.url}/api`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    await expect.poll(async () => (await owner.device()).link.online).toBe(true);
    const { start, network, memory } = await owner.device();
    expect([start.reason, start.safeMode, network.ssid]).toEqual(["power-on", false, "PICSimLabWifi"]);
    expect(memory.leastFree).toBeGreaterThan(0);
    expect(memory.largestBlock).toBeLessThanOrEqual(memory.free!);
    console.log(`${BOARD}: memory ${JSON.stringify(memory)}`);
    expect(board.machine.starts).toBe(1);
  });

  it("the serial port: a hundred polls, and neither side hears a broken frame", async () => {
    const owner = await Owner.of(board.machine);
    const { outcomes } = board.machine.bms.traffic;
    await until("a hundred polls", () => (outcomes.answered >= 100 ? true : undefined));
    const { link, memory } = await owner.device();
    console.log(`${BOARD}: link ${JSON.stringify(link)}, memory ${JSON.stringify(memory)}`);
    expect(link).toMatchObject({ online: true, crcErrors: 0 });
    expect(outcomes).toMatchObject({ damaged: 0, exception: 0, "too-soon": 0 });
  });

  it("restarts when told to, and says so", async () => {
    await (await Owner.of(board.machine)).send("POST", "/web/restart", {});
    expect((await (await again(2)).device()).start).toMatchObject({ reason: "ordered", safeMode: false });
  });

  it("keeps its settings over a power cut", async () => {
    await (await Owner.of(board.machine)).configure("device", { name: "Shed" });
    await board.machine.cut();
    await board.start();
    const owner = await Owner.of(board.machine);
    expect((await owner.send("GET", "/web/group/device")).text).toContain('"Shed"');
    expect((await owner.device()).start.reason).toBe("power-on");
  });

  it("a jump to nowhere: a panic, a core dump, a restart that says so", async () => {
    await Owner.of(board.machine);
    await board.machine.run(NOWHERE);
    const { start } = await (await again(2)).device();
    expect(start).toMatchObject({ reason: "panic", restarts: 1, safeMode: false });
    expect(start.where).not.toBe("");
  });

  it("a loop with interrupts off: the interrupt watchdog", async () => {
    await Owner.of(board.machine);
    await board.machine.run(LOOP_AT, LOOP);
    expect((await (await again(2)).device()).start).toMatchObject({ reason: "interrupt-watchdog", restarts: 1 });
  });

  it("a script that hangs: the task watchdog", async () => {
    await Owner.of(board.machine);
    await board.machine.run(LOOP_AT, SPIN, IN_SCRIPT);
    expect((await (await again(2)).device()).start).toMatchObject({ reason: "task-watchdog", restarts: 1 });
  });

  it("five panics: safe mode, with page and API", async () => {
    let owner = await Owner.of(board.machine);
    for (let start = 2; start <= 6; start++) {
      await board.machine.run(NOWHERE);
      owner = await again(start);
    }
    expect((await owner.device()).start).toMatchObject({ reason: "panic", safeMode: true });
  });

  // The same image in either slot: the firmware tells them apart by the slot.
  it("an update: the new image starts from the other slot, is accepted, and stays", async () => {
    const image = readFileSync(join(BUILD, "xs_esp32.bin"));
    const answer = await (await Owner.of(board.machine)).update(image);
    expect([answer.status, answer.json]).toMatchObject([200, { data: { state: "restarting" } }]);
    let owner = await again(2);
    const { start, update } = await owner.device();
    expect([start.reason, update]).toMatchObject(["update", { state: "idle", error: "" }]);
    // While it is on trial, no upload is looked at.
    await expect
      .poll(async () => (await owner.update(image.subarray(0, 1))).json as unknown)
      .toMatchObject({
        error: "image-too-small",
      });
    await owner.send("POST", "/web/restart", {});
    owner = await again(3);
    const later = await owner.device();
    expect([later.start.reason, later.update]).toMatchObject(["ordered", { state: "idle", error: "" }]);
  });

  it("an update whose first start panics before it was asked for anything: the old image again", async () => {
    const image = readFileSync(join(BUILD, "xs_esp32.bin"));
    expect((await (await Owner.of(board.machine)).update(image)).status).toBe(200);
    await until("the new image", () => (board.machine.starts >= 2 ? true : undefined));
    // The console is silent until the firmware has its access point's name; a poll shows that the script runs.
    const polls = board.machine.bms.traffic.outcomes.answered;
    await until("a poll", () => (board.machine.bms.traffic.outcomes.answered > polls ? true : undefined));
    await board.machine.run(NOWHERE);
    const { start, update } = await (await again(3)).device();
    expect([start.reason, update.error]).toEqual(["panic", "rolled-back"]);
  });

  it("a router out of reach: no restart, the BMS polled; back: the page answers", async () => {
    await Owner.of(board.machine);
    await board.machine.link(false);
    await expect(fetch(`${board.machine.url}/`, { signal: AbortSignal.timeout(3000) })).rejects.toThrow();
    const polls = board.machine.bms.traffic.outcomes.answered;
    await until("polls", () => (board.machine.bms.traffic.outcomes.answered > polls + 20 ? true : undefined));
    await board.machine.link(true);
    const owner = await Owner.of(board.machine);
    await expect.poll(async () => (await owner.device()).link.online).toBe(true);
    expect([(await owner.device()).start.restarts, board.machine.starts]).toEqual([0, 1]);
  });

  it("page, API, MQTT by TLS and SNMP at once: what the heap has left", async () => {
    const authority = new Authority();
    // Without the time no certificate is accepted.
    const stopTime = await serveTime();
    const broker = await startBroker({ tls: authority.server({ names: `IP:${ROUTER.host}` }) });
    try {
      const client = await broker.client();
      const owner = await Owner.of(board.machine);
      await owner.configure("snmp", { enabled: true });
      if (stopTime) await owner.configure("time", { server: ROUTER.host });
      const secured = { host: ROUTER.host, port: broker.tlsPort, tls: true, ca: authority.pem };
      await owner.configure("mqtt", { enabled: true, ...secured });
      await until("the pack's values at the broker", () =>
        [...client.topics.keys()].some((topic) => topic.endsWith("/telemetry")) ? true : undefined,
      );
      await fetch(`${board.machine.url}/api`, { headers: { Authorization: `Bearer ${TOKEN}` } });
      const { memory, start } = await owner.device();
      console.log(`${BOARD}, everything on: memory ${JSON.stringify(memory)}`);
      expect(memory.leastFree).toBeGreaterThan(MIN_FREE);
      expect(start.restarts).toBe(0);
    } finally {
      await broker.stop();
      stopTime?.();
      authority.remove();
    }
  });
});
