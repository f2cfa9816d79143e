import { readFileSync } from "node:fs";
import { TIMEOUT_MS } from "http-client/limits";
import { SERVICES, type ServiceKind } from "notification-services/services";
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { OWNED, ownedHold } from "../../src/conditions/table";
import {
  DAY,
  FIRST_BACK_OFF,
  MAX_BACK_OFF,
  MAX_DAILY,
  MAX_MESSAGES,
  RESERVED_DAILY,
  TEST_TIME,
} from "../../src/notify/limits";
import { ROOTS_NEED, TLS_NEED } from "../../src/network/limits";
import { discardMessages } from "../../src/notify/message-queue";
import { NOTIFY_AT } from "../../src/runtime/retained";
import type { Delivery } from "../../src/endpoints/context";
import { en } from "../../web/texts/en";
import { pemOf } from "../support/tls/pem";
import { isLong } from "../support/property";
import { Bench, OK } from "./bench";
import { flap } from "./flapping";
import type { TestMonitor } from "../support/bms/bms-link";

/** s: a value has to be beyond its threshold for so long. */
const HOLD = ownedHold(OWNED.indexOf("soc"));

const MINUTE = 60;
const HOUR = 3_600;
const ALARM = "Alarm: Cell voltage too low.";
const CLEARED = "Alarm cleared: Cell voltage too low.";
const UNDERVOLTAGE = "cell_undervoltage";

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

/** In the page's words. */
const alarmText = ({ name }: { readonly name: string }): string =>
  `Alarm: ${en.alarms[name as keyof typeof en.alarms].title}.`;

/** Seconds from the alarm to each of its messages. */
const after = (start: number, said: [number, string][]): [number, string][] =>
  said.map(([at, text]) => [at - start, text]);

describe("an alarm", () => {
  it("is told within a second, and that it is over", () => {
    bench.start();
    bench.pass(10);
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    expect(bench.said()).toEqual([[11, ALARM]]);
    bench.alarm(UNDERVOLTAGE, false);
    bench.pass(2);
    expect(bench.said()).toEqual([[13, CLEARED]]);
    bench.pass(DAY);
    expect(bench.said()).toEqual([]);
  });

  it("that lasts is told again after 5 and after 30 minutes, and then no more", () => {
    bench.start();
    bench.pass(10);
    bench.alarm(UNDERVOLTAGE);
    bench.pass(6 * HOUR);
    expect(after(11, bench.said())).toEqual([
      [0, ALARM],
      [5 * MINUTE, `${ALARM} It lasts.`],
      [30 * MINUTE, `${ALARM} It lasts.`],
    ]);
  });

  it("that comes and goes is told at most hourly in the end, with how often", () => {
    bench.start();
    const start = 61;
    for (let minute = 0; minute < 4 * 60; minute++) {
      bench.pass(30);
      bench.alarm(UNDERVOLTAGE, false);
      bench.pass(30);
      bench.alarm(UNDERVOLTAGE);
    }
    bench.pass(1);
    expect(after(start, bench.said())).toEqual([
      [0, ALARM],
      [30, CLEARED],
      [5 * MINUTE, `${ALARM} 5 times since the last message.`],
      [30 * MINUTE, `${ALARM} 25 times since the last message.`],
      [90 * MINUTE, `${ALARM} 60 times since the last message.`],
      [150 * MINUTE, `${ALARM} 60 times since the last message.`],
      [210 * MINUTE, `${ALARM} 60 times since the last message.`],
    ]);
  });

  it("that is over is told as such only if it has been told", () => {
    bench.network.online = false;
    bench.start();
    bench.pass(5);
    bench.alarm(UNDERVOLTAGE);
    bench.pass(5);
    bench.alarm(UNDERVOLTAGE, false);
    bench.pass(5);
    expect(bench.notify.waiting).toBe(1);
    bench.network.online = true;
    bench.pass(3);
    expect(bench.texts()).toEqual([ALARM, CLEARED]);
  });

  it("that was pushed out of the queue was not told: nothing says that it is over", () => {
    bench.network.online = false;
    bench.start();
    const names = ALARMS_TABLE.filter(({ fault }) => fault).map(({ name }) => name);
    for (const name of names.slice(0, MAX_MESSAGES + 1)) bench.alarm(name);
    bench.pass(1);
    for (const name of names.slice(0, MAX_MESSAGES + 1)) bench.alarm(name, false);
    bench.pass(1);
    bench.network.online = true;
    bench.pass(MAX_MESSAGES * 5);
    const texts = bench.texts();
    expect(texts.filter((text) => text.startsWith("Alarm:")).length).toBe(MAX_MESSAGES);
    expect(texts.filter((text) => text.startsWith("Alarm cleared:")).length).toBe(MAX_MESSAGES);
    expect(texts.join()).not.toContain(ALARMS_TABLE[0]!.title);
  });

  it("that comes and goes between two looks is told", () => {
    bench.start();
    bench.pass(1);
    bench.alarm(UNDERVOLTAGE);
    bench.alarm(UNDERVOLTAGE, false);
    bench.pass(3);
    expect(bench.texts()).toEqual([ALARM, CLEARED]);
  });

  it("that is only a status is not told", () => {
    bench.start();
    for (const { name, fault } of ALARMS_TABLE) if (!fault) bench.alarm(name);
    bench.pass(HOUR);
    expect(bench.said()).toEqual([]);
  });

  it("is told if it was there already when the target was set", () => {
    bench = new Bench({ kind1: "off" });
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(10);
    expect(bench.said()).toEqual([]);
    bench.settings.update("notify", { kind1: "webhook" });
    bench.pass(2);
    expect(bench.texts()).toEqual([ALARM]);
  });

  it.each([
    ["alarms", { alarms: false }, []],
    ["cleared", { cleared: false }, [ALARM]],
  ] as const)("with %s switched off", (_, change, texts) => {
    bench = new Bench(change);
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    bench.alarm(UNDERVOLTAGE, false);
    bench.pass(HOUR);
    expect(bench.texts()).toEqual(texts);
  });
});

