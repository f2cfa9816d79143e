/** Draws what docs/start/buy.md and wiring.md show into docs/images. --check: says which of them are out of date. */
import { readFileSync, writeFileSync } from "node:fs";
import { bank, ethernet, onePack } from "./drawings/buy.mjs";
import { board, chain, cut, master, plug, transceiver } from "./drawings/wiring.mjs";

/** Boards without RS485 of their own: their pins are the manifest's. */
const PLAIN = { wt32_eth01: "WT32-ETH01", nodemcu: "ESP32 DevKitC", esp32c3: "ESP32-C3", esp32s3: "ESP32-S3" };

const boards = Object.entries(PLAIN).map(([folder, name]) => {
  const { receive, transmit } = JSON.parse(readFileSync(`boards/${folder}/manifest.json`, "utf8")).config.pins.bms;
  return { name, receive, transmit };
});

const drawings = {
  "buy-one": onePack(),
  "buy-bank": bank(),
  "buy-ethernet": ethernet(),
  "wiring-plug": plug(),
  "wiring-cut": cut(),
  "wiring-board": board(),
  "wiring-transceiver": transceiver(boards),
  "wiring-chain": chain(),
  "wiring-master": master(),
};

const stale = Object.entries(drawings).filter(([name, svg]) => {
  const file = `docs/images/${name}.svg`;
  if (!process.argv.includes("--check")) writeFileSync(file, svg);
  return readFileSync(file, "utf8") !== svg;
});
for (const [name] of stale) console.error(`docs/images/${name}.svg is out of date: node scripts/drawings.mjs`);
if (stale.length) process.exitCode = 1;
