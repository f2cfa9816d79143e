import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Board } from "../../src/board";
import { defaultConfig } from "../../host-sim/config";
import { flashOf } from "../../scripts/flash-settings.mjs";
import { restOf } from "../../scripts/size/budget.mjs";
import { temperatureOf } from "../../src/sensors/temperature";
import DEFAULTS from "../../src/settings/defaults";
import { MAX_PACKS } from "../../src/settings/limits";

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

interface Chip {
  readonly pins: readonly number[];
  readonly strapping: readonly number[];
  readonly flash: readonly number[];
  readonly console: readonly number[];
  readonly usb: readonly number[];
  readonly adc1: readonly number[];
  readonly inputOnly: readonly number[];
  readonly uarts: number;
  /** esp_chip_id_t. */
  readonly number: number;
}

/** The chips' data sheets: "Pin Definitions", "Strapping Pins", "ADC", "USB Serial/JTAG". */
const CHIPS: Readonly<Record<"esp32" | "esp32c3" | "esp32s3", Chip>> = {
  esp32: {
    pins: [...range(0, 19), ...range(21, 23), ...range(25, 27), ...range(32, 39)],
    strapping: [0, 2, 5, 12, 15],
    flash: range(6, 11),
    console: [1, 3],
    usb: [],
    adc1: range(32, 39),
    inputOnly: range(34, 39),
    uarts: 3,
    number: 0,
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
    number: 5,
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
    number: 9,
  },
};

/** Boards with the transceiver on them; each of their pins has a source. */
const SOURCED: readonly string[] = [
  "waveshare_rs485_can",
  "waveshare_relay_1ch",
  "waveshare_relay_6ch",
  "t_can485",
  "atom_lite_rs485",
  "atoms3_lite_rs485",
  "t_eth_poe_pro",
];

interface OnBoard {
  readonly chip: keyof typeof CHIPS;
  /** Pins used by the board itself for what the firmware leaves alone. */
  readonly taken: readonly number[];
  /** Strapping pins that are used anyway, for the reasons in docs/boards.md. */
  readonly allowed?: readonly number[];
}

const ON_BOARD: Readonly<Record<string, OnBoard>> = {
  // RMII, its clock and the oscillator's switch.
  wt32_eth01: { chip: "esp32", taken: [0, 16, 18, 19, 21, 22, 23, 25, 26, 27], allowed: [5] },
  // PSRAM of the WROVER module; LED.
  nodemcu: { chip: "esp32", taken: [16, 17, 2] },
  // GPIO 8 is the data input of the LED, which drives nothing.
  esp32c3: { chip: "esp32c3", taken: [], allowed: [8] },
  esp32s3: { chip: "esp32s3", taken: [48] },
  // CAN, clock chip.
  waveshare_rs485_can: { chip: "esp32s3", taken: [15, 16, 38, 39, 40] },
  // Clock chip.
  waveshare_relay_1ch: { chip: "esp32s3", taken: [38, 39] },
  // Addressable LED; relays on strapping pins.
  waveshare_relay_6ch: { chip: "esp32s3", taken: [38, 45, 46] },
  // CAN, SD card, addressable LED.
  t_can485: { chip: "esp32", taken: [26, 27, 2, 13, 14, 15, 4] },
  // Grove, infrared, button, addressable LED.
  atom_lite_rs485: { chip: "esp32", taken: [26, 32, 12, 39, 27] },
  // Grove, infrared, addressable LED.
  atoms3_lite_rs485: { chip: "esp32s3", taken: [1, 2, 4, 35] },
  // RMII, its clock, reset of the PHY, PSRAM.
  t_eth_poe_pro: { chip: "esp32", taken: [0, 5, 16, 17, 18, 19, 21, 22, 23, 25, 26, 27] },
};

const BOARDS = Object.keys(ON_BOARD);

interface Manifest {
  readonly config: Board;
  readonly defines?: { readonly ethernet?: { readonly internal: { readonly phy: object; readonly mac: object } } };
}

const manifestOf = (board: string): Manifest =>
  JSON.parse(readFileSync(`boards/${board}/manifest.json`, "utf8")) as Manifest;

