/** The real firmware, on a simulated board whose Wi-Fi driver is stuck until the chip is reset. */
import { afterEach, expect, it } from "vitest";
import { RESET } from "../../host-sim/board";
import { STUCK_AFTER, WIFI_RESTART_INTERVAL, WIFI_STARTS } from "../../src/network/limits";
import { freePort } from "../support/free-port";
import { System } from "../support/system/system";

const SECOND = 1_000;
const HOME = { ssid: "Home", password: "correct horse" };

let system: System | undefined;
afterEach(() => {
  system?.stop();
  system = undefined;
});

it("a device that has run for long enough is restarted, which is told", async () => {
  const config = { httpPort: await freePort(), settings: { network: HOME } };
  system = await System.start({ unpaced: true, engine: "node", board: { cable: false, config } });
  const { board, firmware } = system;
  const { air, clock, radio } = board;
  air.add(HOME);
  clock.runFor(60 * SECOND);
  expect([firmware.network.online, firmware.isInUse]).toEqual([true, false]);
  firmware.uptime = () => WIFI_RESTART_INTERVAL;
  radio.stuck = "until-reset";
  air.remove(HOME.ssid);
  air.add(HOME);
  for (let times = 0; times < 8 && board.resetReason !== RESET.software; times++) {
    clock.runFor(STUCK_AFTER);
    await board.restarted;
  }
  expect([board.resetReason, radio.stops.length]).toEqual([RESET.software, WIFI_STARTS + 1]);
  clock.runFor(60 * SECOND);
  const { events, network, start } = system.firmware;
  expect([start.reason, network.online]).toEqual(["no-wifi", true]);
  const log = Array.from({ length: events.length }, (_, index) => events.at(index).text);
  expect(log).toContain("part-failed\tWi-Fi\tdoes not join; stopped and started");
  expect(log).toContain("start-reason\tno-wifi");
});
