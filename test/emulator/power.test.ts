import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { Random } from "../fuzz/random";
import { fillHistory } from "../suites/full-house";
import { eventsIn, recordOf, RINGS } from "../support/system/history-flash";
import { TOKEN } from "../support/system/system";
import { BOARD, newBoardEach, until, WIFI } from "./machine";
import { partitionsOf } from "./flash";
import { OWNED, Owner } from "./owner";

if (!WIFI) throw new Error("This QEMU has no Wi-Fi: these tests need lcgamboa/qemu (docs/building.md)");

const KILLS = Number(process.env["KILLS"] ?? 4);
/** A start, or less, of each; the machine may be busy, ms. */
const PATIENCE = 600_000 + KILLS * 120_000;
/** What each write of NVS passes, and of the history. */
const STORE_WRITE = "esp_partition_write";
const HISTORY_WRITE = "xs_flashstorage_write";
/** Writes of flash that one of the settings takes, about. */
const WRITES = 8;
/** docs/history.md, "Bytes". */
const SECTOR = 4096;
const HEADER = 16;
const SEQUENCE_AT = 5;
const ERASED = 0xff;
const BEARER = { headers: { Authorization: `Bearer ${TOKEN}` } };
const PARTITIONS = partitionsOf(readFileSync(join(root, "boards/esp32/partitions.csv"), "utf8"));

/** Where the next event goes: behind all that is not erased in the newest sector of their ring; undefined: that is full. */
function nextPlace(history: Buffer): number | undefined {
  const { first, sectors, record } = RINGS.events;
  const begun = Array.from({ length: sectors }, (_, at) => (first + at) * SECTOR).filter(
    (start) => history.toString("latin1", start, start + 2) === "FL",
  );
  const sequence = (start: number): number => history.readUInt32BE(start + SEQUENCE_AT);
  const newest = begun.toSorted((one, other) => sequence(other) - sequence(one))[0]!;
  let place = newest + HEADER;
  for (let at = place; at + record <= newest + SECTOR; at += record)
    if (history.subarray(at, at + record).some((byte) => byte !== ERASED)) place = at + record;
  return place + record <= newest + SECTOR ? place : undefined;
}