const documentation = readFileSync("docs/boards.md", "utf8");
const sectionOf = (title: string): string =>
  documentation.split(/^## /m).find((text) => text.startsWith(`${title} `) || text.startsWith(`${title}\n`)) ?? "";

const { platforms } = JSON.parse(readFileSync("manifest.json", "utf8")) as {
  platforms: Record<string, { creation?: object }>;
};

it("every board is in the product's manifest", () => {
  expect(Object.keys(platforms)).toEqual(["x-cli-lin", ...BOARDS.map((board) => `esp32/${board}`), "..."]);
  const folders = readdirSync("boards").filter((name) => name !== "esp32");
  expect([...BOARDS].sort()).toEqual(folders.sort());
});

describe.each(BOARDS)("board %s", (board) => {
  const { config, defines } = manifestOf(board);
  it("bears the packs that docs/boards.md says", () => {
    expect(config.maxPacks).toBe(Number(/: (\d+) on each of these boards/.exec(documentation)?.[1]));
    expect(config.maxPacks).toBeLessThanOrEqual(MAX_PACKS);
  });

  const { bms, driven = [], relay, temperature, voltages, inputs, button, led } = config.pins;
  const { chip: name, taken, allowed = [] } = ON_BOARD[board]!;
  const chip = CHIPS[name];
  const given = (...pins: (number | undefined)[]): number[] => pins.filter((pin) => pin !== undefined);
  const analog = given(temperature, ...(voltages ?? []));
  const outputs = given(bms.transmit, bms.direction, ...driven.map(({ pin }) => pin), relay);
  const all = [bms.receive, ...outputs, ...analog, ...(inputs ?? [])];
  const oneOf = (list: readonly number[]) => (pin: number) => list.includes(pin);

  it("names its chip, its network and every pin once, and has all sensors or none", () => {
    expect([config.boardVersion, config.chip]).toEqual([board, chip.number]);
    expect(["Ethernet", "Wi-Fi"]).toContain(config.network);
    expect([[], [3, 2]]).toContainEqual(temperature === undefined ? [] : [voltages?.length, inputs?.length]);
    expect([voltages, inputs].filter(Boolean)).toHaveLength(temperature === undefined ? 0 : 2);
    const every = [...all, ...given(button, led)];
    expect(every.filter((pin) => !chip.pins.includes(pin))).toEqual([]);
    expect(every.filter((pin, at) => every.indexOf(pin) !== at)).toEqual([]);
    expect(driven.filter(({ level }) => ![0, 1].includes(level))).toEqual([]);
  });

  it("avoids strapping pins, the flash, console and USB, and what is on the board", () => {
    expect(all.filter(oneOf(chip.strapping))).toEqual(allowed);
    expect(all.filter(oneOf([...chip.flash, ...chip.console, ...chip.usb, ...taken]))).toEqual([]);
    expect(bms.port).toBeGreaterThan(0);
    expect(bms.port).toBeLessThan(chip.uarts);
  });

  it("has an Ethernet driver if that is its network, on pins that nothing else has", () => {
    const { phy = {}, mac = {} } = defines?.ethernet?.internal ?? {};
    const { address, ...phyPins } = phy as Record<string, number>;
    expect(address === undefined).toBe(config.network !== "Ethernet");
    const pins = [...Object.values(phyPins), ...Object.values(mac as Record<string, number>)];
    expect(pins.filter((pin) => !taken.includes(pin))).toEqual([]);
    expect(given(button, led).filter(oneOf(pins))).toEqual([]);
  });

  it("has the memory that all have", () => {
    expect(platforms[`esp32/${board}`]?.creation).toBeUndefined();
  });

  it("has a flash that its row in docs/boards.md names", () => {
    expect(row[3]).toBe(flashOf(".", board).size.replace("MB", " MB"));
  });

  /** The first table of docs/boards.md: board, image, chip, flash, RS485 on it, relay, Ethernet, history. */
  const row = sectionOf("Which board")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, ...cells]) => cells)
    .find(([, image]) => image === `\`${board}\``)!;

  it("has a row in docs/boards.md that says what it has", () => {
    expect(row[0]).toContain(`](#${board}-`);
    expect(row[2]).toBe({ esp32: "ESP32", esp32c3: "ESP32-C3", esp32s3: "ESP32-S3" }[name]);
    expect([row[5] === "–", row[6] === "yes"]).toEqual([relay === undefined, config.network === "Ethernet"]);
    expect(row[4] !== "–").toBe(SOURCED.includes(board));
  });

  it("has a row in `npm run size`", () => {
    const like = {
      esp32: config.network === "Ethernet" ? "wt32_eth01" : "nodemcu",
      esp32c3: "esp32c3",
      esp32s3: "esp32s3",
    };
    expect(restOf(board)).toBe(restOf(like[name]));
    expect(restOf(board)).toBeGreaterThan(0);
  });

  it("has its button and LED on pins of their own, named in docs/boards.md", () => {
    for (const [use, pin] of Object.entries({ button, led })) {
      if (pin === undefined) continue;
      expect(chip.inputOnly, use).not.toContain(pin);
      expect([...chip.flash, ...chip.console, ...chip.usb], use).not.toContain(pin);
      const named = new RegExp(`\\b${board}: [^;]*GPIO ${pin}\\b`).test(documentation);
      expect(named, `${use} in docs/boards.md, "Button and LED"`).toBe(true);
    }
  });

  it("measures with ADC1 and drives no input-only pin; its inputs have pull-ups", () => {
    expect(analog.every(oneOf(chip.adc1))).toBe(true);
    expect([...outputs, ...(inputs ?? [])].filter(oneOf(chip.inputOnly))).toEqual([]);
  });

  const section = sectionOf(board);
  const pinOf = (use: string): number[] =>
    [...section.matchAll(new RegExp(`^\\| ${use} +\\| GPIO (\\d+)`, "gm"))].map(([, pin]) => Number(pin));

  it("matches the pin table in docs/boards.md", () => {
    expect(pinOf("RS485 RXD \\(from the transceiver\\)")).toEqual([bms.receive]);
    expect(pinOf("RS485 TXD \\(to the transceiver\\)")).toEqual([bms.transmit]);
    expect(pinOf("RS485 direction")).toEqual(given(bms.direction));
    for (const level of [0, 1] as const)
      expect(pinOf(level ? "Driven high" : "Driven low")).toEqual(
        driven.filter((one) => one.level === level).map(({ pin }) => pin),
      );
    expect(pinOf("Relay")).toEqual(given(relay));
    expect(pinOf("Temperature")).toEqual(given(temperature));
    expect(pinOf("Voltage [012]")).toEqual(voltages ?? []);
    expect(pinOf("Input [01]")).toEqual(inputs ?? []);
  });
});

