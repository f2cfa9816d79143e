import { SimulatedBoard } from "../../host-sim/board";
import { bytesOf } from "../../host-sim/bytes";
import type { UDPOptions } from "../../host-sim/io/options";
import { timeServerAnswer } from "../../host-sim/network/time-server";

const SNTP = 123;
const MDNS = 5353;
const TIME_SERVER_DELAY = 20;

type Packet = ArrayBuffer & { address: string; port: number };

/** A browser has no UDP: only the simulated network's time server is there, mDNS does nothing, and other ports are refused. */
export default class UDP {
  declare readonly target?: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #onReadable: UDPOptions["onReadable"];
  #open = true;
  #packets: Packet[] = [];

  constructor(options: UDPOptions) {
    const { port = 0, onReadable } = options;
    this.#board.requireSocket();
    if (port && port !== MDNS) throw new Error("a browser has no UDP");
    this.#onReadable = onReadable;
    if ("target" in options) this.target = options.target;
  }

  read(): Packet | undefined {
    return this.#packets.shift();
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    const { clock, options } = this.#board;
    const answer = port === SNTP && options.utc && timeServerAnswer(bytesOf(buffer), options.utc());
    if (!answer) return;
    clock.after(TIME_SERVER_DELAY, () => {
      if (!this.#open) return;
      this.#packets.push(Object.assign(Uint8Array.from(answer).buffer, { address, port }));
      this.#board.post(() => {
        if (this.#packets.length) this.#onReadable?.call(this as never, this.#packets.length);
      });
    });
  }

  add(_group: string): void {
    // Nobody is there.
  }

  remove(_group: string): void {
    // As above.
  }

  close(): void {
    this.#open = false;
    this.#packets = [];
  }
}
