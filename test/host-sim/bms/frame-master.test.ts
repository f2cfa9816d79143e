/** Programs that read packs by frames: what each asks, and when. */
import { expect, it } from "vitest";
import { FrameMaster, parseFrameMaster } from "../../../host-sim/bms/frame-master";
import { bankOf } from "../../../host-sim/bms/packs";
import { lineBoard } from "../../support/bms/line";
import { table } from "../../support/table";

const [T, S, I] = ["telemetry", "settings", "information"];
const NAMES: Readonly<Record<number, string>> = { 0x20: T, 0x1e: S, 0x1c: I };
const REQUEST_BYTES = 11;

interface Asked {
  readonly second: number;
  readonly address: number;
  readonly what: string | undefined;
}

/** What packs 1 and 2 are asked in so many seconds. */
function asked(order: string, seconds: number): { asked: Asked[]; master: FrameMaster } {
  const { clock, wire } = lineBoard();
  const ear = wire.join();
  let bytes: number[] = [];
  const list: Asked[] = [];
  ear.onByte = (byte) => {
    bytes = [...bytes.slice(1 - REQUEST_BYTES), byte];
    const [address = 0, code, high, low = 0] = bytes;
    // An acknowledgement has the same beginning, and ends sooner.
    if (code !== 0x10 || high !== 0x16 || bytes[6] !== 2 || bytes.length < REQUEST_BYTES) return;
    list.push({ second: Math.floor(clock.now / 1_000), address, what: NAMES[low] });
  };
  const bank = bankOf({ clock, wire, count: 2, evolving: false });
  const master = new FrameMaster({ clock, wire, addresses: [1, 2] }, parseFrameMaster(order));
  clock.runFor(seconds * 1_000 - 1);
  master.stop();
  bank.close();
  return { asked: list, master };
}

it.each<[string, readonly (string | undefined)[], readonly (string | undefined)[], number]>([
  ["dbus-serialbattery", [S, I, T], [T], 1],
  ["dbus-serialbattery:every=5", [S, I, T], [T], 5],
  ["yambms", [T, S], [T, S], 5],
  ["esphome", [I, S, T], [I, S, T], 5],
  ["home-assistant", [S, T], [T], 5],
  ["home-assistant:every=60", [S, T], [T], 60],
  ["home-assistant:every=1:settings=0", [T], [T], 1],
])("%s asks each pack in its order, as often as it does, and each answers", (order, first, then, every) => {
  const { asked: list, master } = asked(order, 3 * every);
  const ofRound = (at: number): Asked[] => list.filter(({ second }) => Math.floor(second / every) === at);
  for (const at of [0, 1, 2])
    expect(ofRound(at).map(({ address, what }) => [address, what])).toEqual(
      [1, 2].flatMap((address) => (at ? then : first).map((what) => [address, what])),
    );
  expect([master.requests, master.answered]).toEqual([list.length, list.length]);
});

it("one that asks for the settings hourly asks at its start and in each hour", () => {
  const { asked: list } = asked("home-assistant:every=60:settings=3600", 3 * 3_600);
  const settings = list.filter(({ what }) => what === S);
  expect(settings.map(({ second }) => Math.floor(second / 60))).toEqual([0, 0, 60, 60, 120, 120]);
});

table(["", "jk", "yambms:settings=1", "home-assistant:every=0", "esphome:every=1:every=1"])(
  "refuses an order that there is not",
  (text) => {
    expect(() => parseFrameMaster(text)).toThrow(/other master/);
  },
);
