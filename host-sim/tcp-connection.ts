import { host } from "#host";
import type { Clock, ClockEvent } from "./clock";
import type { HostSocket } from "./host-types";

export interface TcpOptions {
  /** Maximum bytes in flight to the peer: lwIP's TCP_SND_BUF. */
  readonly sendWindow: number;
  /** Maximum bytes received but not yet read: lwIP's TCP_WND. */
  readonly receiveWindow: number;
}

export interface ConnectionEvents {
  connected(): void;
  received(): void;
  acknowledged(): void;
  /** The peer's FIN, after its last byte. */
  ended(): void;
  /** A reset, or a failed connection attempt. */
  failed(): void;
}

/** How long lwIP waits for the peer's FIN after its own (TCP_FIN_WAIT_TIMEOUT), ms. */
const FIN_WAIT_TIMEOUT = 20_000;

/**
 * An lwIP connection (pcb) on top of a socket of the host. All events are delivered on the board's clock. `flush` sends the
 * bytes written; the window reopens once the host's kernel has accepted them, which stops when the buffers between it
 * and a peer that does not read are full.
 */
export class TcpConnection {
  readonly #clock: Clock;
  readonly #socket: HostSocket;
  readonly #options: TcpOptions;
  /** Receives the events; undefined until the connection has an owner. */
  events: ConnectionEvents | undefined;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  #state: "connecting" | "open" | "ended" | "failed" = "open";
  #chunks: Uint8Array[] = [];
  #available = 0;
  #unacknowledged = 0;
  #closed = false;
  #finWait: ClockEvent | undefined;

  /** `free` is called once the connection is fully closed. */
  constructor(clock: Clock, socket: HostSocket, options: TcpOptions, free: () => void) {
    this.#clock = clock;
    this.#socket = socket;
    this.#options = options;
    this.remoteAddress = socket.remoteAddress;
    this.remotePort = socket.remotePort;
    if (socket.connecting) this.#state = "connecting";
    // Nagle's algorithm would delay bytes in the host's real time, which the board's clock does not see.
    socket.setNoDelay();
    socket.on("connect", () => this.#happened(() => this.#connect()));
    socket.on("end", () => this.#happened(() => this.#end("ended")));
    socket.on("error", () => this.#happened(() => this.#end("failed")));
    socket.on("close", () =>
      clock.external(() => {
        clock.cancel(this.#finWait);
        if (!this.#closed) this.#end("failed");
        free();
      }),
    );
  }

  get state(): "connecting" | "open" | "ended" | "failed" {
    return this.#state;
  }

  /** Bytes received but not yet read. */
  get available(): number {
    return this.#available;
  }

  /** Bytes that can be written now. */
  get window(): number {
    return this.#options.sendWindow - this.#unacknowledged;
  }

  /** The firmware has closed it. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Starts receiving: once lwIP has accepted the connection, whether or not the firmware has read it. */
  start(): void {
    this.#socket.on("readable", () => this.#happened(() => this.#receive()));
  }

  /** Fills `into`, which must not be longer than `available`. */
  read(into: Uint8Array): void {
    let filled = 0;
    while (filled < into.length) {
      const chunk = this.#chunks[0] as Uint8Array;
      const taken = chunk.subarray(0, into.length - filled);
      into.set(taken, filled);
      filled += taken.length;
      if (taken.length === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(taken.length);
    }
    this.#available -= filled;
    // The window has opened: data held back outside arrives later, not within this call.
    host.soon(() => this.#happened(() => this.#receive()));
  }

  /** Copies `bytes`, which must fit the window. */
  write(bytes: Uint8Array): void {
    this.#unacknowledged += bytes.length;
    if (!this.#socket.writableCorked) this.#socket.cork();
    this.#socket.write(Uint8Array.from(bytes), (error) => {
      if (error) return;
      this.#happened(() => {
        this.#unacknowledged -= bytes.length;
        this.events?.acknowledged();
      });
    });
  }

  /** Sends the bytes written: lwIP's tcp_output. */
  flush(): void {
    this.#socket.uncork();
  }

  /** Sends the remaining bytes and a FIN; with unread data, or when more arrives, a reset, as lwIP does. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.events = undefined;
    if (this.#socket.destroyed) return;
    if (this.#available || this.#socket.readableLength) {
      this.#reset();
      return;
    }
    this.flush();
    this.#socket.end();
    this.#socket.on("readable", () => this.#refuse());
    this.#finWait = this.#clock.after(FIN_WAIT_TIMEOUT, () => this.#reset());
  }

  /** Resets a connection that has no owner, or none any more. */
  refuse(): void {
    this.#closed = true;
    this.#reset();
  }

  /** The power has been cut. */
  destroy(): void {
    this.#closed = true;
    this.events = undefined;
    this.#clock.cancel(this.#finWait);
    this.#socket.destroy();
  }

  /**
   * While a FIN is pending, libuv refuses to reset and Node silently loses the socket; the kernel resets later data.
   */
  #reset(): void {
    const { writableEnded, writableFinished } = this.#socket;
    if (writableEnded && !writableFinished) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #refuse(): void {
    if (this.#socket.readableLength) this.#reset();
    else this.#socket.read(0);
  }

  /** Handles an event from outside, in real time. */
  #happened(event: () => void): void {
    this.#clock.external(() => {
      if (!this.#closed) event();
    });
  }

  #connect(): void {
    this.#state = "open";
    this.start();
    this.events?.connected();
  }

  #end(state: "ended" | "failed"): void {
    if (this.#state === "ended" || this.#state === "failed") return;
    this.#state = state;
    if (state === "ended") this.events?.ended();
    else this.events?.failed();
  }

  #receive(): void {
    const room = this.#options.receiveWindow - this.#available;
    const take = Math.min(room, this.#socket.readableLength);
    if (take > 0) {
      const chunk = this.#socket.read(take);
      if (chunk) {
        this.#chunks.push(chunk);
        this.#available += chunk.length;
        this.events?.received();
      }
    }
    // Keep reading: Node reports the end of the stream only to a reader. Not while the window is closed.
    if (take < room) this.#socket.read(0);
  }
}
