import type Ambient from "embedded:network/interface/ethernet";
import type { EthernetConfigureOptions, EthernetConstructorOptions } from "embedded:network/interface/ethernet";
import { SimulatedBoard } from "../board";

const CONNECTION = { down: 200, linked: 400, online: 500 } as const;

/** The SDK's ECMA-419 Ethernet interface, backed by the board's model. */
export default class Ethernet implements Ambient {
  readonly #board = SimulatedBoard.current;
  readonly #dead = this.#board.ethernet.fails;

  constructor({ onChanged }: EthernetConstructorOptions) {
    const board = this.#board;
    board.startStack();
    if (board.refusals.refusesAllocation()) throw new Error("no memory");
    board.ethernet.open++;
    if (onChanged && !this.#dead)
      board.ethernet.onChanged = (property) => board.post(() => onChanged.call(this, property));
  }

  get connection(): number {
    return CONNECTION[this.#dead ? "down" : this.#board.ethernet.state];
  }

  get address(): string | undefined {
    return this.#dead ? undefined : this.#board.ethernet.address;
  }

  get MAC(): string | undefined {
    return this.#board.network.mac.toLowerCase();
  }

  configure({ hostname, static: address }: EthernetConfigureOptions): void {
    if (this.#dead) throw new Error("not initialized");
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
