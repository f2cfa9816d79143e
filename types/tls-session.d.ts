/** The natives of modules/tls-socket, over the platform's mbedTLS. */
declare module "tls/session" {
  import type TCP from "embedded:io/socket/tcp";

  /** TLS of one connection. Its methods throw on failure; `problem` then has the code, if there is one. */
  export default class Session {
    /** `certificates`: of trusted CAs, DER, one after another. `host`: a name or an IPv4 address. `date`: seconds since 1970, UTC. */
    constructor(certificates: ArrayBuffer, host: string, date: number);
    /** Readable bytes and free space in the TCP socket, as it reports them. */
    readable: number;
    writable: number;
    readonly problem: string | undefined;
    /** One step of the handshake. True: complete. False: call again. Undefined: waiting for the server. */
    advance(tcp: TCP): boolean | undefined;
    /** Bytes available to `read`; 0: no complete record has arrived. Undefined: the server has closed the connection. */
    decrypt(tcp: TCP): number | undefined;
    /** Number of bytes read into `view`; undefined: there are none. */
    read(view: Uint8Array): number | undefined;
    /** Writes one record. Throws if it does not fit. */
    write(tcp: TCP, bytes: ByteBuffer): void;
    /** Frees all memory. */
    close(): void;
  }
}
