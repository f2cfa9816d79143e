import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../host-sim/specifiers.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BOARD, Machine, newBoard, scrap, until } from "./machine";

/** Registers of the pins' levels and of those that are outputs, by chip (Espressif's Technical Reference Manuals). */
const GPIO: Readonly<Record<number, { readonly out: number; readonly enable: number }>> = {
  0: { out: 0x3ff4_4004, enable: 0x3ff4_4020 },
  5: { out: 0x6000_4004, enable: 0x6000_4020 },
  9: { out: 0x6000_4004, enable: 0x6000_4020 },
};

const { config } = JSON.parse(readFileSync(join(root, `boards/${BOARD}/manifest.json`), "utf8")) as {
  config: { chip: number; pins: { relay: number } };
};

describe(`the first start of ${BOARD}`, () => {
  let folder = "";
  let machine: Machine;
  beforeAll(async () => {
    folder = newBoard();
    machine = await Machine.start(folder, { model: "JK_PB2A16S20P" });
  });
  afterAll(async () => {
    await machine?.cut();
    scrap(folder);
  });

  it("says its access point and its set-up code", async () => {
    await machine.says(/network: access point JK-BMS-123456, password \S{12}/);
    await machine.says(/set-up code \S{12}/);
  });

  it("drives the relay's pin, to off", async () => {
    const { out, enable } = GPIO[config.chip]!;
    const bit = 1 << config.pins.relay;
    expect((await machine.control.word(enable)) & bit).toBe(bit);
    expect((await machine.control.word(out)) & bit).toBe(0);
  });

  it("polls the BMS, which hears only requests that it can answer", async () => {
    await until("an answered poll", () => (machine.bms.traffic.outcomes.answered > 3 ? true : undefined));
    expect(machine.bms.traffic.outcomes).toMatchObject({ asleep: 0 });
  });

  it("has started once", () => expect(machine.starts).toBe(1));
});
