/** Each step of docs/start/wiring.md. */
import { drawCable, PINS, WIRES } from "./cable.mjs";
import { Drawing } from "./drawing.mjs";

const NEVER = { kind: "never", size: 12 };
const SMALL = { size: 12 };
const isConnected = (wire) => WIRES.includes(wire);

export function plug() {
  const drawing = new Drawing("The eight pins of the RJ45 plug, the colours of T568B, and where each wire goes");
  drawing.lines(16, 28, ["RJ45 plug, contacts up, clip below,", "cable towards you: pin 1 is on the left"], {
    bold: true,
  });
  drawing.box(32, 58, 296, 66, "other");
  PINS.forEach(([pin, wire, signal], index) => {
    const x = 54 + index * 36;
    const y = 160 + index * 34;
    drawing.wire(wire, `${x},66 ${x},102`, 6).text(x, 118, `${pin}`, { ...SMALL, anchor: "middle" });
    drawing.text(28, y, `${pin}`, { bold: true, anchor: "middle" }).wire(wire, `44,${y - 5} 108,${y - 5}`, 6);
    drawing.text(120, y, wire).text(232, y, signal || "–", { bold: true, anchor: "middle" });
    if (isConnected(wire)) drawing.text(262, y, `to ${signal}`, { bold: true });
    else drawing.text(262, y, "insulate", { kind: "never" });
  });
  drawing.lines(
    16,
    432,
    ["Never: 6, 7 or 8 bare, they are wires of the bus, too;", "anything on 4 or 5; a supply on any wire."],
    NEVER,
  );
  return drawing.svg(462);
}

/** y of the ends of the eight wires of the cut cable. */
const FAN = 44;

export function cut() {
  const drawing = new Drawing("The cut end of the cable: three wires are connected, five have a sleeve each");
  drawing.box(16, 150, 84, 44, "other", ["sheath"]);
  PINS.forEach(([, wire, signal], index) => {
    const y = 30 + index * FAN;
    drawing.wire(wire, `100,${155 + index * 5} 128,${y} 196,${y}`, 5);
    if (isConnected(wire)) drawing.terminal(190, y - 13, 44, 26, signal).text(244, y + 4, wire);
    else drawing.terminal(176, y - 10, 30, 20).text(244, y + 4, wire, { kind: "never" });
  });
  drawing.lines(
    16,
    374,
    ["Strip three wires, put a sleeve of heat shrink, or", "tape, over the end of each of the other five."],
    SMALL,
  );
  drawing.lines(16, 416, ["Never: one sleeve over several ends."], NEVER);
  return drawing.svg(430);
}

export function board() {
  const drawing = new Drawing(
    "A board with RS485 on it: the bus's ground on the isolated side, the supply on the other",
  );
  drawing.box(16, 16, 328, 48, "other", ["Cut cable", "orange, white-orange, white-green"]);
  drawCable(drawing, [48, 92, 144], 64, 170);
  drawing.wire("plus", "250,110 250,170").wire("minus", "300,110 300,170");
  drawing.box(210, 76, 134, 44, "part", ["Supply", "converter or USB"]);
  drawing.box(16, 150, 328, 112, "board");
  drawing.terminal(30, 158, 36, 28, "A").terminal(74, 158, 36, 28, "B").terminal(120, 158, 48, 28, "GND");
  drawing.terminal(232, 158, 36, 28, "+").terminal(282, 158, 36, 28, "−");
  drawing.wire("edge", "192,158 192,254", 2);
  drawing
    .lines(30, 212, ["isolated side", "Waveshare: SGND", "LilyGO: MGND"], SMALL)
    .lines(208, 212, ["the board's side", "GND, 3.3 V, USB"], SMALL);
  drawing.lines(
    16,
    290,
    ["Never: the ground left with the ground right;", "the pack's output on the supply's terminal."],
    NEVER,
  );
  return drawing.svg(320);
}