describe("other causes", () => {
  it("the BMS lost for as long as the setting says, not a second less; and back", () => {
    bench = new Bench({ offlineAfter: 120 });
    bench.start();
    bench.pass(10);
    bench.monitor.pack.online = false;
    bench.pass(120);
    bench.monitor.pack.online = true;
    bench.pass(10);
    expect(bench.said()).toEqual([]);
    bench.monitor.pack.online = false;
    bench.pass(122);
    expect(bench.texts()).toEqual(["The BMS stopped responding."]);
    bench.monitor.pack.online = true;
    bench.pass(2);
    expect(bench.texts()).toEqual(["The BMS is responding."]);
  });

  it("a BMS that has never answered counts as lost; not where it is not read", () => {
    bench.monitor.pack.online = false;
    bench.start();
    bench.pass(130);
    expect(bench.texts()).toEqual(["The BMS stopped responding."]);
    bench.notify.close();
    bench.got.length = 0;
    bench.start("panic", { safe: true });
    bench.pass(130);
    expect(bench.texts()).toEqual([
      "Restarted by itself. Reason for the start: the firmware crashed.",
      "Safe mode: only the network, the page, updates and the log are running.",
    ]);
  });

  it.each([
    ["soc", 15, 14, 15, 17, "State of charge: 14 %, below 15 %.", "State of charge: 17 %, back above 15 %."],
    [
      ...(["temperature", 50, 501, 500, 450] as const),
      "Battery temperature: 50.1 °C, above 50 °C.",
      "Battery temperature: 45 °C, back below 50 °C.",
    ],
    [
      ...(["spread", 200, 201, 200, 180] as const),
      "Cell voltage difference: 201 mV, above 200 mV.",
      "Cell voltage difference: 180 mV, back below 200 mV.",
    ],
  ] as const)(
    "%s: beyond %d after a while, not at it; over with a distance",
    (name, limit, beyond, at, back, told, over) => {
      const set = (value: number): void => {
        const { telemetry } = bench.monitor.pack;
        if (name === "soc") telemetry.set(FIELDS.soc, value);
        else if (name === "temperature") telemetry.set(FIELDS.battery2Temperature, value);
        else telemetry.setCells([3_000, 3_000 + value]);
      };
      bench = new Bench({ [name]: limit });
      bench.start();
      set(at);
      bench.pass(10 * HOLD);
      set(beyond);
      bench.pass(HOLD - 2);
      set(back);
      bench.pass(10 * HOLD);
      expect(bench.said()).toEqual([]);
      set(beyond);
      bench.pass(HOLD + 2);
      expect(bench.texts()).toEqual([told]);
      set(at);
      bench.pass(2 * HOLD);
      expect(bench.said()).toEqual([]);
      set(back);
      bench.pass(2);
      expect(bench.texts()).toEqual([over]);
      bench.settings.update("notify", { [name]: 0 });
      set(beyond);
      bench.pass(HOUR);
      expect(bench.said()).toEqual([]);
    },
  );

  it("a value that is unknown is neither beyond nor back", () => {
    bench.start();
    bench.monitor.pack.telemetry.set(FIELDS.soc, 5);
    bench.pass(HOLD + 5);
    expect(bench.texts()).toEqual(["State of charge: 5 %, below 15 %."]);
    bench.settings.update("notify", { offlineAfter: 0 });
    bench.monitor.pack.online = false;
    bench.monitor.pack.telemetry.set(FIELDS.soc, 80);
    bench.pass(HOUR);
    expect(bench.said()).toEqual([]);
    bench.monitor.pack.online = true;
    bench.pass(2);
    expect(bench.texts()).toEqual(["State of charge: 80 %, back above 15 %."]);
  });

  it("another master, and that it has gone", () => {
    bench.start();
    bench.monitor.otherMaster = true;
    bench.pass(2);
    bench.monitor.otherMaster = false;
    bench.pass(2);
    expect(bench.said()).toEqual([
      [1, "Another master is on this bus: listening only."],
      [3, "The other master fell silent: polling the BMS now."],
    ]);
  });

  it.each(["power-on", "external", "ordered", "update", "factory-reset"])("a start by %s is no news", (reason) => {
    bench.start(reason);
    bench.pass(HOUR);
    expect(bench.said()).toEqual([]);
  });

  it.each([
    "panic",
    "brown-out",
    "task-watchdog",
    "no-poll",
    "low-memory",
    "no-wifi",
    "script-aborted",
    "unknown",
  ] as const)("a restart by %s is told, once", (reason) => {
    bench.start(reason);
    bench.pass(HOUR);
    expect(bench.texts()).toEqual([`Restarted by itself. Reason for the start: ${en.starts[reason]}.`]);
  });

  it("what became of an update", () => {
    bench.trial = { problem: "" };
    bench.start("update");
    bench.pass(100);
    expect(bench.said()).toEqual([]);
    bench.trial = undefined;
    bench.pass(2);
    expect(bench.got[0]!.urgent).toBe(false);
    expect(bench.texts()).toEqual(["The update works: firmware 1.2.3 is running."]);
    bench.trial = { problem: "rolled-back" };
    bench.restart("update-rejected");
    bench.pass(5);
    expect(bench.got[0]!.urgent).toBe(true);
    bench.restart("panic");
    bench.pass(5);
    expect(bench.texts()).toEqual([
      "The update was rejected: firmware 1.2.3 is running.",
      "Restarted by itself. Reason for the start: the firmware crashed.",
      "The update was rolled back: firmware 1.2.3 is running.",
    ]);
  });

  it("with the device and the bus switched off", () => {
    bench = new Bench({ device: false, master: false });
    bench.monitor.otherMaster = true;
    bench.start("panic");
    bench.pass(HOUR);
    expect(bench.said()).toEqual([]);
  });
});

