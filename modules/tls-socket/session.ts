import SdkSession from "ssl/session";
import { MAX_FRAGMENT, MAX_RECORD } from "./limits";
import { addressOf } from "./names";
import {
  ALERT,
  APPLICATION_DATA,
  FINISHED,
  Refused,
  SERVER_HELLO_DONE,
  ServerMessages,
  VERSION,
} from "./server-messages";
import type { CertificateOptions } from "./certificates";
import type { RawSocket } from "ssl/session";

const HEADER = 5;

/** The SDK's TLS 1.2 client, with each record looked at before it is taken. */
export class Session extends SdkSession {
  private messages: ServerMessages | undefined = new ServerMessages();
  private record: Uint8Array | undefined;
  /** Bytes of the record that have come. */
  private length = 0;

  constructor(options: CertificateOptions) {
    const { host } = options;
    super({
      ...options,
      // RFC 6066, section 3: addresses are no server names.
      ...(!addressOf(host) && { serverName: host }),
      protocolVersion: VERSION,
      tls_max_fragment_length: MAX_FRAGMENT,
    });
    this.initiateHandshake();
  }

  /** There is something to do without anything having come. */
  get isDue(): boolean {
    return (
      this.handshakeProcess === 0 || this.handshakeProcess === SERVER_HELLO_DONE || this.handshakeProcess === FINISHED
    );
  }

  /** One step of the handshake; true when it is complete and both sides encrypt. */
  advance(socket: RawSocket): boolean {
    const isEnded = this.handshake(socket);
    if (this.alert) throw new Refused("TLS failed.");
    if (!isEnded) return false;
    if (!this.messages?.complete || !this.clientCipher || !this.serverCipher) throw new Refused("TLS failed.");
    this.forget();
    return true;
  }

  /** The SDK's takes records of any length, and any at any time. */
  override readPacket(socket: RawSocket): ArrayBuffer | undefined {
    const record = (this.record ??= new Uint8Array(HEADER));
    if (!this.fill(socket, record)) return undefined;
    if (record.length === HEADER) {
      const length = (record[3] as number) * 256 + (record[4] as number);
      const major = record[1];
      if (major !== VERSION >> 8 || !length) throw new Refused("The server does not speak TLS.");
      if (length > MAX_RECORD) throw new Refused("The server's records are too long.");
      const whole = new Uint8Array(HEADER + length);
      whole.set(record);
      this.record = whole;
      if (!this.fill(socket, whole)) return undefined;
    }
    const whole = this.record;
    this.record = undefined;
    this.length = 0;
    if (this.messages) this.messages.check(whole);
    else if (whole[0] !== APPLICATION_DATA && whole[0] !== ALERT) throw new Refused("The server does not keep to TLS.");
    return whole.buffer as ArrayBuffer;
  }

  private fill(socket: RawSocket, record: Uint8Array): boolean {
    const count = Math.min(record.length - this.length, socket.readable);
    if (count > 0) {
      socket.read(record.subarray(this.length, this.length + count));
      socket.readable -= count;
      this.length += count;
    }
    return this.length === record.length;
  }

  /** What only the handshake needed. */
  private forget(): void {
    this.messages = undefined;
    this.options = this.handshakeDigests = this.dhparams = this.masterSecret = undefined;
    this.clientRandom = this.serverRandom = this.peerCert = undefined;
  }
}
