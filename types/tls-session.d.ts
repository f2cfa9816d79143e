/** The natives of modules/tls-socket, over the platform's mbedTLS. */
declare module "tls/session" {
  import type TCP from "embedded:io/socket/tcp";

  /** One connection's TLS. Its methods throw; `problem` says why, when that is for people. */
  export default class Session {
    /** `certificate`: of the CA, DER. `host`: a name or an IPv4 address. `date`: seconds since 1970, UTC. */
    constructor(certificate: ArrayBuffer, host: string, date: number);
    /** Bytes in the TCP socket, and room in it, as it tells them. */
    readable: number;
    writable: number;
    readonly problem: string | undefined;
    /** One step of the handshake. True: complete. False: there is more to do. Undefined: it waits for the other side. */
    advance(tcp: TCP): boolean | undefined;
    /** Bytes that `read` has; 0: no whole record has come. Undefined: the server has ended the connection. */
    decrypt(tcp: TCP): number | undefined;
    /** Bytes that were put into `view`; undefined: there are none. */
    read(view: Uint8Array): number | undefined;
    /** One record. Throws when there is no room for it. */
    write(tcp: TCP, bytes: ByteBuffer): void;
    /** Frees what it holds. */
    close(): void;
  }
}
