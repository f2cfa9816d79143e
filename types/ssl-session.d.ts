/** Of the SDK's modules/crypt/ssl/session_419, which has no typing of its own, as far as modules/tls-socket uses it. */
declare module "ssl/session" {
  /** A TCP socket, with what may be read from and written to it, bytes. */
  export interface RawSocket {
    readable: number;
    writable: number;
    read(buffer: Uint8Array): unknown;
    write(buffer: ByteBuffer): unknown;
  }

  /** A TLS connection, from its handshake on. */
  export default class Session {
    constructor(options: object);
    /** -1, or the type of the handshake message that has come last and is to be answered; 0: begin. */
    handshakeProcess: number;
    /** One that was sent or has come. */
    alert: { readonly level: number; readonly description: number } | undefined;
    clientCipher: object | null;
    serverCipher: object | null;
    options: object | undefined;
    handshakeDigests: object | undefined;
    dhparams: object | undefined;
    masterSecret: object | undefined;
    clientRandom: ArrayBuffer | undefined;
    serverRandom: ArrayBuffer | undefined;
    peerCert: ArrayBuffer | undefined;
    initiateHandshake(): void;
    /** One step; true when it is over, in whatever way. */
    handshake(socket: RawSocket): boolean;
    /** The content of a record; undefined: none is whole. Null: an alert. */
    read(socket: RawSocket): Uint8Array | undefined | null;
    write(socket: RawSocket, data: ByteBuffer, options?: { more?: boolean; byteLength?: number }): number;
    /** A whole record, with its header; undefined: it is not all there. */
    readPacket(socket: RawSocket): ArrayBuffer | undefined;
  }
}
