import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Board } from "../../src/board";
import { defaultConfig } from "../../host-sim/config";
import { temperatureOf } from "../../src/sensors/temperature";
import DEFAULTS from "../../src/settings/defaults";
import { MAX_PACKS } from "../../src/settings/limits";

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

/** The chips' data sheets: "Pin Definitions", "Strapping Pins", "ADC", "USB Serial/JTAG". */
const CHIPS = {
  esp32: {
    pins: [...range(0, 19), ...range(21, 23), ...range(25, 27), ...range(32, 39)],
    strapping: [0, 2, 5, 12, 15],
    flash: range(6, 11),
    console: [1, 3],
    usb: [],
    adc1: range(32, 39),
    inputOnly: range(34, 39),
    uarts: 3,
  },
  esp32c3: {
    pins: range(0, 21),
    strapping: [2, 8, 9],
    flash: range(11, 17),
    console: [20, 21],
    usb: [18, 19],
    adc1: range(0, 4),
    inputOnly: [],
    uarts: 2,
  },
  esp32s3: {
    pins: [...range(0, 21), ...range(26, 48)],
    strapping: [0, 3, 45, 46],
    // Octal flash or PSRAM takes 33 to 37 as well.
    flash: range(26, 37),
    console: [43, 44],
    usb: [19, 20],
    adc1: range(1, 10),
    inputOnly: [],
    uarts: 3,
  },
} as const;

/** Pins used by the boards themselves; and strapping pins that are used anyway, for the reasons in docs/boards.md. */
const ON_BOARD: Record<string, { chip: keyof typeof CHIPS; taken: number[]; allowed?: number[] }> = {
  // RMII, its clock and the oscillator's switch.
  wt32_eth01: { chip: "esp32", taken: [0, 16, 18, 19, 21, 22, 23, 25, 26, 27], allowed: [5] },
  // PSRAM of the WROVER module; LED.
  nodemcu: { chip: "esp32", taken: [16, 17, 2] },
  // GPIO 8 is the data input of the LED, which drives nothing.
  esp32c3: { chip: "esp32c3", taken: [], allowed: [8] },
  esp32s3: { chip: "esp32s3", taken: [48] },
};

const BOARDS = Object.keys(ON_BOARD);

const manifestOf = (board: string): { config: Board } =>
  JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as { config: Board };

const documentation = readFileSync("docs/boards.md", "utf8");

const { platforms } = JSON.parse(readFileSync("manifest.json", "utf8")) as {
  platforms: Record<string, { creation?: object }>;
};

it("every board is in the product's manifest", () => {
  expect(Object.keys(platforms)).toEqual(["x-cli-lin", ...BOARDS.map((board) => `esp32/${board}`), "..."]);
});

describe.each(BOARDS)("board %s", (board) => {
  const { config } = manifestOf(board);
  it("bears the packs that docs/boards.md says", () => {
    expect(config.maxPacks).toBe(Number(/: (\d+) on each of these boards/.exec(documentation)?.[1]));
    expect(config.maxPacks).toBeLessThanOrEqual(MAX_PACKS);
  });

  const { bms, relay, temperature, voltages, inputs } = config.pins;
  const { chip: name, taken, allowed = [] } = ON_BOARD[board]!;
  const chip = CHIPS[name];
  const direction = bms.direction === undefined ? [] : [bms.direction];
  const all = [bms.receive, bms.transmit, ...direction, relay, temperature, ...voltages, ...inputs];
  const oneOf = (list: readonly number[]) => (pin: number) => list.includes(pin);

  it("names its network and every pin once", () => {
    expect(config.boardVersion).toBe(board);
    expect(["Ethernet", "Wi-Fi"]).toContain(config.network);
    expect([voltages.length, inputs.length]).toEqual([3, 2]);
    expect(all.every(oneOf(chip.pins))).toBe(true);
    expect(new Set(all).size).toBe(9 + direction.length);
  });

  it("avoids strapping pins, the flash, console and USB, and what is on the board", () => {
    expect(all.filter(oneOf(chip.strapping))).toEqual(allowed);
    expect(all.filter(oneOf([...chip.flash, ...chip.console, ...chip.usb, ...taken]))).toEqual([]);
    expect(bms.port).toBeGreaterThan(0);
    expect(bms.port).toBeLessThan(chip.uarts);
  });

  it("has its chip's memory", () => {
    const c3 = { chunk: { initial: 40_960 }, heap: { initial: 2_912 } };
    expect(platforms[`esp32/${board}`]?.creation).toEqual(name === "esp32c3" ? c3 : undefined);
  });

  it("has its button and LED on pins of their own, named in docs/boards.md", () => {
    const { button, led } = config.pins;
    for (const [use, pin] of Object.entries({ button, led })) {
      if (pin === undefined) continue;
      expect(chip.pins).toContain(pin);
      expect(all, use).not.toContain(pin);
      expect(chip.inputOnly, use).not.toContain(pin);
      const named = new RegExp(`\\b${board}: BOOT .*GPIO ${pin}\\b`).test(documentation);
      expect(named, `${use} in docs/boards.md, "Button and LED"`).toBe(true);
    }
  });

  it("measures with ADC1 and drives no input-only pin; its inputs have pull-ups", () => {
    expect([temperature, ...voltages].every(oneOf(chip.adc1))).toBe(true);
    expect([bms.transmit, relay, ...inputs].filter(oneOf(chip.inputOnly))).toEqual([]);
  });

  it("matches the pin table in docs/boards.md", () => {
    const section = documentation.split(/^## /m).find((text) => text.startsWith(`${board} `)) ?? "";
    const pinOf = (use: string): number[] =>
      [...section.matchAll(new RegExp(`^\\| ${use} +\\| GPIO (\\d+)`, "gm"))].map(([, pin]) => Number(pin));
    expect(pinOf("RS485 RXD \\(from the transceiver\\)")).toEqual([bms.receive]);
    expect(pinOf("RS485 TXD \\(to the transceiver\\)")).toEqual([bms.transmit]);
    expect(pinOf("Relay")).toEqual([relay]);
    expect(pinOf("Temperature")).toEqual([temperature]);
    expect(pinOf("Voltage [012]")).toEqual(voltages);
    expect(pinOf("Input [01]")).toEqual(inputs);
  });
});

it("docs/boards.md draws and states the default thermistor and its series resistor", () => {
  const { temperature } = DEFAULTS.monitoring;
  const { seriesResistance, resistance25 } = temperature;
  const drawn = [...documentation.matchAll(/3\.3 V --\[(\d+) kOhm\]--\+-.*\| Temperature/g)];
  expect(drawn.map(([, value]) => Number(value) * 1000)).toEqual([seriesResistance]);
  expect(documentation).toContain(`[NTC ${resistance25 / 1000} kOhm]`);
  expect(documentation).toContain(`a series resistor of ${seriesResistance / 1000} kOhm to 3.3 V`);
  const degrees = (millivolts: number): number => Math.round(temperatureOf(temperature, millivolts)! / 10);
  expect(documentation).toContain(
    `With ${seriesResistance / 1000} kOhm the ADC's range of 150 to 2,450 mV covers ${degrees(2_450)} to ${degrees(150)} °C`,
  );
});

it("the simulated board has the WT32-ETH01's pins", () => {
  const { pins, network } = manifestOf("wt32_eth01").config;
  expect({ pins, network }).toEqual({ pins: defaultConfig().pins, network: defaultConfig().network });
});
