/** What is wrong when the device restarts: told once, with its true beginning, and its end. Of the first, a middle and the last pack. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { CALM_AFTER_START, PAUSES } from "../../src/notify/limits";
import { en } from "../../web/texts/en";
import { System, turn } from "../support/system/system";
import { Webhook } from "../support/peers/webhook";
import { WebClient } from "../support/web/web-client";

const START = Date.UTC(2027, 0, 15, 16);
const SECOND = 1_000;
const PASSWORD = "Lítio 280 Ah";
/** Virtual seconds. */
const PATIENCE = 900;
const NAMES = ["Top", "Middle", "Bottom"];

let system: System;
let service: Webhook;

beforeEach(async () => {
  service = new Webhook();
  await service.open();
  system = await System.start({
    bank: { count: NAMES.length, timeFactor: 0, evolving: false },
    board: {
      utc: () => START + system.board.clock.now,
      config: {
        settings: {
          time: { server: "127.0.0.1" },
          web: { password: hashPassword(PASSWORD, 100) },
          notify: { kind1: "webhook", url1: service.url, soc: 0, temperature: 0 },
          packs: {
            first: NAMES[0]!,
            further: NAMES.slice(1).map((name, index) => ({ address: index + 2, name })),
          },
        },
      },
    },
  });
});

afterEach(() => {
  service.close();
  system.stop();
});

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let second = 0; !(await condition()); second++) {
    if (second > PATIENCE) throw new Error(`${PATIENCE} s went by in vain until ${what}`);
    await pass(1);
  }
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    system.skip(SECOND);
    await turn();
  }
}

async function restart(): Promise<void> {
  const before = system.probes.start().restarts;
  system.probes.restart();
  await until("it has started again", () => system.probes.start().restarts > before);
}

async function allOnline(): Promise<boolean> {
  const reply = await system.get("/api/packs");
  return (
    reply.status === 200 && (reply.json as { data: { bank: { online: number } } }).data.bank.online === NAMES.length
  );
}

interface Condition {
  readonly pack: number;
  readonly code: string;
  readonly since: number | null;
}

/** Of the packs, but that one does not answer yet. */
async function conditions(): Promise<Condition[]> {
  const { data } = (await system.get("/api/conditions")).json as { data: Condition[] };
  const those = data.filter(({ code }) => code !== "offline" && code !== "settings-unread");
  return those.map(({ pack, code, since }) => ({ pack, code, since }));
}

async function events(): Promise<string[]> {
  const browser = new WebClient(system);
  await browser.signIn(PASSWORD);
  const { data } = (await browser.send("GET", "/web/log")).json as { data: { text: string }[] };
  return data.map(({ text }) => text).filter((text) => /^(condition|alarm)-/.test(text));
}

it("is told once, of each of three packs, and its end once it is over", async () => {
  const packs = system.bank!.packs;
  const bad = packs.map(({ registers }) => (is: boolean) => {
    registers.write("TimeEmergency", is ? 600 : 0);
    registers.write("Alarms", is ? 1 << 11 : 0);
  });
  await until("all are online", allOnline);
  await until("the time is known", () => system.probes.utc() !== undefined);
  for (const begin of bad) begin(true);
  const emergency = en.messages["condition-raised"](en.concerns.emergency);
  await until("all is told", () =>
    [emergency, en.messages["alarm-raised"](en.alarms.cell_undervoltage.title)].every((text) =>
      NAMES.every((name) => service.texts.some((one) => one.includes(name) && one.includes(text))),
    ),
  );
  const before = await conditions();
  expect(before).toHaveLength(9);
  const told = await events();
  expect(told).toHaveLength(6);

  /** Clock and uptime are whole seconds, each by itself. */
  const expectSame = async (): Promise<void> => {
    const now = (await conditions()).filter(({ code }) => code === "emergency");
    const then = before.filter(({ code }) => code === "emergency");
    expect(now.map(({ pack }) => pack)).toEqual(then.map(({ pack }) => pack));
    for (const [at, { since }] of now.entries()) expect(Math.abs(since! - then[at]!.since!)).toBeLessThanOrEqual(1);
  };
  await restart();
  service.messages.length = 0;
  await expectSame();
  await until("all are online", allOnline);
  await pass(PAUSES[1]! - CALM_AFTER_START);
  expect([await events(), service.texts]).toEqual([told, []]);
  await expectSame();

  // Over while it starts: no pack has answered yet.
  for (const pack of packs) pack.setOnline(false);
  await restart();
  for (const end of bad) end(false);
  for (const pack of packs) pack.setOnline(true);
  await until("the list is empty", async () => !(await conditions()).length);
  const cleared = (await events()).slice(told.length);
  expect([...cleared].sort()).toEqual(
    [1, 2, 3]
      .flatMap((address) => [
        `alarm-cleared\tcell_undervoltage\t${address}`,
        `condition-cleared\temergency\t${address}`,
      ])
      .sort(),
  );
  await until("the owner is told", () =>
    [
      en.messages["condition-cleared"](en.concerns.emergency),
      en.messages["alarm-cleared"](en.alarms.cell_undervoltage.title),
    ].every((text) => NAMES.every((name) => service.texts.some((one) => one.includes(name) && one.includes(text)))),
  );
});
