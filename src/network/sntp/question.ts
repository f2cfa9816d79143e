import type UDP from "embedded:io/socket/udp";
import RNG from "rng";
import { readReply, REQUEST_BYTES, writeRequest } from "./message";
import type { Closable } from "../socket";

const PORT = 123;
const NONCE_BYTES = 8;

/** Who wants to know the time. */
export interface Asker {
  /** `utc`: ms, when the answer left. */
  answered(utc: number): void;
  /** A kiss-o'-death (RFC 4330 section 8): the server wants to be asked less. */
  refused(): void;
}

interface Owned extends UDP {
  readonly target: SntpQuestion;
}

function onReadable(this: UDP, packets: number): void {
  (this as Owned).target.receive(packets);
}

/** One question to a time server. An answer counts only from the server that was asked, with the number that was sent to it. */
export class SntpQuestion {
  private readonly asker: Asker;
  private readonly server: string;
  private readonly packet = new Uint8Array(REQUEST_BYTES);
  private socket: (UDP & Closable) | undefined;

  /** `server`: its IPv4 address. Throws when the platform has no socket. */
  constructor(asker: Asker, server: string, udp: typeof UDP) {
    this.asker = asker;
    this.server = server;
    writeRequest(this.packet, new Uint8Array(RNG.get(NONCE_BYTES)));
    this.socket = new udp({ target: this, onReadable }) as UDP & Closable;
  }

  /** Throws when the platform cannot. */
  send(): void {
    this.socket?.write(this.packet, this.server, PORT);
  }

  /** For the socket. */
  receive(packets: number): void {
    while (packets-- > 0) {
      // Of an open socket too there may be none, whatever the type says.
      const packet = this.socket?.read();
      if (!packet || packet.address !== this.server || packet.port !== PORT) continue;
      const reply = readReply(new Uint8Array(packet), this.packet);
      if (reply === undefined) continue;
      this.close();
      if (reply === "refused") this.asker.refused();
      else this.asker.answered(reply);
    }
  }

  close(): void {
    this.socket?.close();
    this.socket = undefined;
  }
}
