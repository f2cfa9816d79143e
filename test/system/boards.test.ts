/** The firmware on each board, by the board's manifest: its pins, and what it does not have. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { Board } from "../../src/board";
import { BOARDS } from "../../scripts/moddable.mjs";
import { System, TOKEN } from "../support/system/system";

const configOf = (board: string): Pick<Board, "chip" | "network" | "maxPacks" | "pins" | "boardVersion"> => {
  const { config } = JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as { config: Board };
  const { chip, network, maxPacks, pins, boardVersion } = config;
  return { chip, network, maxPacks, pins, boardVersion };
};

let system: System | undefined;
afterEach(() => {
  system?.stop();
  system = undefined;
});

describe.each(BOARDS)("on %s", (name) => {
  const config = configOf(name);
  const { bms, driven = [], relay, temperature } = config.pins;
  const relaySettings = { fitted: true, mode: 0, start: "on", activeLevel: 1 } as const;

  /** Levels of the relay and the driven pins when the port is opened, which claims its pins. */
  let atOpening: (0 | 1 | undefined)[] | undefined;
  const begin = async (): Promise<System> => {
    atOpening = undefined;
    return (system = await System.start({
      board: {
        config: {
          ...config,
          settings: { relay: relaySettings, monitoring: { fitted: true }, mqtt: { enabled: false } },
        },
      },
      prepare({ pins }) {
        const use = pins.use.bind(pins);
        pins.use = (number, options) => {
          if (number === bms.transmit)
            atOpening ??= [...(relay === undefined ? [] : [relay]), ...driven.map(({ pin }) => pin)].map(
              (pin) => pins.pin(pin).output,
            );
          return use(number, options);
        };
      },
    }));
  };

  it("polls the BMS; relay and driven pins have their levels before the port is opened", async () => {
    const running = await begin();
    await running.untilLoaded();
    expect(atOpening).toEqual([...(relay === undefined ? [] : [1]), ...driven.map(({ level }) => level)]);
    expect(running.console.join("")).not.toContain("part-failed");
  });

  it("shows a relay and inputs if the board has them, and no others, whatever is stored", async () => {
    const running = await begin();
    await running.untilLoaded();
    expect(running.probes.configure("relay", { fitted: true })).toBeUndefined();
    expect(running.probes.configure("monitoring", { fitted: true })).toBeUndefined();
    const summary = (await running.get("/api")).json as { data: { monitoring?: object } };
    expect(summary.data.monitoring === undefined).toBe(temperature === undefined);
    const { text } = await running.get("/metrics");
    expect([/^bms_monitor_relay/m.test(text), /^bms_monitor_(?:input|temperature)/m.test(text)]).toEqual([
      relay !== undefined,
      temperature !== undefined,
    ]);
    const answer = await fetch(`${running.url}/api/relay`, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      body: '{"cmd":"off"}',
    });
    expect(answer.status).toBe(relay === undefined ? 404 : 200);
    if (relay !== undefined) expect(running.board.pin(relay).output).toBe(0);
  });
});
