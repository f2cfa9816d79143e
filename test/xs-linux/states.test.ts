/** The states of the platform that the Linux build has, with the SDK's own XS: what must work in all of them. */
import { afterEach, expect, it } from "vitest";
import { LinuxSystem } from "../support/system/linux-system";

const SECOND = 1_000;
/** ms. */
const STEP = 50;
const WAITS = 1_000;
const RELAY_PIN = 33;

let running: LinuxSystem | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

it.each([
  ["no-link", true, true],
  ["no-lease", true, true],
  ["no-pins", true, false],
  ["no-conversions", true, true],
  ["no-serial", false, true],
  ["no-lease no-serial no-pins", false, false],
])("%s: page, polling (%s) and relay (%s)", async (troubles, polls, switches) => {
  const system = (running = await LinuxSystem.start({
    unpaced: true,
    troubles: troubles.split(" "),
    settings: { relay: { fitted: true, mode: 0, start: "on" }, monitoring: { fitted: true } },
  }));
  await system.run(20 * SECOND);
  expect(system.bms.traffic.requests > 0).toBe(polls);
  // Time goes on while it is served.
  let status = 0;
  void fetch(`${system.baseUrl}/api`).then((response) => void (status = response.status));
  for (let waited = 0; !status && waited < WAITS; waited++) await system.run(STEP);
  expect(status).toBe(401);
  // A pin that is not driven is pulled up here: only the switching tells.
  expect(await system.program.order({ order: "level", pin: RELAY_PIN })).toBe(1);
  const switched = (await system.program.order({
    order: "probe",
    name: "switchRelay",
    parameters: [false],
  })) as boolean;
  expect([switched, await system.program.order({ order: "level", pin: RELAY_PIN })]).toEqual([
    switches,
    switches ? 0 : 1,
  ]);
  expect(await system.program.order({ order: "probe", name: "start", parameters: [] })).toMatchObject({ restarts: 0 });
});