describe("the queue", () => {
  const raiseAll = (count: number): string[] => {
    const rows = ALARMS_TABLE.filter(({ fault }) => fault).slice(0, count);
    for (const { name } of rows) {
      bench.alarm(name);
      bench.pass(1);
    }
    return rows.map(alarmText);
  };

  it.each([MAX_MESSAGES - 1, MAX_MESSAGES, MAX_MESSAGES + 1])(
    "%d alarms wait: beyond its size the oldest goes",
    (count) => {
      bench.network.online = false;
      bench.start();
      const texts = raiseAll(count);
      expect(bench.notify.waiting).toBe(Math.min(count, MAX_MESSAGES));
      bench.network.online = true;
      bench.pass(3 * MAX_MESSAGES);
      expect(bench.texts()).toEqual(texts.slice(-MAX_MESSAGES));
    },
  );

  it("has one message of a cause, however long it lasts", () => {
    bench.network.online = false;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(3 * HOUR);
    expect([bench.notify.waiting, bench.notify.today]).toEqual([1, 1]);
  });

  it("full, what is no alarm goes before an older alarm", () => {
    bench.network.online = false;
    bench.start();
    const [first = ""] = raiseAll(1);
    bench.monitor.otherMaster = true;
    bench.pass(2);
    const others = ALARMS_TABLE.filter(({ fault }) => fault).slice(1, MAX_MESSAGES);
    for (const { name } of others) bench.alarm(name);
    bench.pass(1);
    bench.network.online = true;
    bench.pass(3 * MAX_MESSAGES);
    expect(bench.texts()).toEqual([first, ...others.map(alarmText)]);
  });

  it("outlives a restart: each is sent once, and says that it was before", () => {
    bench.network.online = false;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(5);
    bench.restart();
    bench.network.online = true;
    bench.pass(5);
    expect(bench.texts()).toEqual([`${ALARM} That was before the device restarted.`]);
    bench.restart();
    bench.pass(5);
    expect(bench.said()).toEqual([]);
  });

  it("an alarm that was told before a restart is over only when that is known", () => {
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    bench.got.length = 0;
    bench.restart();
    bench.pass(50);
    expect(bench.said()).toEqual([]);
    bench.pass(200);
    expect(bench.said()).toEqual([]);
    bench.monitor.pack.telemetry.set(FIELDS.alarmCode, 0);
    bench.restart();
    bench.pass(58);
    expect(bench.said()).toEqual([]);
    bench.pass(5);
    expect(bench.texts()).toEqual([CLEARED]);
  });

  it.each(["the pack has not answered since", "its settings are unread, and bit 4 is set"])(
    "an alarm that was told before a restart is not over while %s",
    (why) => {
      bench.start();
      bench.alarm("cell_overvoltage");
      bench.pass(2);
      bench.got.length = 0;
      const { telemetry } = bench.monitor.pack as TestMonitor;
      if (why.includes("bit 4")) telemetry.set(FIELDS.alarmCode, 1 << 4);
      else telemetry.valid = false;
      bench.restart();
      bench.pass(10 * MINUTE);
      expect(bench.said()).toEqual([]);
      telemetry.set(FIELDS.alarmCode, 0);
      bench.pass(10 * MINUTE);
      expect(bench.texts()).toHaveLength(1);
    },
  );

  it.each([
    ["damaged", () => (bench.board.kept[NOTIFY_AT + 20] = (bench.board.kept[NOTIFY_AT + 20] as number) ^ 0x10)],
    ["discarded by a factory reset", discardMessages],
  ])("%s memory is empty", (_, spoil) => {
    bench.network.online = false;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    bench.notify.close();
    spoil();
    bench.network.online = true;
    bench.healthy();
    bench.monitor.pack.telemetry.set(FIELDS.alarmCode, 0);
    bench.start("ordered", { kept: true });
    expect(bench.notify.waiting).toBe(0);
    bench.pass(5);
    expect(bench.said()).toEqual([]);
  });

  it("what waits says when it was, once that is known", () => {
    bench.network.online = false;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(5 * MINUTE);
    expect(bench.notify.waitingFor).toBe(5 * MINUTE - 1);
    bench.network.online = true;
    bench.pass(2);
    expect(bench.texts()).toEqual([`${ALARM} That was 5 min ago.`]);
    bench.alarm(UNDERVOLTAGE, false);
    bench.pass(2);
    expect(bench.texts()).toEqual([CLEARED]);
    bench.network.online = false;
    bench.monitor.otherMaster = true;
    bench.pass(2);
    bench.time = Date.UTC(2026, 10, 23, 19, 30) / 1_000;
    bench.pass(90);
    bench.network.online = true;
    bench.pass(2);
    expect(bench.texts()).toEqual(["Another master is on this bus: listening only. That was at 2026-11-23 19:29 UTC."]);
  });
});

