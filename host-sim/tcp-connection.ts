import type { Socket } from "node:net";
import type { Clock, ClockEvent } from "./clock";

export interface TcpOptions {
  /** Bytes that may be on their way to the peer: lwip's TCP_SND_BUF. */
  readonly sendWindow: number;
  /** Bytes received and not read yet: lwip's TCP_WND. */
  readonly receiveWindow: number;
}

export interface ConnectionEvents {
  connected(): void;
  received(): void;
  acknowledged(): void;
  /** The peer's FIN, after its last byte. */
  ended(): void;
  /** A reset, or a connection that could not be made. */
  failed(): void;
}

/** How long lwip waits for the peer's FIN after its own (TCP_FIN_WAIT_TIMEOUT), ms. */
const FIN_WAIT_TIMEOUT = 20_000;

/**
 * What lwip keeps of a connection (its pcb), over a socket of Node's. All events come on the board's clock. Bytes written leave with
 * `flush`; they open the window again once the host's kernel has taken them, which it does until the buffers between it and a peer that
 * does not read are full.
 */
export class TcpConnection {
  readonly #clock: Clock;
  readonly #socket: Socket;
  readonly #options: TcpOptions;
  /** Who is told; undefined while nobody has taken the connection over. */
  events: ConnectionEvents | undefined;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  #state: "connecting" | "open" | "ended" | "failed" = "open";
  #chunks: Uint8Array[] = [];
  #available = 0;
  #unacknowledged = 0;
  #closed = false;
  #finWait: ClockEvent | undefined;

  /** `free` is called once nothing is left of the connection. */
  constructor(clock: Clock, socket: Socket, options: TcpOptions, free: () => void) {
    this.#clock = clock;
    this.#socket = socket;
    this.#options = options;
    this.remoteAddress = socket.remoteAddress;
    this.remotePort = socket.remotePort;
    if (socket.connecting) this.#state = "connecting";
    // Nagle's algorithm would hold bytes back for real time of the host, of which the board's clock knows nothing.
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

  /** Bytes received and not read. */
  get available(): number {
    return this.#available;
  }

  /** Bytes that may be written. */
  get window(): number {
    return this.#options.sendWindow - this.#unacknowledged;
  }

  /** Begins to receive: lwip holds back what comes before somebody has accepted the connection. */
  start(): void {
    this.#socket.on("readable", () => this.#happened(() => this.#receive()));
  }

  /** Fills `into`, which must not be longer than what is available. */
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
    // The window has opened: what was held back outside comes later, not inside this call.
    setImmediate(() => this.#happened(() => this.#receive()));
  }

  /** Takes a copy of `bytes`, which must fit the window. */
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

  /** Sends what was written: lwip's tcp_output. */
  flush(): void {
    this.#socket.uncork();
  }

  /** Sends the rest and a FIN; with unread bytes, or when more come, a reset, as lwip does. */
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

  /** The power is gone. */
  destroy(): void {
    this.#closed = true;
    this.events = undefined;
    this.#clock.cancel(this.#finWait);
    this.#socket.destroy();
  }

  /** While a FIN is on its way libuv refuses to reset, and Node loses the socket without a word; the kernel resets what comes later. */
  #reset(): void {
    const { writableEnded, writableFinished } = this.#socket;
    if (writableEnded && !writableFinished) this.#socket.destroy();
    else this.#socket.resetAndDestroy();
  }

  #refuse(): void {
    if (this.#socket.readableLength) this.#reset();
    else this.#socket.read(0);
  }

  /** Something happened outside, in real time. */
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
      const chunk = this.#socket.read(take) as Uint8Array | null;
      if (chunk) {
        this.#chunks.push(chunk);
        this.#available += chunk.length;
        this.events?.received();
      }
    }
    // Reads on: Node reports the end of the stream only to a reader. Not while the window is closed.
    if (take < room) this.#socket.read(0);
  }
}
