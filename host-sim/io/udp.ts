import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isIP } from "node:net";
import type Ambient from "embedded:io/socket/udp";
import type { UDPOptions } from "./options";
import { SimulatedBoard } from "../board";
import { bytesOf, requirePort } from "../bytes";
import { timeServerAnswer } from "../network/time-server";

/** Maximum unread packets; on the device the heap sets the limit. */
const PACKETS = 16;
/** The only multicast service used here. */
const MDNS = 5353;
const SNTP = 123;
/** Response time of the virtual time server, ms. */
const TIME_SERVER_DELAY = 20;

const isLoopback = (address: string): boolean => address.startsWith("127.");

type Packet = ArrayBuffer & { address: string; port: number };

/** A real socket. Ports that the host reserves or uses itself are mapped to others: see `udpPorts` of the board. */
export default class UDP implements Ambient {
  /** As on the device, present only if passed to the constructor. */
  declare readonly target?: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #onReadable: UDPOptions["onReadable"];
  readonly #detach: () => void;
  #socket: Socket | undefined;
  #packets: Packet[] = [];
  #triggered = false;
  /** Packets that Node has not sent yet: it does so later, lwIP at once. */
  #sending = 0;

  constructor(options: UDPOptions) {
    const { port = 0, onReadable } = options;
    requirePort(port);
    this.#onReadable = onReadable;
    if ("target" in options) this.target = options.target;
    const board = this.#board;
    const { bind = "127.0.0.1" } = board.options;
    board.requireSocket();
    const socket = createSocket({ type: "udp4", reuseAddr: port === MDNS });
    this.#socket = socket;
    socket.on("message", (message, from) => {
      // A socket bound to an address receives no multicast, so this one is bound to the wildcard address.
      if (port !== MDNS || !isLoopback(bind) || isLoopback(from.address))
        board.clock.external(() =>
          this.#receive(message, { address: from.address, port: board.devicePort(from.port) }),
        );
    });
    board.bind(
      new Promise<void>((resolve, reject) => {
        // It may be closed before it is bound.
        socket.once("listening", resolve).once("close", resolve).once("error", reject);
      }),
    );
    socket.once("listening", () => {
      if (!port) return;
      const own = socket.address().port;
      board.udpBound.set(port, own);
      socket.once("close", () => board.udpBound.get(port) === own && board.udpBound.delete(port));
    });
    // An undeliverable packet (the peer's port is closed) is lost, as on the device.
    socket.on("error", () => undefined);
    socket.bind(board.hostPort(port), port === MDNS ? "0.0.0.0" : bind);
    this.#detach = board.attach(() => this.close());
  }

  /** The bound port: for tests with port 0, once `board.ready()` has resolved. The device has no such member. */
  get port(): number {
    return this.#open.address().port;
  }

  /** Undefined if there is none, although the SDK's type does not say so. */
  read(): Packet {
    void this.#open;
    return this.#packets.shift() as Packet;
  }

  write(buffer: ByteBuffer, address: string, port: number): void {
    const socket = this.#open;
    if (!isIP(address)) throw new RangeError("invalid IP address");
    const bytes = Uint8Array.from(bytesOf(buffer));
    const { options, clock, refusals } = this.#board;
    // lwIP's udp_sendto finds no interface to send from.
    if (!this.#board.hasAddress) throw new Error("UDP send failed");
    if (options.utc && port === SNTP) {
      if (refusals.time) return;
      const answer = timeServerAnswer(bytes, options.utc());
      if (answer) clock.after(TIME_SERVER_DELAY, () => this.#receive(answer, { address, port }));
      return;
    }
    // A reply may go to the sender's port on the host.
    const to = this.#board.udpBound.get(port) ?? this.#board.hostPort(requirePort(port));
    this.#sending++;
    socket.send(bytes, to, address, () => {
      if (!--this.#sending && this.#socket !== socket) socket.close();
    });
  }

  /** Joins a multicast group. The SDK's type lacks this method and `remove`. */
  add(group: string): void {
    this.#whenBound((socket, own) => {
      socket.addMembership(group, own);
      if (own) socket.setMulticastInterface(own);
    });
  }

  remove(group: string): void {
    this.#whenBound((socket, own) => socket.dropMembership(group, own));
  }

  close(): void {
    if (!this.#socket) return;
    this.#detach();
    if (!this.#sending) this.#socket.close();
    this.#socket = undefined;
    this.#packets = [];
  }

  get #open(): Socket {
    if (!this.#socket) throw new TypeError("closed");
    return this.#socket;
  }

  /** `own`: address of the interface to use; undefined: the host chooses. */
  #whenBound(act: (socket: Socket, own: string | undefined) => void): void {
    const socket = this.#open;
    const { bind = "127.0.0.1" } = this.#board.options;
    const run = (): void => {
      try {
        if (this.#socket === socket) act(socket, bind === "0.0.0.0" ? undefined : bind);
      } catch {
        // A host without multicast: nothing is received, as on such a network.
      }
    };
    try {
      socket.address();
      run();
    } catch {
      socket.once("listening", run);
    }
  }

  #receive(message: Uint8Array, { address, port }: Pick<RemoteInfo, "address" | "port">): void {
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
