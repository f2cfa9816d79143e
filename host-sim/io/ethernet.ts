import type Ambient from "embedded:network/interface/ethernet";
import type { EthernetConfigureOptions, EthernetConstructorOptions } from "embedded:network/interface/ethernet";
import { SimulatedBoard } from "../board";

const CONNECTION = { down: 200, linked: 400, online: 500 } as const;

/** The SDK's ECMA-419 Ethernet interface, backed by the board's model. */
export default class Ethernet implements Ambient {
  readonly #board = SimulatedBoard.current;

  constructor({ onChanged }: EthernetConstructorOptions) {
    const board = this.#board;
    if (!board.ethernet.isStarted) throw new Error("the script stands still while the SDK starts the driver");
    if (board.refusals.refusesAllocation()) throw new Error("no memory");
    board.ethernet.open++;
    if (onChanged) board.ethernet.onChanged = (property) => board.post(() => onChanged.call(this, property));
  }

  get connection(): number {
    return CONNECTION[this.#board.ethernet.state];
  }

  get address(): string | undefined {
    return this.#board.ethernet.address;
  }

  get MAC(): string | undefined {
    return this.#board.network.mac.toLowerCase();
  }

  configure({ hostname, static: address }: EthernetConfigureOptions): void {
    if (this.#board.ethernet.refuses) throw new Error("set hostname failed");
    const board = this.#board;
    const { ethernet } = board;
    if (hostname !== undefined) ethernet.hostname = hostname;
    if (address === undefined) return;
    board.forgetNameServers();
    ethernet.setStatic(address || undefined);
  }

  close(): void {
    const { ethernet } = this.#board;
    ethernet.open--;
    ethernet.onChanged = undefined;
  }
}
