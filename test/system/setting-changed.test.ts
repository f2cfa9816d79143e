/** A protection limit that is changed in the app, by every interface that has events, of the first, a middle and the last pack of a bank; what this device sets is told as the end of a write alone. */
import { createSocket, type Socket } from "node:dgram";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword } from "../../host-sim/password";
import { GATHER } from "../../src/notify/limits";
import { messageText } from "../../web/messages";
import { en } from "../../web/texts/en";
import { pt } from "../../web/texts/pt";
import { System } from "../support/system/system";
import { Webhook } from "../support/peers/webhook";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio 280 Ah";
const FIRST = 1;
const NAMES = ["Top", "Middle", "Bottom"] as const;

let system: System;
let page: WebClient;
let socket: Socket;
let service: Webhook;
const lines: string[] = [];

beforeAll(async () => {
  socket = createSocket("udp4").on("message", (bytes) => void lines.push(bytes.toString()));
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  service = new Webhook();
  await service.open();
  system = await System.start({
    bank: { count: NAMES.length, evolving: false, timeFactor: 0 },
    board: {
      config: {
        settings: {
          web: { password: hashPassword(PASSWORD, 100) },
          syslog: { host: "127.0.0.1", port: socket.address().port },
          notify: { kind1: "webhook", url1: service.url },
          packs: { first: NAMES[0], further: NAMES.slice(1).map((name, at) => ({ address: at + 2, name })) },
        },
      },
    },
  });
  page = new WebClient(system);
  await page.signIn(PASSWORD);
});

afterAll(() => {
  system.stop();
  socket.close();
  service.close();
});

const events = async (): Promise<{ event: string; parameters: string[]; pack: number }[]> =>
  ((await system.get("/api/events")).json as { data: never[] }).data;

/** The device closes a connection that was idle for long, which a GET finds out: it is sent again. */
async function post(path: string, body: unknown): Promise<number> {
  await events();
  return (await system.post(path, body)).status;
}

it.each(NAMES.map((name, index) => [name, index + 1] as const))("%s", async (name, address) => {
  await system.untilLoaded();
  const changed = `setting-changed\tcell_ovp_voltage\t3.65\t3.6\tV\t${address}\tunknown\t`;
  system.bank!.packs[address - 1]!.registers.write("VolCellOV", 3_600);
  // Its settings are read again after a write.
  expect(await post(`/api/packs/${address}/commands`, { command: "balance", state: true })).toBe(202);
  await system.until("the log has it", () => system.probes.parts().log.includes(changed));
  expect(messageText(changed, en)).toBe(
    `Pack ${address}: Setting changed (by whom is unknown): Cell over-voltage protection: 3.650 V → 3.600 V.`,
  );
  expect(messageText(changed, pt)).toMatch(
    /^Bateria \d: Configuração alterada \(por quem não se sabe\): .*: 3,650 V → 3,600 V\.$/,
  );
  expect((await page.send("GET", "/web/log")).text).toContain(JSON.stringify(changed).slice(1, -1));
  expect(await events()).toContainEqual(
    expect.objectContaining({ event: "setting-changed", parameters: changed.split("\t").slice(1), pack: address }),
  );
  const sentence = "Setting changed (unknown): cell_ovp_voltage 3.65 -> 3.6 V.";
  await system.until("syslog has it", () => lines.some((line) => line.endsWith(`] Pack ${address}: ${sentence}`)));
  // The next one has to wait for minutes: test/notify/setting-changed.test.ts.
  if (address === FIRST) {
    system.skip(GATHER * 1_000);
    await system.until("the owner is told", () => service.messages.some(({ event }) => event === "setting-changed"));
    expect(service.messages.filter(({ event }) => event === "setting-changed")).toMatchObject([
      { message: `${name}: A protection limit was changed: cell_ovp_voltage 3.65 → 3.6 V.`, packs: [address] },
    ]);
  }
  // Back, by this device.
  expect(await post(`/api/packs/${address}/settings`, { setting: "cell_ovp_voltage", value: 3.65 })).toBe(202);
  await system.until("it is written", () =>
    system.probes.parts().log.includes(`write\tcell_ovp_voltage\t3.65\tconfirmed\tV\t${address}\tAPI\t`),
  );
  system.skip(20_000);
  const own = (text: string): boolean => text.startsWith("setting-changed") && text.includes(`\tV\t${address}\t`);
  expect(system.probes.parts().log.filter(own)).toEqual([changed]);
});
