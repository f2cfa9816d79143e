import type TCP from "embedded:io/socket/tcp";

/** Requirements for the server. */
export interface Secure {
  /** Trusted CA certificates, DER, one after another: the server needs a certificate for `host` signed by one of them. */
  readonly certificate: ArrayBuffer;
  /** Seconds since 1970, UTC. */
  readonly date: number;
}

/** Options of the constructor of `embedded:io/socket/tcp/tls`. */
export interface TLSOptions {
  /** The platform's class. */
  readonly TCP: { readonly io: new (options: object) => TCP };
  readonly address: string;
  readonly port: number;
  /** The expected server: a host name or an IPv4 address. */
  readonly host: string;
  readonly secure: Secure;
  /** Becomes the property `target`. */
  readonly target?: unknown;
  readonly onReadable: (this: object, count: number) => void;
  readonly onWritable: (this: object, count: number) => void;
  /** `reason` is a TlsProblem; undefined: the connection ended. */
  readonly onError: (this: object, reason?: string) => void;
}
