import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";
import type Ambient from "embedded:io/socket/udp";
import type { UDPOptions } from "./options";
import { SimulatedBoard } from "../board";
import { bytesOf, requirePort } from "../bytes";

/** Packets that are kept until they are read; the device keeps what its heap takes. */
const PACKETS = 16;

type Packet = ArrayBuffer & { address: string; port: number };

export default class UDP implements Ambient {
  readonly #board = SimulatedBoard.current;
  readonly #onReadable: UDPOptions["onReadable"];
  readonly #detach: () => void;
  #socket: Socket | undefined;
  #packets: Packet[] = [];
  #triggered = false;

  constructor({ port = 0, onReadable }: UDPOptions) {
    requirePort(port);
    this.#onReadable = onReadable;
    const socket = createSocket({ type: "udp4", reuseAddr: false });
    this.#socket = socket;
    socket.on("message", (message, from) => this.#board.clock.external(() => this.#receive(message, from)));
    this.#board.bind(
      new Promise<void>((resolve, reject) => {
        socket.once("listening", resolve).once("error", reject);
      }),
    );
    // A packet that cannot be delivered (the peer's port is shut) is lost, as on the device.
    socket.on("error", () => undefined);
    socket.bind(port, this.#board.options.bind ?? "127.0.0.1");
    this.#detach = this.#board.attach(() => this.close());
  }

  /** The port bound to: for tests with port 0, once `board.ready()` has resolved. The device has no such member. */
  get port(): number {
    return this.#open.address().port;
  }

  /** Undefined when there is none: the type is the SDK's. */
  read(): Packet {
    void this.#open;
    return this.#packets.shift() as Packet;
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    const socket = this.#open;
    if (!isIP(address)) throw new RangeError("invalid IP address");
    socket.send(Uint8Array.from(bytesOf(buffer)), requirePort(port), address);
  }

  close(): void {
    if (!this.#socket) return;
    this.#detach();
    this.#socket.close();
    this.#socket = undefined;
    this.#packets = [];
  }

  get #open(): Socket {
    if (!this.#socket) throw new TypeError("closed");
    return this.#socket;
  }

  #receive(message: Uint8Array, { address, port }: RemoteInfo): void {
    if (!this.#socket || this.#packets.length >= PACKETS) return;
    this.#packets.push(Object.assign(Uint8Array.from(message).buffer, { address, port }));
    if (this.#triggered || !this.#onReadable) return;
    this.#triggered = true;
    this.#board.post(() => {
      this.#triggered = false;
      if (this.#socket && this.#packets.length) this.#onReadable?.call(this, this.#packets.length);
    });
  }
}