it.each(SOURCED)("docs/boards.md names the source of each pin of %s", (board) => {
  const { bms, driven = [], relay, button } = manifestOf(board).config.pins;
  const used = [bms.receive, bms.transmit, bms.direction, ...driven.map(({ pin }) => pin), relay, button];
  const section = sectionOf(board);
  const rows = [...section.matchAll(/^\| [^|]+\| GPIO (\d+) +\|(.*)\|$/gm)];
  expect(rows.map(([, pin]) => Number(pin)).sort()).toEqual(used.filter((pin) => pin !== undefined).sort());
  const known = [...sectionOf("Sources").matchAll(/^- \[([A-Z0-9]+)\] /gm)].map(([, tag]) => tag);
  for (const [, , where = ""] of rows) {
    const cited = [...where.matchAll(/\[([A-Z0-9]+)\]/g)].map(([, tag]) => tag);
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((tag) => !known.includes(tag))).toEqual([]);
  }
});

it("no two boards have the same image", () => {
  const images = BOARDS.map((board) => manifestOf(board).config.image);
  expect(images).toEqual(BOARDS.map((board) => `@jk-bms-monitor/${board}`));
  // The updater looks for "<mark>:": none may end with another's.
  for (const one of images) expect(images.filter((other) => `${other}:`.includes(`${one}:`))).toEqual([one]);
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
