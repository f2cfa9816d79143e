/**
 * A name that an object is asked for stays among XS's keys for ever, and a board has few (creation.keys in manifest.json; on XS the simulator
 * has as many): what a client makes up must never be one. See docs/xs.md.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../../manifest.json";
import { hashPassword } from "../../host-sim/password";
import { System } from "../support/system/system";
import { WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
const NAMES = Array.from({ length: 2 * manifest.creation.keys.available }, (_, at) => `made-up-${at}`);

let system: System;
let client: WebClient;
let ended: Promise<never>;

/** Rejects as the engine ends. */
function ends(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, rejected) => (reject = rejected));
  promise.catch(() => undefined);
  return { promise, reject };
}

type Knock = (system: System, client: WebClient, name: string) => Promise<{ readonly status: number }>;

const form = (body: string): { body: string; headers: Record<string, string> } => ({
  body,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});

const DOORS: readonly (readonly [door: string, status: number, knock: Knock])[] = [
  ["a path", 404, (system, _, name) => system.get(`/${name}`)],
  ["a path of the API", 404, (system, _, name) => system.get(`/api/${name}`)],
  ["a member of a query", 400, (system, _, name) => system.get(`/api/history?${name}=1`)],
  ["a value of a query", 400, (system, _, name) => system.get(`/api/history?series=${name}`)],
  ["a header", 200, (system, _, name) => system.request("GET", "/api", { headers: { [name]: name } })],
  ["a cookie", 200, (system, _, name) => system.request("GET", "/api", { headers: { cookie: `${name}=${name}` } })],
  ["a member of JSON", 400, (system, _, name) => system.post("/api/bms/commands", { [name]: { [name]: 1 } })],
  ["a member of a form", 400, (system, _, name) => system.request("POST", "/api/relay", form(`${name}=1`))],
  ["a setting", 409, (system, _, name) => system.post("/api/bms/settings", { setting: name, value: 1 })],
  ["a command", 400, (system, _, name) => system.post("/api/bms/commands", { command: name, state: name })],
  ["a group of settings", 404, (_, client, name) => client.get(`/web/group/${name}`)],
  ["a group of settings to write", 404, (_, client, name) => client.post(`/web/group/${name}`, {})],
  ["a member of a group", 200, (_, client, name) => client.post("/web/group/device", { [name]: { [name]: name } })],
  ["a value in a group", 400, (_, client, name) => client.post("/web/group/bms", { mode: name })],
];

// One start for all: whichever door takes keys is the one at which the engine ends.
beforeAll(async () => {
  const { promise, reject } = ends();
  ended = promise;
  system = await System.start({
    board: { config: { settings: { web: { password: hashPassword(PASSWORD, 100) } } } },
    xs: { onLoaded: ({ worker }) => void worker.ended.then((code) => reject(new Error(`XS has ended with ${code}`))) },
  });
  await system.untilLoaded();
  client = new WebClient(system);
  expect((await client.signIn(PASSWORD)).status).toBe(200);
});
afterAll(() => system.stop());

it.each(DOORS)("%s takes none of the engine's keys", async (_, status, knock) => {
  for (const name of NAMES) {
    const answer = await Promise.race([knock(system, client, name), ended]);
    expect(answer.status, name).toBe(status);
  }
});
