/** Modules of the SDK's TLS (modules/crypt) that have no typings of their own, as far as modules/tls-socket uses them. */

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

declare module "ssl/constants" {
  export const AES: number;
  export const ECDHE_RSA: number;
  export const GCM: number;
  export const SHA256: number;
}

declare module "curve" {
  export default class Curve {
    constructor(name: "secp256r1" | "secp384r1");
    /** Order of the base point. */
    readonly n: bigint;
    /** Of `n`, bytes. */
    readonly orderSize: number;
  }
}

declare module "ecp" {
  export default class ECPoint {
    constructor(x: bigint, y: bigint);
  }
}

declare module "ecdsa" {
  import type Curve from "curve";
  import type ECPoint from "ecp";

  export default class ECDSA {
    constructor(key: ECPoint, curve: Curve);
    verify(digest: ArrayBuffer, signature: Uint8Array, isDer: true): boolean;
  }
}

declare module "modular" {
  export default class Modular {
    constructor(modulus: bigint);
    exp(base: bigint, exponent: bigint): bigint;
  }
}
