import { beforeEach, describe, expect, it } from "vitest";
import { Cursor } from "flash-log/cursor";
import { NorFlash } from "../../host-sim/nor-flash";
import { EVENTS, FIRST_SECTOR, SECTORS } from "../../src/history/layout";
import { RecordStore } from "../../src/history/record-store";
import { StoredEvents } from "../../src/events/stored-events";
import { EVENTS_EACH_HOUR, MAX_NOT_STORED, SECURITY_SHARE } from "../../src/events/limits";
import * as bytes from "../../src/events/record-bytes";

const HOUR = 3_600;
const START = 1_800_000_000;

let uptime: number;
let isKnown: boolean;
let stored: { text: string; count: number; time: number | undefined; uptime: number; restarts: number; pack: number }[];
let events: StoredEvents;
let share: number;
let asked: [number, number][];

beforeEach(() => {
  uptime = 0;
  isKnown = true;
  stored = [];
  share = 0;
  asked = [];
  events = new StoredEvents({
    time: () => (isKnown ? START + uptime : undefined),
    uptime: () => uptime,
    start: { restarts: 258 },
    settings: { bms: { address: 4 } },
    records: {
      shareOf: (place, byte) => (asked.push([place, byte]), share),
      appendEvent(record, time, at) {
        const view = new DataView(record.buffer);
        const length = record[bytes.EVENT_LENGTH]!;
        const rest = record.subarray(bytes.EVENT_TEXT + length, bytes.EVENT_TEXT + bytes.EVENT_TEXT_BYTES);
        expect(rest.every((byte) => byte === 0xff)).toBe(true);
        expect(view.getUint32(bytes.EVENT_UPTIME)).toBe(at);
        stored.push({
          text: [
            bytes.CODES[record[bytes.EVENT_CODE]!],
            Buffer.from(record.subarray(bytes.EVENT_TEXT, bytes.EVENT_TEXT + length)).toString("latin1"),
          ].join(":"),
          count: record[bytes.EVENT_COUNT]!,
          time,
          uptime: at,
          restarts: view.getUint16(bytes.EVENT_RESTARTS),
          pack: record[bytes.EVENT_PACK]!,
        });
      },
    },
  });
});

it.each([
  ["pack-offline\t3", 3],
  ["alarm-raised\tcell_undervoltage\t12", 12],
  ["write\tcharge_mos\toff\tconfirmed\t\t0\t\t", 0],
  ["write\tcharge_mos\toff\tconfirmed\t\t\t\t", 4],
  ["settings-changed\tpacks", 4],
] as const)("%j is of pack %i", (text, pack) => {
  events.eventAdded(text);
  expect(stored.map((one) => one.pack)).toEqual([pack]);
});

const texts = (): string[] => stored.map(({ text, count }) => `${text}*${count}`);

describe("an event", () => {
  it("is stored at once, with its time, start and pack", () => {
    uptime = 70_000;
    events.eventAdded("alarm-raised\tcell_undervoltage");
    expect(stored).toEqual([
      {
        text: "alarm-raised:cell_undervoltage",
        count: 1,
        time: START + 70_000,
        uptime: 70_000,
        restarts: 258,
        pack: 4,
      },
    ]);
  });

  it("has no time as long as none is known", () => {
    isKnown = false;
    events.eventAdded("bms-online");
    expect(stored[0]).toMatchObject({ text: "bms-online:", time: undefined, uptime: 0 });
  });

  it("that only says how the device is, is not stored", () => {
    events.eventAdded("relay-on");
    events.eventAdded("mqtt\tconnected");
    expect(stored).toEqual([]);
  });

  it.each([bytes.EVENT_TEXT_BYTES - 1, bytes.EVENT_TEXT_BYTES, bytes.EVENT_TEXT_BYTES + 1])(
    "with %i characters has as many as fit",
    (length) => {
      events.eventAdded(`crashed\t${"x".repeat(length)}`);
      events.eventAdded(`crashed\t${"x".repeat(length)}`);
      events.flush();
      const text = `crashed:${"x".repeat(Math.min(length, bytes.EVENT_TEXT_BYTES))}`;
      expect(texts()).toEqual([`${text}*1`, `${text}*1`]);
    },
  );

  it("with other characters has question marks", () => {
    events.eventAdded("crashed\ta\tb\u007f\n\u00e9\u2028c");
    expect(texts()).toEqual(["crashed:a\tb????c*1"]);
  });
});

