/** Memory for an object of the platform may be missing at any moment, not only in the start: no callback may throw for it. */
import { afterEach, expect, it } from "vitest";
import { WT32_PINS } from "../../host-sim/config";
import { MAX_REOPEN } from "../../src/network/limits";
import { ENGINE } from "../support/system/engines";
import { freePort } from "../support/free-port";
import { System } from "../support/system/system";

const SECOND = 1_000;
/** On XS a life takes long. */
const EVERY = ENGINE === "node" ? 1 : 20;

let system: System | undefined;
afterEach(() => system?.stop());

async function start(): Promise<System> {
  return System.start({
    unpaced: true,
    board: {
      utc: () => Date.UTC(2026, 10, 21),
      config: {
        httpPort: await freePort(),
        settings: {
          relay: { fitted: true, mode: 1, minimumOff: 5 },
          monitoring: { fitted: true },
          snmp: { enabled: true, community: "Gemeinde-7" },
          // Numeric addresses: names are resolved by this machine.
          time: { server: "127.0.0.1" },
          mqtt: { enabled: true, host: "127.0.0.1", port: await freePort() },
        },
      },
    },
  });
}

/** What makes timers and sockets: a new name, an edge, a write, a silent BMS, a lost network. An exception in a callback ends it. */
function live(running: System, round: number): void {
  const { board, bms, probes } = running;
  const [pin] = WT32_PINS.inputs;
  board.pin(pin).drive(0);
  probes.configure("device", { hostname: `jk-${round}` });
  probes.configure("bms", { interval: 900 + (round % 2) });
  board.clock.runFor(2 * SECOND);
  board.pin(pin).drive(1);
  try {
    probes.writeParameter("cell_ovp_voltage", 3.6 + (round % 2) / 100);
  } catch {
    // Not accepted: the interface that was asked says so.
  }
  board.clock.runFor(20 * SECOND);
  bms.setOnline(false);
  board.ethernet.cable = false;
  board.clock.runFor(40 * SECOND);
  bms.setOnline(true);
  board.ethernet.cable = true;
  board.clock.runFor(20 * SECOND);
}

it("whatever allocation fails in its life: nothing ends the script, and everything works a little later", async () => {
  const running = (system = await start());
  const { board, probes } = running;
  board.clock.runFor(30 * SECOND);
  const before = board.refusals.allocated;
  live(running, 0);
  const made = board.refusals.allocated - before;
  expect(made).toBeGreaterThan(20);
  for (let nth = 1; nth <= made; nth += EVERY) {
    board.refusals.failAllocation(nth);
    live(running, nth);
    board.refusals.failAllocation(0);
    board.clock.runFor(2 * MAX_REOPEN);
    expect([nth, probes.services(), running.monitor().online, probes.start().restarts]).toEqual([
      nth,
      { network: true, snmp: true, mdns: true, time: true },
      true,
      0,
    ]);
  }
});
