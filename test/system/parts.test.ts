/** Parts of the device that cannot be started: pins and a serial port that are refused, storage that cannot be read. */
import { afterEach, describe, expect, it } from "vitest";
import { RESET } from "../../host-sim/board";
import { WT32_PINS } from "../../host-sim/config";
import { hashPassword } from "../../host-sim/password";
import { HOLD_ACCESS_POINT, HOLD_RESET, LED_INTERVAL, RETRY_PARTS, SAFE_RESTARTS } from "../../src/health/limits";
import { freePort } from "../support/free-port";
import { System, TOKEN } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
const SECOND = 1_000;
const BUTTON = 13;
const LED = 12;
const DRIVEN = [
  { pin: 23, level: 1 },
  { pin: 19, level: 1 },
  { pin: 22, level: 0 },
] as const;
const PINS = { ...WT32_PINS, driven: DRIVEN, button: BUTTON, led: LED };

/** Each part, and the pins without which it cannot be started. */
const REFUSED = {
  relay: [PINS.relay],
  pins: [DRIVEN[1].pin],
  button: [BUTTON],
  led: [LED],
  bms: [PINS.bms.receive],
  monitoring: [PINS.temperature, ...PINS.voltages, ...PINS.inputs],
} as const;
type Part = keyof typeof REFUSED;
const PARTS = Object.keys(REFUSED) as Part[];

let system: System | undefined;
afterEach(async () => {
  await system?.board.restarted;
  system?.stop();
  system = undefined;
});

interface Trial {
  readonly system: System;
  /** The pins of these parts can be claimed again. */
  readonly mend: () => void;
}

/** A device that has just restarted, with the pins of these parts refused. */
async function restarted(parts: readonly Part[], crashes = 1): Promise<Trial> {
  const relay = { fitted: true, mode: 0, start: "on", activeLevel: 1 } as const;
  const web = { password: hashPassword(PASSWORD, 100) };
  const settings = { web, api: { token: TOKEN }, relay, monitoring: { fitted: true } };
  const config = { httpPort: await freePort(), pins: PINS, settings };
  const begun = (system = await System.start({ bms: { evolving: false }, board: { config } }));
  const { board } = begun;
  const refused = new Set<number>(parts.flatMap((part) => [...REFUSED[part]]));
  const use = board.pins.use.bind(board.pins);
  board.pins.use = (number, options) => {
    if (refused.has(number)) throw new Error(`pin ${number} in use`);
    return use(number, options);
  };
  for (let count = 0; count < crashes; count++) {
    board.panic();
    await board.restarted;
  }
  return { system: begun, mend: () => refused.clear() };
}

const clientOf = async (running: System): Promise<WebClient> => {
  const client = new WebClient(running);
  await client.signIn(PASSWORD);
  return client;
};
const partsOf = async (client: WebClient): Promise<readonly string[]> =>
  ((await client.get("/web/device")).json as { data: { start: { parts: string[] } } }).data.start.parts;
const logOf = async (client: WebClient): Promise<string[]> =>
  ((await client.get("/web/log")).json.data as unknown as { text: string }[]).map(({ text }) => text);
const named = (messages: readonly string[]): (string | undefined)[] =>
  messages.map((message) => message.split("\t")[1]);

/** What must work whatever else is refused. */
async function expectRest(running: System, refused: readonly Part[]): Promise<void> {
  const { board } = running;
  const works = (part: Part): boolean => !refused.includes(part);
  if (works("relay")) expect(board.pin(PINS.relay).output).toBe(1);
  expect(DRIVEN.map(({ pin }) => board.pin(pin).output)).toEqual(
    DRIVEN.map(({ level }, at) => (works("pins") || at !== 1 ? level : undefined)),
  );
  if (works("bms")) await running.untilLoaded();
  if (works("led")) {
    const levels = new Set<number | undefined>();
    // Two rounds of a pattern: the Ethernet driver's start holds the script up, and the steps missed are made up for between two looks.
    for (let step = 0; step < 32; step++) {
      running.skip(LED_INTERVAL);
      levels.add(board.pin(LED).output);
    }
    expect(levels).toEqual(new Set([0, 1]));
  }
  if (works("button")) {
    board.press(HOLD_ACCESS_POINT + SECOND);
    running.skip(10 * SECOND);
    expect(board.radio.accessPoint).toBeDefined();
  }
  expect([board.resetReason, running.console.join("")]).toEqual([
    RESET.panic,
    expect.not.stringContaining("undefined"),
  ]);
}