/** @param {{ name: string, receive: number, transmit: number }[]} boards without RS485 of their own */
export function transceiver(boards) {
  const drawing = new Drawing("A transceiver between the cable and a board that has none: which pin goes where");
  drawing.box(16, 16, 328, 48, "other", ["Cut cable", "orange, white-orange, white-green"]);
  drawCable(drawing, [112, 180, 248], 64, 130);
  drawing.box(16, 116, 328, 116, "part");
  drawing.terminal(92, 124, 40, 26, "A").terminal(160, 124, 40, 26, "B").terminal(222, 124, 52, 26, "GND");
  drawing.text(180, 174, "Transceiver, 3.3 V", { bold: true, anchor: "middle" });
  drawing.text(180, 191, "automatic direction, better isolated", { ...SMALL, anchor: "middle" });
  const pins = [
    { name: "RXD", on: "RXD", x: 58, wire: "blue" },
    { name: "TXD", on: "TXD", x: 138, wire: "brown" },
    { name: "VCC", on: "3.3 V", x: 218, wire: "plus" },
    { name: "GND", on: "GND", x: 298, wire: "minus" },
  ];
  const height = 52 + boards.length * 22;
  for (const { x, wire } of pins) drawing.wire(wire, `${x},226 ${x},276`);
  drawing.box(16, 262, 328, height, "board");
  for (const { name, on, x } of pins) drawing.terminal(x - 28, 200, 56, 26, name).terminal(x - 28, 270, 56, 26, on);
  boards.forEach(({ name, receive, transmit }, index) => {
    const y = 322 + index * 22;
    drawing
      .text(28, y, name, { bold: true })
      .text(332, y, `RXD is ${receive}, TXD is ${transmit}`, { ...SMALL, anchor: "end" });
  });
  const below = 262 + height + 24;
  drawing.lines(
    16,
    below,
    ["Never: 5 V on a pin of the chip; the two grounds", "of an isolated transceiver joined."],
    NEVER,
  );
  return drawing.svg(below + 30);
}

export function chain() {
  const drawing = new Drawing(
    "Several packs: a chain on RS485-2 with the board at one end, and 120 ohms at each end of a long one",
  );
  [3, 2, 1].forEach((address, index) => {
    const y = 30 + index * 76;
    drawing.box(16, y, 204, 48, "pack", [`Pack, address ${address}`, "RS485-2: two equal sockets"]);
    drawing.wire(address > 1 ? "edge" : "orange", `60,${y + 48} 60,${y + 76}`, 6);
    if (index < 2) drawing.text(74, y + 67, "ready-made network cable", SMALL);
  });
  drawing.text(74, 249, "cut cable", SMALL);
  drawing.box(16, 258, 204, 48, "board", ["Board, at one end", "isolated RS485"]);
  drawing.terminal(236, 38, 108, 32, "120 Ω: A to B").terminal(236, 266, 108, 32, "120 Ω: A to B");
  drawing.lines(236, 118, ["only on a chain", "of many metres,", "at both its ends"], SMALL);
  drawing.lines(
    16,
    330,
    ["Never: two packs with the same address; a star;", "address 0 in this chain: it is a master."],
    NEVER,
  );
  return drawing.svg(360);
}

export function master() {
  const drawing = new Drawing(
    "Beside a JK master: the board on RS485-1 of the pack at address 0, the other packs on its RS485-2",
  );
  drawing.box(16, 16, 328, 96, "pack", ["Pack, address 0: the master"]);
  const sockets = [
    { x: 28, names: ["CAN or", "RS485"], wire: "minus", kind: "other", to: ["inverter"] },
    { x: 134, names: ["RS485-2"], wire: "edge", kind: "pack", to: ["packs", "1, 2, 3 …"] },
    { x: 240, names: ["RS485-1", "001"], wire: "orange", kind: "board", to: ["board"] },
  ];
  for (const { x, names, wire, kind, to } of sockets) {
    drawing.wire(wire, `${x + 46},100 ${x + 46},160`, 6).terminal(x, 56, 92, 44, ...names);
    drawing.box(x, 150, 92, 48, kind, to);
  }
  drawing.lines(
    16,
    226,
    [
      "On RS485-2 the master asks the packs itself. There",
      "the board only listens: it shows them, and refuses",
      "writes.",
    ],
    SMALL,
  );
  drawing.lines(
    16,
    286,
    ["Never: the board as a second master on RS485-2;", "the inverter's protocol and 001 on one socket."],
    NEVER,
  );
  return drawing.svg(316);
}
