import type TCP from "embedded:io/socket/tcp";

/** What is asked of the other side, and how it is gone about. */
export interface Secure {
  /** Certificate of the authority that is trusted, DER: who has one that it has signed, for `host`, is the right one. */
  readonly certificate: ArrayBuffer;
  /** Seconds since 1970, UTC. */
  readonly date: number;
  /** While `paused` nothing is worked out. */
  readonly quiet?: { readonly paused: boolean };
}

/** Of the constructor of `embedded:io/socket/tcp/tls`. */
export interface TLSOptions {
  /** The platform's class. */
  readonly TCP: { readonly io: new (options: object) => TCP };
  readonly address: string;
  readonly port: number;
  /** Whom it must be: a name or an IPv4 address. */
  readonly host: string;
  readonly secure: Secure;
  /** Becomes the member `target`. */
  readonly target?: unknown;
  readonly onReadable: (this: object, count: number) => void;
  readonly onWritable: (this: object, count: number) => void;
  /** `reason` is for people; undefined: the connection ended. */
  readonly onError: (this: object, reason?: string) => void;
}