describe("the same event again", () => {
  it("counts up, and is stored when another comes, with the time of the last", () => {
    for (; uptime < 5; uptime++) events.eventAdded("bms-offline");
    expect(texts()).toEqual(["bms-offline:*1"]);
    events.eventAdded("bms-online");
    expect(texts()).toEqual(["bms-offline:*1", "bms-offline:*4", "bms-online:*1"]);
    expect(stored[1]).toMatchObject({ time: START + 4, uptime: 4 });
  });

  it("with other parameters is another", () => {
    events.eventAdded("alarm-raised\ta");
    events.eventAdded("alarm-raised\tb");
    events.eventAdded("alarm-raised\tbc");
    events.eventAdded("alarm-raised\tb");
    expect(texts()).toEqual(["alarm-raised:a*1", "alarm-raised:b*1", "alarm-raised:bc*1", "alarm-raised:b*1"]);
  });

  it.each([bytes.MAX_COUNT - 1, bytes.MAX_COUNT, bytes.MAX_COUNT + 1])("%i times is counted to the limit", (times) => {
    for (let turn = 0; turn <= times; turn++) events.eventAdded("button");
    events.flush();
    events.flush();
    expect(texts()).toEqual(["button:*1", `button:*${Math.min(times, bytes.MAX_COUNT)}`]);
  });

  it("is stored when the hour is over, and begins anew", () => {
    events.eventAdded("button");
    events.eventAdded("button");
    uptime = HOUR - 1;
    events.tick();
    expect(stored.length).toBe(1);
    uptime = HOUR;
    events.tick();
    expect(texts()).toEqual(["button:*1", "button:*1"]);
    events.eventAdded("button");
    expect(stored.length).toBe(3);
  });
});

