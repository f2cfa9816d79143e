/** States in which the page looks different, made on the mock device. */
import type { ConcernCode } from "../../../web/tables.ts";
import { en } from "../../../web/texts/en.ts";
import type { WebMock } from "./web-mock.ts";

export const SCREENS = ["battery", "history", "control", "relay", "device"] as const;
export type Screen = (typeof SCREENS)[number];

const NO_REPLIES = Object.keys(en.noReplies);
const CONCERNS = Object.keys(en.concerns) as ConcernCode[];

/** Bits of the alarms. */
const HOT = (1 << 8) | (1 << 15) | (1 << 21);
const LOW = 1 << 11;
const FULL = 1 << 4;

const alarm = (device: WebMock, alarmCode: number, soc: number): void => {
  device.status = { ...device.status, soc, alarmCode };
};
const nothing = Buffer.alloc(0);
const EMPTY = { fine: nothing, hours: nothing, days: nothing, cells: nothing, events: nothing, today: nothing };
const offline = (device: WebMock, age: number | null): void => {
  device.status = { ...device.status, online: false, ...(age === null && { cells: [] }) };
  device.bms.age = age;
  device.queue = { ...device.queue, bmsOnline: false };
};

const PACK = {
  ...{ online: true, swapped: false, shared: false, serialNumber: "4010112233", ageSeconds: 0, soc: 61 },
  ...{ voltage: 52.81, current: -12.4, power: -655, alarmCode: 0, delta: 0.012, concerns: [] },
};
const BANK = {
  ...{ complete: true, well: true, concerns: [], soc: 61, voltage: 52.81, current: -37.2, power: -1_965 },
  ...{ capacityAh: 840, remainingCapacityAh: 512.4 },
};
const bank = (device: WebMock, ...rest: object[]): void => {
  const packs = rest.map((other, at) => ({ ...PACK, name: `Pack ${at + 1}`, address: at + 1, ...other }));
  const online = packs.filter((pack) => pack.online).length;
  // As the device judges it.
  const well = packs.every((pack) => pack.online && !pack.swapped && !pack.shared && !(pack.alarmCode & ~FULL));
  const complete = online === packs.length;
  device.packs = { bank: { ...BANK, packs: packs.length, online, complete, well }, packs };
  Object.assign(device.bms, { packs: packs.length });
  const { status, bms } = device;
  device.packStatus = Object.fromEntries(packs.map(({ address }) => [address, { data: status, bms }]));
};

/** What makes it, where it is seen (default: on every screen), and how many seconds ago the page was looked at last. */
export type State = readonly [
  name: string,
  prepare: (device: WebMock) => void,
  screens?: readonly Screen[],
  looked?: number,
];

export const STATES: readonly State[] = [
  ["all is well", () => undefined],
  ["an alarm since the last look", () => undefined, ["battery"], 3 * 3_600],
  ["nothing is known but that it answers", (device) => offline(device, null)],
  ["the BMS is lost", (device) => offline(device, 90)],
  ...NO_REPLIES.map((noReply): State => [
    `nothing was ever read: ${noReply}`,
    (device) => {
      offline(device, null);
      Object.assign(device.bms, { noReply });
    },
    ["battery"],
  ]),
  ["too hot", (device) => alarm(device, HOT, 61), ["battery", "control"]],
  ["empty, with an alarm", (device) => alarm(device, LOW, 4), ["battery"]],
  ["full", (device) => alarm(device, FULL, 100), ["battery"]],
  [
    "emergency is on",
    (device) => {
      device.bms.switches.emergency = true;
      device.bms.concerns = ["emergency"];
    },
    ["battery", "control"],
  ],
  ["every concern at once", (device) => void (device.bms.concerns = CONCERNS), ["battery"]],
  ["safe mode", (device) => void (device.safeMode = true)],
  ["a guest", (device) => void (device.guest = true)],
  ["a guest by a link", (device) => void (device.guest = device.link = true), ["battery", "history"]],
  [
    "the settings are not read yet",
    (device) => void (device.config = { ...device.config, loaded: false }),
    ["control"],
  ],
  [
    "a write is under way",
    (device) => void (device.queue = { ...device.queue, pending: true, lastCommand: "balance on" }),
    ["control"],
  ],
  ["an empty past", (device) => void (device.records = EMPTY), ["battery", "history"]],
  [
    "no clock",
    (device) => {
      device.device = { ...device.device, time: null, sntp: { problem: "no-answer", age: null } };
    },
    ["battery", "history", "device"],
  ],
  ["three packs", (device) => bank(device, {}, {}, {})],
  [
    "three packs, each with something",
    (device) => bank(device, { alarmCode: LOW, soc: 4 }, { online: false, ageSeconds: 720 }, { swapped: true }),
  ],
];