describe(`a power cut at the worst time, and damaged flash: ${BOARD}`, () => {
  const board = newBoardEach(OWNED);

  const file = (): string => join(board.folder, "flash.bin");
  /** The bytes of a partition. */
  const read = (name: string): Buffer => {
    const { offset, size } = PARTITIONS.get(name)!;
    return readFileSync(file()).subarray(offset, offset + size);
  };
  /** Cuts the power, changes a partition, and powers the board on again. */
  async function restart(name: string, change: (bytes: Buffer) => void): Promise<void> {
    await board.machine.cut();
    const flash = readFileSync(file());
    const { offset, size } = PARTITIONS.get(name)!;
    change(flash.subarray(offset, offset + size));
    writeFileSync(file(), flash);
    await board.start();
  }
  const nameOf = async (owner: Owner): Promise<string> =>
    (/"name":"([^"]*)"/.exec((await owner.send("GET", "/web/group/device")).text) ?? [])[1]!;
  const polled = async (): Promise<void> => {
    const { outcomes } = board.machine.bms.traffic;
    await until("polls", () => (outcomes.answered > 3 ? true : undefined));
  };
  const events = (): string[] => eventsIn(read("history"));

  it(
    `${KILLS} times: every setting that was confirmed is there, and the device starts at once`,
    async () => {
      const random = new Random(1);
      let confirmed = "before";
      let owner = await Owner.of(board.machine);
      await owner.configure("device", { name: confirmed });
      const kept = { confirmed: 0, written: 0 };
      for (let kill = 1; kill <= KILLS; kill++) {
        confirmed = `Kill ${kill}`;
        await owner.configure("device", { name: confirmed });
        const next = `Cut ${kill}`;
        // Half of them as the flash is about to be written, the others at any time.
        const cut =
          kill % 2
            ? board.machine.halt(STORE_WRITE, 1 + random.below(WRITES))
            : sleep(random.below(400)).then(() => undefined);
        let sent = false;
        const write = owner.configure("device", { name: next }).then(
          () => (sent = true),
          () => undefined,
        );
        await Promise.race([cut, write.then(() => sleep(500))]);
        await board.machine.cut();
        await write;
        await board.start();
        owner = await Owner.of(board.machine);
        const found = await nameOf(owner);
        expect([confirmed, next]).toContain(found);
        if (sent) expect(found).toBe(next);
        if (found === confirmed) kept.confirmed++;
        else kept.written++;
        const { start } = await owner.device();
        expect([board.machine.starts, start.reason, start.problems]).toEqual([1, "power-on", []]);
        await polled();
      }
      console.log(`${BOARD}: ${KILLS} kills: ${kept.confirmed} before the write, ${kept.written} after it`);
    },
    PATIENCE,
  );

  it.each([
    ["noise", (nvs: Buffer) => nvs.set(new Random(2).bytes(nvs.length))],
    ["zeros", (nvs: Buffer) => void nvs.fill(0)],
  ])("all of NVS is %s: a first start, and the BMS is polled", async (_what, change) => {
    await Owner.of(board.machine);
    await restart("nvs", change);
    await board.machine.says(/network: access point JK-BMS-123456, password \S{12}/);
    await board.machine.says(/set-up code \S{12}/);
    await polled();
    expect(board.machine.starts).toBe(1);
  });

  it("single bits of NVS are wrong: page and settings that are whole are there", async () => {
    const owner = await Owner.of(board.machine);
    await owner.configure("device", { name: "Shed" });
    await restart("nvs", (nvs) => {
      for (let at = nvs.indexOf("Shed"); at >= 0; at = nvs.indexOf("Shed", at + 1)) nvs[at]! ^= 0x02;
    });
    expect(await nameOf(await Owner.of(board.machine))).not.toMatch(/^(Shed|Qhed)$/);
    await polled();
    expect(board.machine.starts).toBe(1);
  });

  it.each([
    ["is noise", (flash: Buffer) => flash.set(new Random(3).bytes(flash.length))],
    ["is all zeros", (flash: Buffer) => void flash.fill(0)],
    [
      "has wrong bits",
      (flash: Buffer) => {
        const random = new Random(4);
        fillHistory(flash, Math.floor(Date.now() / 1000));
        for (let count = 0; count < 500; count++) flash[random.below(flash.length)]! ^= 1 << random.below(8);
      },
    ],
  ])("a history that %s: it is answered, and what happens is stored again", async (_what, change) => {
    await Owner.of(board.machine);
    await restart("history", change);
    const owner = await Owner.of(board.machine);
    for (const path of ["/api/history", "/api/history?series=hours", "/api/events"]) {
      const answer = await fetch(`${board.machine.url}${path}`, BEARER);
      expect([path, answer.status, typeof (await answer.json())]).toEqual([path, 200, "object"]);
    }
    await owner.configure("device", { name: "Shed" });
    await until("the event in flash", () => (events().includes("settings-changed\tdevice") ? true : undefined));
    await polled();
    const { start } = await owner.device();
    expect([board.machine.starts, start.restarts]).toEqual([1, 0]);
  });

  it(
    "a power cut while an event is written, whole or torn: those before it are there, and the next follow",
    async () => {
      let owner = await Owner.of(board.machine);
      for (let cut = 1; cut <= KILLS; cut++) {
        await until("the start in flash", () => (events().length >= 1 ? true : undefined));
        await owner.configure("device", { name: `Event ${cut}` });
        await until("the event in flash", () => (events().at(-1) === "settings-changed\tdevice" ? true : undefined));
        const before = events();
        // Another group: the same event again would only be counted.
        const halted = board.machine.halt(HISTORY_WRITE, 1);
        const write = owner.configure("mqtt", { host: `broker-${cut}` }).catch(() => undefined);
        await halted;
        await restart("history", (history) => {
          const torn = recordOf("events", undefined, [12, 1]).subarray(0, (cut * 7) % RINGS.events.record);
          const place = nextPlace(history);
          if (place !== undefined) history.set(torn, place);
        });
        await write;
        owner = await Owner.of(board.machine);
        await until("the start in flash", () => (events().length > before.length ? true : undefined));
        expect(events().slice(0, before.length)).toEqual(before);
        const answer = await fetch(`${board.machine.url}/api/events`, BEARER);
        expect([answer.status, board.machine.starts]).toEqual([200, 1]);
        await polled();
      }
    },
    PATIENCE,
  );
});