describe("a day", () => {
  /** Told messages of a day with something new every 15 minutes. */
  function busyDay(): string[] {
    const rows = ALARMS_TABLE.filter(({ fault }) => fault);
    for (let turn = 0; turn < 96; turn++) {
      const { name } = rows[turn % rows.length]!;
      bench.alarm(name);
      bench.pass(2);
      bench.alarm(name, false);
      bench.pass(15 * MINUTE - 2);
    }
    return bench.texts();
  }

  it(`has at most ${MAX_DAILY} messages, the last ${RESERVED_DAILY} for what is new; the next day too`, () => {
    bench.start();
    const first = busyDay();
    expect(first.length).toBe(MAX_DAILY);
    expect(first.slice(-RESERVED_DAILY).every((text) => text.startsWith("Alarm:"))).toBe(true);
    for (let day = 1; day < (isLong ? 3 : 2); day++) {
      const { length } = busyDay();
      expect(length).toBeGreaterThanOrEqual(MAX_DAILY - RESERVED_DAILY);
      expect(length).toBeLessThanOrEqual(MAX_DAILY);
    }
  });

  it("is not longer for a restart in it", () => {
    bench.start();
    for (let turn = 0; turn < 60; turn++) {
      bench.restart("panic");
      bench.pass(MINUTE);
    }
    expect(bench.texts().length).toBe(MAX_DAILY);
    bench.pass(DAY - HOUR);
    bench.restart("panic");
    bench.pass(2);
    expect(bench.texts().length).toBe(1);
  });
});

