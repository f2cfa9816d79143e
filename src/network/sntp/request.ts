import { onReadable } from "door/enter";
import type UDP from "embedded:io/socket/udp";
import RNG from "rng";
import { readReply, REQUEST_BYTES, writeRequest } from "./message";
import type { Closable } from "../socket";

const PORT = 123;
const NONCE_BYTES = 8;

/** Receives the outcome of a time request. */
export interface RequestOwner {
  /** `utc`: ms, when the server sent its answer. */
  answered(utc: number): void;
  /** A kiss-o'-death (RFC 4330 section 8): the server asks for fewer requests. */
  refused(): void;
}

/** One request to a time server. Accepts an answer only from that server and with the nonce sent to it. */
export class SntpRequest {
  private readonly owner: RequestOwner;
  private readonly server: string;
  private readonly packet = new Uint8Array(REQUEST_BYTES);
  private socket: (UDP & Closable) | undefined;

  /** `server`: its IPv4 address. Throws if the platform has no free socket. */
  constructor(owner: RequestOwner, server: string, udp: typeof UDP) {
    this.owner = owner;
    this.server = server;
    writeRequest(this.packet, new Uint8Array(RNG.get(NONCE_BYTES)));
    this.socket = new udp({ target: this, onReadable }) as UDP & Closable;
  }

  /** Throws if the platform cannot send. */
  send(): void {
    this.socket?.write(this.packet, this.server, PORT);
  }

  /** Socket callback. */
  readable(packets: number): void {
    while (packets-- > 0) {
      // Even an open socket may have no packet, despite the type.
      const packet = this.socket?.read();
      if (!packet || packet.address !== this.server || packet.port !== PORT) continue;
      const reply = readReply(new Uint8Array(packet), this.packet);
      if (reply === undefined) continue;
      this.close();
      if (reply === "refused") this.owner.refused();
      else this.owner.answered(reply);
    }
  }

  close(): void {
    this.socket?.close();
    this.socket = undefined;
  }
}
