import { onReadable } from "door/enter";
import type UDP from "embedded:io/socket/udp";
import { SnmpCounters } from "./counters";
import { MAX_AMPLIFICATION, MAX_DROPPED_AT_ONCE, MAX_REQUESTS_AT_ONCE } from "./limits";
import { Responder, type Notification } from "./responder";
import type { Subtree } from "./types";

export interface SnmpAgentOptions<Context> {
  /** `port`: 161 (RFC 3417). */
  readonly socket: { readonly io: new (...options: ConstructorParameters<typeof UDP>) => UDP; readonly port: number };
  /** The subtrees in OID order, and the context their values are read from. */
  readonly context: Context;
  readonly subtrees: readonly Subtree<Context>[];
  /** Default: a new set. Pass one in if the subtrees publish it. */
  readonly counters?: SnmpCounters;
  /** ASCII, at most MAX_COMMUNITY characters. An empty community never matches. */
  readonly community: string;
  /**
   * Addresses whose GETBULK responses are not limited; all others get at most MAX_AMPLIFICATION times the bytes they sent. Default: none.
   */
  readonly known?: { knows(address: string): boolean };
}

/** Members of the platform's classes that are missing from their type; the simulator's also has the port. */
type Socket = UDP & { close(): void; readonly port?: number };

/** A read-only SNMP v1 and v2c agent on UDP. Whatever comes in, it uses the same memory, responds or counts the error, and never throws. */
export class SnmpAgent<Context> {
  private readonly responder: Responder<Context>;
  private socket: Socket | undefined;
  private readonly known: SnmpAgentOptions<Context>["known"];

  /** Throws what the socket's constructor throws, and a RangeError if the community is too long. */
  constructor(options: SnmpAgentOptions<Context>) {
    const { socket, context, subtrees, counters = new SnmpCounters(), community } = options;
    this.known = options.known;
    this.responder = new Responder({ context, subtrees, counters, community });
    const { io, port } = socket;
    this.socket = new io({ port, target: this, onReadable }) as Socket;
  }

  get part(): string {
    return "snmp";
  }

  get counters(): SnmpCounters {
    return this.responder.counters;
  }

  /** The port it listens on, if the platform reports it. */
  get port(): number | undefined {
    return this.socket?.port;
  }

  /** Throws a RangeError beyond MAX_COMMUNITY characters. */
  set community(community: string) {
    this.responder.community = community;
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

  /** Socket callback, which may still arrive after the socket has been closed. */
  readable(): void {
    const socket = this.socket;
    if (!socket) return;
    for (let count = 0; count < MAX_REQUESTS_AT_ONCE; count++) {
      // There may be no packet, whatever the type says.
      const packet = socket.read() as ReturnType<UDP["read"]> | undefined;
      if (!packet) return;
      const bytes = new Uint8Array(packet);
      const limit = this.known?.knows(packet.address) ? undefined : bytes.length * MAX_AMPLIFICATION;
      const length = this.responder.answer(bytes, limit);
      if (length) this.send(length, packet.address, packet.port);
    }
    for (let count = 0; count < MAX_DROPPED_AT_ONCE && socket.read(); count++);
  }

  /** False: the network did not accept it, which is the same as a lost packet. */
  private send(length: number, address: string, port: number): boolean {
    try {
      this.socket?.write(new Uint8Array(this.responder.bytes.buffer, 0, length), address, port);
      return true;
    } catch {
      return false;
    }
  }
}
