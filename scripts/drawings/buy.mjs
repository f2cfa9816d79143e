/** What docs/start/buy.md lists, each list as a whole. */
import { drawCable, WIRES } from "./cable.mjs";
import { Drawing } from "./drawing.mjs";

const NEVER = { kind: "never", size: 12 };
const SMALL = { size: 12 };

/** Plus and minus from a tap through fuse and converter down to the board's terminal. */
function drawSupply(drawing, { plus, minus, top, bottom, box }) {
  drawing.wire("minus", `${minus},${top} ${minus},${bottom}`).wire("plus", `${plus},${top} ${plus},${bottom}`);
  drawing.terminal(plus - 26, top + 20, 52, 38, "fuse", "1 A DC");
  drawing.box(box, top + 76, 152, 92, "part", [
    "Isolated converter",
    "MEAN WELL",
    "DDR-15L-12",
    "18–75 V in, 12 V out",
  ]);
}

/** The board of Waveshare below wires of the bus at `wires` and a supply. */
function drawWaveshare(drawing, y, { wires, plus, minus }, wifi) {
  drawing.box(16, y, 328, 92, "board");
  ["A+", "B−", "SGND"].forEach((name, index) => {
    const width = index < 2 ? 30 : 46;
    drawing.terminal(wires[index] - width / 2, y + 8, width, 28, name);
  });
  drawing.terminal(plus - 14, y + 8, 28, 28, "+").terminal(minus - 14, y + 8, 28, 28, "−");
  drawing.text((plus + minus) / 2, y + 51, "7–36 V", { ...SMALL, anchor: "middle" });
  drawing.text(28, y + 69, "Waveshare ESP32-S3-RS485-CAN", { bold: true }).text(28, y + 85, wifi, SMALL);
}

export function onePack() {
  const drawing = new Drawing(
    "One pack: its output by a fuse and an isolated converter to the board, three wires of its RS485 socket to the board",
  );
  const at = { wires: [240, 276, 318], plus: 112, minus: 58 };
  drawing.box(16, 16, 328, 100, "pack", ["Pack with JK PB BMS", "51 V, charged 58 V"]);
  drawSupply(drawing, { ...at, top: 108, bottom: 330, box: 20 });
  drawCable(drawing, at.wires, 108, 330);
  drawing.terminal(44, 80, 28, 30, "−").terminal(98, 80, 28, 30, "+").text(134, 100, "output", SMALL);
  drawing.terminal(225, 80, 116, 30, "RS485-1");
  drawWaveshare(drawing, 310, at, "Wi-Fi to your router");
  drawing.lines(
    16,
    426,
    ["Orange to A+, white-orange to B−, white-green to", "SGND. Or a USB-C charger for fuse and converter."],
    SMALL,
  );
  drawing.lines(
    16,
    468,
    ["Never: the pack's output on the board's terminal;", "SGND joined with the minus of the supply."],
    NEVER,
  );
  return drawing.svg(498);
}

export function bank() {
  const drawing = new Drawing(
    "A bank: packs in a chain on RS485-2, busbars, fuse and isolated converter, the board at the end of the chain",
  );
  const at = { wires: [40, 76, 118], plus: 270, minus: 322 };
  [3, 2, 1].forEach((address, index) => {
    const y = 16 + index * 72;
    drawing.wire("plus", `200,${y + 14} 270,${y + 14}`, 6).wire("minus", `200,${y + 34} 322,${y + 34}`, 6);
    drawing.box(16, y, 188, 48, "pack", [`Pack, address ${address}`, "RS485-2: two sockets"]);
    if (index < 2) drawing.wire("edge", `60,${y + 48} 60,${y + 72}`, 9).text(74, y + 65, "network cable", SMALL);
  });
  drawing.wire("plus", "270,27 270,232", 8).wire("minus", "322,47 322,232", 8);
  drawing.text(260, 226, "busbars", { ...SMALL, anchor: "end" });
  drawSupply(drawing, { ...at, top: 228, bottom: 450, box: 192 });
  drawCable(drawing, at.wires, 208, 450);
  drawWaveshare(drawing, 430, at, "or Relay-1CH, which takes 5 V: DDR-15L-5");
  drawing.lines(130, 248, ["cut cable:", ...WIRES], SMALL);
  drawing.lines(
    16,
    546,
    ["Never: two packs with one address; a star;", "the fuse further than 20 cm from the busbar."],
    NEVER,
  );
  return drawing.svg(576);
}

export function ethernet() {
  const drawing = new Drawing(
    "With a network cable: three wires of the pack's RS485 socket to a board that a PoE switch powers and connects",
  );
  const wires = [120, 154, 188];
  drawing.box(16, 16, 328, 100, "pack", ["Pack with JK PB BMS", "nothing is connected to its output"]);
  drawCable(drawing, wires, 108, 230);
  drawing.terminal(104, 80, 100, 30, "RS485-1").lines(210, 150, WIRES, SMALL);
  drawing.box(16, 210, 328, 100, "board", []);
  wires.forEach((x, index) => drawing.terminal(x - 15, 218, 30, 28, `${index + 2}`));
  drawing.lines(216, 232, ["2 RS4852_A", "3 RS4852_B", "4 MGND"], SMALL);
  drawing.text(28, 300, "LilyGO T-ETH-POE-PRO", { bold: true });
  drawing.wire("blue", "268,300 268,378", 7).terminal(224, 278, 88, 26, "Ethernet");
  drawing.lines(106, 338, ["network cable:", "data and power"], SMALL);
  drawing.box(16, 370, 328, 52, "part", ["PoE switch or injector", "IEEE 802.3af, to your network"]);
  drawing.lines(16, 446, ["Never: the pack's RS485 socket, which looks alike,", "on a switch or an injector."], NEVER);
  return drawing.svg(476);
}
