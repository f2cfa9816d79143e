/** The RJ45 plug of the BMS's RS485 sockets, in the colours of T568B: docs/boards.md, "Cable, isolation, termination". */

/** Pin, wire, signal; the first of each signal is the one that is connected. */
export const PINS = [
  [1, "white-orange", "B"],
  [2, "orange", "A"],
  [3, "white-green", "GND"],
  [4, "blue", ""],
  [5, "white-blue", ""],
  [6, "green", "GND"],
  [7, "white-brown", "A"],
  [8, "brown", "B"],
];

/** The wires that are connected: A, B, GND, in the order in which terminals have them. */
export const WIRES = ["orange", "white-orange", "white-green"];

/**
 * The three wires from a socket straight down to three terminals.
 * @param {import("./drawing.mjs").Drawing} drawing
 * @param {number[]} at x of each
 */
export function drawCable(drawing, at, top, bottom) {
  WIRES.forEach((wire, index) => drawing.wire(wire, `${at[index]},${top} ${at[index]},${bottom}`));
}