describe("of one code", () => {
  const flap = (times: number): void => {
    for (let turn = 0; turn < times; turn++) {
      events.eventAdded("alarm-raised\ta");
      events.eventAdded("alarm-cleared\ta");
    }
  };

  it("the limit is stored in an hour, and then how many there were more", () => {
    flap(EVENTS_EACH_HOUR);
    expect(stored.length).toBe(2 * EVENTS_EACH_HOUR);
    flap(7);
    expect(stored.length).toBe(2 * EVENTS_EACH_HOUR);
    events.eventAdded("bms-offline");
    expect(stored.length).toBe(2 * EVENTS_EACH_HOUR + 1);
    uptime = HOUR;
    events.tick();
    expect(texts().slice(-2)).toEqual(["alarm-raised:*7", "alarm-cleared:*7"]);
    uptime = 2 * HOUR;
    events.tick();
    expect(stored.length).toBe(2 * EVENTS_EACH_HOUR + 3);
  });

  it("the limit is the same when one event comes again and again", () => {
    for (let turn = 0; turn < 100; turn++) {
      events.eventAdded("alarm-raised\ta");
      events.eventAdded("alarm-raised\ta");
      events.eventAdded("bms-offline");
    }
    expect(texts().filter((text) => text.startsWith("alarm-raised")).length).toBe(EVENTS_EACH_HOUR);
    uptime = HOUR;
    events.tick();
    expect(
      texts()
        .filter((text) => text.startsWith("alarm-raised"))
        .at(-1),
    ).toBe("alarm-raised:*190");
  });

  it("a day of flapping stores no more than its share", () => {
    for (; uptime < 24 * HOUR; uptime += 10) flap(1);
    expect(stored.length).toBeLessThanOrEqual(24 * 2 * (EVENTS_EACH_HOUR + 1));
    const raised = stored.filter(({ text }) => text.startsWith("alarm-raised"));
    events.flush();
    expect(raised.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(23 * 254);
  });
});

describe("a refused sign-in", () => {
  const refused = (at: number): void => events.eventAdded(`sign-in-refused\t192.0.2.${at}`);

  it.each([
    [1 / SECURITY_SHARE - 0.001, 1],
    [1 / SECURITY_SHARE, 0],
    [1 / SECURITY_SHARE + 0.001, 0],
  ])("is stored while those are less than a share of what is stored: %f", (of, records) => {
    share = of;
    refused(1);
    expect([stored.length, events.notStored]).toEqual([records, 1 - records]);
    expect(asked).toEqual([[bytes.EVENT_CODE, bytes.CODES.indexOf("sign-in-refused")]]);
  });

  it("is counted otherwise, and the count stored once there is room; the flash is read once an hour", () => {
    share = 1;
    for (let at = 0; at < 300; at++) refused(at % 200);
    expect([stored, events.notStored, asked.length]).toEqual([[], 300, 1]);
    events.eventAdded("alarm-raised\tcell_undervoltage");
    expect(stored).toHaveLength(1);
    uptime = HOUR;
    events.tick();
    expect([stored.length, events.notStored]).toEqual([1, 300]);
    share = 0;
    uptime = 2 * HOUR;
    events.tick();
    expect([texts().at(-1), events.notStored]).toEqual([`sign-in-refused:*${bytes.MAX_COUNT}`, 300 - bytes.MAX_COUNT]);
  });

  it("is counted up to MAX_NOT_STORED", () => {
    share = 1;
    for (let at = 0; at < MAX_NOT_STORED + 1; at++) refused(at % 3);
    expect(events.notStored).toBe(MAX_NOT_STORED);
  });
});

it("a month of refused sign-ins and tokens takes no more than a share of the flash: the newest of all else are there", () => {
  const flash = new RecordStore(new NorFlash(FIRST_SECTOR + SECTORS));
  const ring = flash.rings[EVENTS]!;
  events = new StoredEvents({
    time: () => START + uptime,
    uptime: () => uptime,
    start: { restarts: 1 },
    settings: { bms: { address: 1 } },
    records: flash,
  });
  const least = (ring.sectors - 1) * ring.perSector;
  const MINUTES = 30 * 24 * 60;
  const all = Math.floor((1 - 1 / SECURITY_SHARE) * least) - 1;
  const told: string[] = [];
  for (let minute = 0; minute < MINUTES; minute++) {
    uptime = 60 * minute;
    // One who guesses from many addresses, and a scraper with an old token.
    events.eventAdded(`sign-in-refused\t192.0.2.${minute % 250}`);
    if (minute % 5 === 0) events.eventAdded("sign-in-refused\t198.51.100.7");
    if (minute % Math.floor(MINUTES / all) === 1 && told.length < all) {
      const text = `write\tcharge_mos\toff\tconfirmed\t\t\t\t${minute}` as const;
      events.eventAdded(text);
      told.push(String(minute));
    }
    events.tick();
    while (flash.work());
  }
  const found: string[] = [];
  let security = 0;
  for (const cursor = new Cursor(ring); cursor.next();) {
    const { record } = cursor;
    const text = Buffer.from(record.subarray(bytes.EVENT_TEXT, bytes.EVENT_TEXT + record[bytes.EVENT_LENGTH]!));
    if (bytes.CODES[record[bytes.EVENT_CODE]!] === "write") found.push(text.toString("latin1").split("\t").at(-1)!);
    else security++;
  }
  expect(found).toEqual(told);
  expect(told.length).toBe(all);
  expect(security).toBeGreaterThan(0);
  expect(events.notStored).toBeGreaterThan(30_000);
});