describe("a service that fails", () => {
  const answer = (status: number, fields = ""): string =>
    `HTTP/1.1 ${status} X\r\n${fields}Content-Length: 4\r\n\r\nwhy?`;

  it("is tried again with back-off, and gets the message once", () => {
    bench.answers[1] = answer(500);
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(4 * HOUR);
    const times = bench.said().map(([at]) => at);
    const pauses = times.slice(1).map((at, index) => at - times[index]!);
    expect(pauses.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6].map((power) => FIRST_BACK_OFF * 2 ** power));
    expect(pauses.slice(7)).toEqual([MAX_BACK_OFF, MAX_BACK_OFF].slice(0, pauses.length - 7));
    expect(bench.notify.couriers![0]).toMatchObject({ problem: "server-error", status: 500, answer: "why?", sent: 0 });
    bench.answers[1] = OK;
    bench.pass(MAX_BACK_OFF);
    expect(bench.texts().length).toBeGreaterThan(0);
    expect(bench.notify.couriers![0]).toMatchObject({ problem: "", status: 200 });
    bench.pass(DAY);
    expect([bench.notify.waiting, bench.open]).toEqual([0, 0]);
  });

  it.each([
    [120, 120],
    [5, FIRST_BACK_OFF],
  ])("429 with Retry-After %d is kept: nothing for %d s", (given, pause) => {
    bench.answers[1] = answer(429, `Retry-After: ${given}\r\n`);
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    expect(bench.notify.couriers![0]!.problem).toBe("too-many");
    bench.answers[1] = OK;
    bench.pass(2 * pause);
    const [[first], [second]] = bench.said() as [[number, string], [number, string]];
    expect(second - first).toBe(pause);
  });

  it.each([
    ["a redirect", answer(302, "Location: http://127.0.0.1:2/\r\n"), "redirect"],
    ["a refusal", answer(403), "refused"],
    ["no HTTP", "SSH-2.0-X\r\n", "malformed"],
    ["a refused connection", undefined, "no-connection"],
    ["silence", "", "timeout"],
  ])("%s is no delivery; the other target has its message at once", (_, text, problem) => {
    bench.answers[1] = text;
    bench.settings.update("notify", { kind2: "webhook", url2: "http://127.0.0.1:2/" });
    bench.start();
    for (let turn = 0; turn < 20; turn++) {
      bench.alarm(UNDERVOLTAGE);
      bench.pass(20);
      bench.alarm(UNDERVOLTAGE, false);
      bench.pass(2 * HOUR);
      expect(bench.texts(2)).toEqual([ALARM, CLEARED]);
    }
    expect(bench.notify.couriers!.map((courier) => courier.problem)).toEqual([problem, ""]);
    expect(bench.notify.waiting).toBeLessThanOrEqual(MAX_MESSAGES);
    expect(bench.open).toBe(0);
  });

  it("https without the time: the message waits and says so; without TLS on the board too", () => {
    bench.tls = class {} as never;
    bench.settings.update("notify", { url1: "https://127.0.0.1:1/" });
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(10);
    expect([bench.notify.couriers![0]!.problem, bench.notify.waiting]).toEqual(["no-time", 1]);
    bench.tls = undefined;
    bench.restart();
    bench.pass(2);
    expect(bench.notify.couriers![0]!.problem).toBe("no-tls");
  });
});

