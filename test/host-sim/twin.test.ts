/** Two packs at one address, as `npm start -- --twin` has them. */
import { expect, it } from "vitest";
import { parts } from "../../host-sim/firmware";
import { lineBoard } from "../support/bms/line";
import { sealed } from "../support/bms/fake-bms";

it.each([
  [undefined, 1],
  [3, 1],
  [3, 2],
  [3, 3],
])("of %s packs that at %i has a second one, which answers too, with a serial number of its own", (packs, twin) => {
  const { clock, wire } = lineBoard({});
  const order = {
    model: undefined,
    cells: undefined,
    seed: 1,
    address: 1,
    baud: undefined,
    faults: [],
    masterFaults: [],
    beside: [],
  };
  const bms = parts.bms({ ...order, clock, wire, packs, twin, master: false, timeFactor: 1 });
  const serials = (address: number): string[] => {
    let heard = "";
    wire.board.onByte = (byte) => void (heard += String.fromCharCode(byte));
    wire.board.send(sealed(address, 3, 0x14, 0x50, 0, 8));
    clock.runFor(500);
    return heard.match(/SIM\d{7}/g) ?? [];
  };
  for (let address = 1; address <= (packs ?? 1); address++)
    expect(new Set(serials(address)).size).toBe(address === twin ? 2 : 1);
  bms.close();
});