describe.each([...PARTS.map((part) => [part] as Part[]), PARTS])("refused: %s", (...refused) => {
  it("is shown with its reason, everything else works, and it starts as soon as it can", async () => {
    const { system, mend } = await restarted(refused);
    const client = await clientOf(system);
    const problems = await partsOf(client);
    expect(named(problems)).toEqual(refused);
    for (const problem of problems) expect(problem).toMatch(/^part-failed\t[a-z]+\tpin \d+ in use$/);
    expect(await logOf(client)).toEqual(expect.arrayContaining([...problems]));
    const { text } = await system.get("/metrics");
    expect(text).toContain(`\nbms_monitor_failed_parts ${refused.length}\n`);
    await expectRest(system, refused);

    mend();
    system.skip(2 * RETRY_PARTS);
    expect(await partsOf(client)).toEqual([]);
    expect(await logOf(client)).toEqual(expect.arrayContaining(refused.map((part) => `part-works\t${part}`)));
    await expectRest(system, []);
  });
});

it("a serial port that stays refused for ten minutes is no reason to restart: the relay and the page would only go with it", async () => {
  const { system } = await restarted(["bms"]);
  system.skip(600 * SECOND);
  await system.board.restarted;
  expect([system.board.resetReason, system.board.pin(PINS.relay).output]).toEqual([RESET.panic, 1]);
});

it("safe mode needs neither pins nor the serial port, and its button still resets the device", async () => {
  const all = PARTS.filter((part) => part !== "button");
  const { system, mend } = await restarted(all, SAFE_RESTARTS);
  const client = await clientOf(system);
  expect(named(await partsOf(client))).toEqual(["relay", "pins", "led"]);
  mend();
  system.board.press(HOLD_RESET + SECOND);
  system.skip(HOLD_RESET + 2 * SECOND);
  await system.board.restarted;
  expect(system.board.resetReason).toBe(RESET.software);
});

it("with storage that can be neither read nor written button, LED, polling and the relay's pin work", async () => {
  const { system } = await restarted([]);
  const { board } = system;
  board.storage.read = () => {
    throw new Error("ESP_FAIL");
  };
  board.storage.write = () => {
    throw new Error("ESP_FAIL");
  };
  board.panic();
  await board.restarted;
  await expectRest(system, ["bms", "relay"]);
  // Off: it is the second crash in a row.
  expect(board.pin(PINS.relay).output).toBe(0);
  await system.until("polls", () => system.probes.monitor().online);
});

it("a Wi-Fi board whose driver cannot be started has everything else, and a network as soon as it can", async () => {
  const web = { password: hashPassword(PASSWORD, 100) };
  const config = { httpPort: await freePort(), network: "Wi-Fi", pins: PINS, settings: { web } } as const;
  system = await System.start({ bms: { evolving: false }, board: { config } });
  const { board } = system;
  const start = board.startStack.bind(board);
  let refused = true;
  board.startStack = () => {
    if (refused) throw new Error("esp_wifi_init failed");
    start();
  };
  board.panic();
  await board.restarted;
  await system.until("polls", () => system?.probes.monitor().online ?? false);
  expect(system.probes.parts().log).toContain("part-failed\tWi-Fi\tesp_wifi_init failed");
  system.skip(60 * SECOND);
  expect([board.resetReason, board.radio.accessPoint]).toEqual([RESET.panic, undefined]);
  refused = false;
  // The server opens its listener again after a minute at most.
  system.skip(120 * SECOND);
  await board.ready();
  expect(board.radio.accessPoint).toBeDefined();
  expect(system.probes.parts().log).toContain("part-works\tWi-Fi");
  expect(await partsOf(await clientOf(system))).toEqual([]);
});