describe("a TLS handshake", () => {
  const other = {};
  beforeEach(() => {
    bench.tls = bench.socket() as never;
    bench.time = 1_800_000_000;
    bench.settings.update("notify", { url1: "https://127.0.0.1:1/" });
  });

  it("of another connection is waited for", () => {
    bench.handshakeOwner = other;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(HOUR);
    expect([bench.notify.couriers![0]!.problem, bench.open, bench.said()]).toEqual(["pending", 0, []]);
    bench.handshakeOwner = undefined;
    bench.pass(2);
    expect(bench.texts()[0]).toContain(ALARM);
  });

  it.each([
    ["an answer", OK],
    ["a failure", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"],
    ["a refused connection", undefined],
    ["silence", ""],
  ])("keeps others away until it ends with %s", (_, answer) => {
    bench.answers[1] = answer;
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.board.clock.runFor(1_500);
    expect(bench.handshakeOwner).toBe(answer === "" ? bench.notify.couriers![0] : undefined);
    bench.pass(TIMEOUT_MS / 1_000);
    expect(bench.handshakeOwner).toBeUndefined();
  });

  it.each([
    ["the device's roots", "", ROOTS_NEED],
    ["the owner's CA", pemOf(800), TLS_NEED],
  ])("with %s needs memory; the message waits for it", (_, ca, { free, block }) => {
    bench.settings.update("notify", { ca });
    for (const heap of [
      [free - 1, 0, block],
      [free, 0, block - 1],
    ] as const) {
      bench.board.heap = heap;
      bench.start();
      bench.alarm(UNDERVOLTAGE);
      bench.pass(2);
      expect([bench.notify.couriers![0]!.problem, bench.open, bench.handshakeOwner]).toEqual([
        "no-memory",
        0,
        undefined,
      ]);
      bench.board.heap = [free, 0, block];
      bench.pass(FIRST_BACK_OFF);
      expect(bench.texts()).toEqual([ALARM]);
      bench.alarm(UNDERVOLTAGE, false);
      bench.notify.close();
    }
  });

  const own = (Object.keys(SERVICES) as ServiceKind[]).filter((kind) => SERVICES[kind].url);

  it.each(own)("of the own server of %s is by the device's roots, whatever CA the owner has", (kind1) => {
    const target = { kind1, channel1: "1", token1: "t", ca: pemOf(800) } as const;
    for (const [url1, { free, block }, isOwn] of [
      ["", ROOTS_NEED, false],
      ["https://127.0.0.1:1/", TLS_NEED, true],
    ] as const) {
      bench.settings.update("notify", { ...target, url1 });
      bench.board.heap = [free - 1, 0, block];
      bench.start();
      bench.notify.sendTest(0, () => undefined);
      bench.pass(3);
      expect(bench.notify.couriers![0]!.problem).toBe("no-memory");
      bench.board.heap = [free, 0, block];
      bench.notify.sendTest(0, () => undefined);
      bench.pass(3);
      expect(bench.certificate!.byteLength === readFileSync("src/notify/roots.der").length).toBe(!isOwn);
      bench.notify.close();
    }
  });

  it("is over when the settings change", () => {
    bench.answers[1] = "";
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(1);
    expect(bench.handshakeOwner).toBeDefined();
    bench.settings.update("notify", { kind1: "off" });
    expect(bench.handshakeOwner).toBeUndefined();
  });

  it("of plain http is none", () => {
    bench.handshakeOwner = other;
    bench.settings.update("notify", { url1: "http://127.0.0.1:1/" });
    bench.start();
    bench.alarm(UNDERVOLTAGE);
    bench.pass(2);
    expect([bench.texts(), bench.handshakeOwner]).toEqual([[ALARM], other]);
  });
});

describe("a test", () => {
  function sendTest(index = 0): Delivery[] {
    const deliveries: Delivery[] = [];
    expect(bench.notify.sendTest(index, (result) => deliveries.push(result))).toBe(true);
    return deliveries;
  }

  it("is sent at once, whatever waits, and answered with the service's words", () => {
    bench.answers[1] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    bench.start();
    const deliveries = sendTest();
    bench.pass(1);
    expect(bench.texts()).toEqual(["Messages arrive. It is only a test."]);
    expect(deliveries).toEqual([
      { problem: "", status: 200, answer: "hello", words: "The service has taken the message. It answered 200: hello" },
    ]);
    expect(bench.notify.today).toBe(1);
  });

  it("counts like any message, also over a restart, and leaves the reserved ones to alarms", () => {
    bench.answers[1] = "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n";
    bench.start();
    const tests = MAX_DAILY - RESERVED_DAILY;
    const problems: string[] = [];
    for (let turn = 0; turn < tests + 2; turn++) {
      if (turn === tests - 1) bench.restart();
      bench.notify.sendTest(0, ({ problem }) => problems.push(problem));
      bench.pass(1);
    }
    expect(problems).toEqual([...Array<string>(tests).fill("refused"), "daily-limit", "daily-limit"]);
    // A refused request was one, too.
    expect([bench.said().length, bench.notify.today]).toEqual([tests, tests]);
    bench.answers[1] = OK;
    bench.alarm(UNDERVOLTAGE);
    bench.pass(MAX_BACK_OFF);
    expect(bench.texts()[0]).toContain(ALARM);
    bench.pass(DAY);
    const again = sendTest();
    bench.pass(1);
    expect(again).toMatchObject([{ problem: "" }]);
  });

  it.each([
    ["incomplete", { url1: "" }, true],
    ["no-network", {}, false],
  ] as const)("that is not sent does not count: %s", (problem, change, online) => {
    bench.settings.update("notify", change);
    bench.network.online = online;
    bench.start();
    expect([sendTest(), bench.notify.today]).toMatchObject([[{ problem }], 0]);
  });

  it("shows no secret that the service repeats, nor the beginning of one where its words are cut", () => {
    const [token, channel, path] = ["AbCdEf123", "my-topic", "/private"];
    bench.settings.update("notify", {
      kind1: "ntfy",
      url1: `http://127.0.0.1:1${path}`,
      channel1: channel,
      token1: `user:${token}`,
    });
    const words = `bad ${token} for ${channel} at ${path}/`;
    for (const body of [words, words.padEnd(160 - 5, ".") + token]) {
      bench.answers[1] = `HTTP/1.1 403 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      if (!(bench.notify as unknown)) bench.start();
      const deliveries = sendTest();
      bench.pass(1);
      const [{ words: said }] = deliveries as [Delivery];
      expect(said).toContain("403: bad … for … at …");
      for (const secret of [token, channel, path, "AbCd"]) expect(said).not.toContain(secret);
    }
  });

  it.each([
    ["as it is", (secret: string) => secret],
    ["in Base64, as HTTP has a password", btoa],
    ["in Base64 without its end", (secret: string) => btoa(secret).replace(/=*$/, "")],
    ["in an address", encodeURIComponent],
    ["in HTML", (secret: string) => secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
    ["in PHP's JSON", (secret: string) => JSON.stringify(secret).replaceAll("/", "\\/").slice(1, -1)],
  ])("shows nothing that derives from a secret: %s", (_, derived) => {
    const token = "user:Pa/ss&w<o>rd";
    const path = "/hook/4711-0815?key=a-query-too";
    const secrets = [token, "Pa/ss&w<o>rd", "my/topic", path, "4711-0815", "a-query-too"];
    bench.settings.update("notify", {
      kind1: "ntfy",
      url1: `http://127.0.0.1:1${path}`,
      channel1: "my/topic",
      token1: token,
    });
    for (const secret of secrets.map(derived)) {
      // At its end the service's words are cut.
      for (const body of [`No: ${secret}.`, "No: ".padEnd(160 - 6, ".") + secret]) {
        bench.answers[1] = `HTTP/1.1 403 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        if (!(bench.notify as unknown)) bench.start();
        const deliveries = sendTest();
        bench.pass(1);
        const [{ answer }] = deliveries as [Delivery];
        expect(answer).toMatch(/^No: \.*\\?…=*\.?$/);
      }
    }
  });

  it.each([
    ["off", { kind1: "off", kind2: "webhook" }, "incomplete"],
    ["without its address", { url1: "" }, "incomplete"],
    ["https on a board without TLS", { url1: "https://127.0.0.1:1/" }, "no-tls"],
  ] as const)("of a target %s says so at once", (_, change, problem) => {
    bench.settings.update("notify", change);
    bench.start();
    expect(sendTest()).toMatchObject([{ problem, status: 0 }]);
  });

  it("one at a time; one that hangs is given up in time", () => {
    bench.answers[1] = "";
    bench.start();
    const deliveries = sendTest();
    expect(bench.notify.sendTest(1, () => undefined)).toBe(false);
    bench.pass(TEST_TIME / 1_000 + 1);
    expect(deliveries).toMatchObject([{ problem: "timeout" }]);
    bench.answers[1] = OK;
    const again = sendTest();
    bench.pass(1);
    expect(again).toMatchObject([{ problem: "" }]);
  });

  it("during a change of the settings is answered too", () => {
    bench.answers[1] = "";
    bench.start();
    const deliveries = sendTest();
    bench.settings.update("notify", { kind1: "off" });
    expect(deliveries).toMatchObject([{ problem: "closed" }]);
    expect(bench.open).toBe(0);
  });
});

it("without a target nothing is opened, and nothing waits", () => {
  bench = new Bench({ kind1: "off" });
  bench.start("panic");
  bench.alarm(UNDERVOLTAGE);
  bench.pass(DAY);
  expect([bench.said(), bench.open, bench.notify.waiting, bench.notify.couriers]).toEqual([[], 0, 0, undefined]);
});

it("the webhook's members", () => {
  bench.start();
  bench.alarm(UNDERVOLTAGE);
  bench.pass(2);
  expect(bench.got[0]!.body).toEqual({
    event: "alarm",
    alarm: UNDERVOLTAGE,
    condition: null,
    state: "raised",
    count: 1,
    packs: [],
    time: null,
    hostname: "jk-bms",
    priority: "high",
    title: "JK BMS monitor",
    message: ALARM,
    url: "http://192.168.1.20/",
  });
});

it("the link has the page's port, if it is not HTTP's own", () => {
  bench.httpPort = 8080;
  bench.start();
  bench.alarm(UNDERVOLTAGE);
  bench.pass(2);
  expect(bench.got[0]!.body).toMatchObject({ url: "http://192.168.1.20:8080/" });
});

it("an alarm that flaps for three days, with restarts: at most MAX_DAILY messages a day, and the heap is flat", () => {
  expect(flap(3, 1).length).toBe(3);
});
