import type UDP from "embedded:io/socket/udp";
import { SnmpCounters } from "./counters";
import { MAX_AMPLIFICATION, MAX_DROPPED_AT_ONCE, MAX_REQUESTS_AT_ONCE } from "./limits";
import { Responder, type Notification } from "./responder";
import type { Subtree } from "./types";

export interface SnmpAgentOptions<Context> {
  /** `port`: 161 (RFC 3417). */
  readonly socket: { readonly io: new (...options: ConstructorParameters<typeof UDP>) => UDP; readonly port: number };
  /** The subtrees in the order of their objects, and what their values come from. */
  readonly context: Context;
  readonly subtrees: readonly Subtree<Context>[];
  /** Default: its own. To be handed in when the subtrees publish them. */
  readonly counters?: SnmpCounters;
  /** ASCII, at most MAX_COMMUNITY characters. The empty one lets nobody in. */
  readonly community: string;
  /** Who gets the answers to GETBULK in full length; others at most MAX_AMPLIFICATION times what they sent. Default: nobody. */
  readonly known?: { knows(address: string): boolean };
}

/** What the classes of the platform have and their type lacks; the simulator's tells its port as well. */
type Socket = UDP & { close(): void; readonly port?: number };

/** What the socket's callback has for `this`: it keeps the `target` it was made with. */
type Tied = UDP & { readonly target: SnmpAgent<unknown> };

function onReadable(this: UDP): void {
  (this as Tied).target.receive();
}

/**
 * An SNMP v1 and v2c agent for reading, on UDP. Whatever comes in, it works in the same memory, answers or counts, and throws nothing.
 */
export class SnmpAgent<Context> {
  private readonly responder: Responder<Context>;
  private socket: Socket | undefined;
  private readonly known: SnmpAgentOptions<Context>["known"];
  private paused = false;
  private waiting = false;

  /** Throws what the socket's constructor throws, and a RangeError for a community that is too long. */
  constructor(options: SnmpAgentOptions<Context>) {
    const { socket, context, subtrees, counters = new SnmpCounters(), community } = options;
    this.known = options.known;
    this.responder = new Responder({ context, subtrees, counters, community });
    const { io, port } = socket;
    this.socket = new io({ port, target: this, onReadable }) as Socket;
  }

  get counters(): SnmpCounters {
    return this.responder.counters;
  }

  /** The port it listens on, where the platform tells it. */
  get port(): number | undefined {
    return this.socket?.port;
  }

  /** Throws a RangeError beyond MAX_COMMUNITY characters. */
  set community(community: string) {
    this.responder.community = community;
  }

  /** Lets requests wait until `resume`. */
  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    if (this.waiting) this.receive();
  }

  /** Sends a v2c notification to an IPv4 address. False: it could not be sent. */
  notify(address: string, port: number, notification: Notification<Context>): boolean {
    try {
      const length = this.responder.notification(notification);
      return length > 0 && this.send(length, address, port);
    } catch {
      return false;
    }
  }

  close(): void {
    this.socket?.close();
    this.socket = undefined;
  }

  /** For the socket's callback, which may be on its way still when the socket is closed. */
  receive(): void {
    const socket = this.socket;
    this.waiting = this.paused;
    if (this.paused || !socket) return;
    for (let count = 0; count < MAX_REQUESTS_AT_ONCE; count++) {
      // The type forgets that there may be nothing.
      const packet = socket.read() as ReturnType<UDP["read"]> | undefined;
      if (!packet) return;
      const bytes = new Uint8Array(packet);
      const limit = this.known?.knows(packet.address) ? undefined : bytes.length * MAX_AMPLIFICATION;
      const length = this.responder.answer(bytes, limit);
      if (length) this.send(length, packet.address, packet.port);
    }
    for (let count = 0; count < MAX_DROPPED_AT_ONCE && socket.read(); count++);
  }

  /** False: the network did not take it, which is like a packet lost on the way. */
  private send(length: number, address: string, port: number): boolean {
    try {
      this.socket?.write(new Uint8Array(this.responder.bytes.buffer, 0, length), address, port);
      return true;
    } catch {
      return false;
    }
  }
}
