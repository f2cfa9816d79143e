/** Declares modules/tls-socket for builds without it: boards without TLS, and the simulator. */
declare module "embedded:io/socket/tcp/tls" {
  import type { Options as TCPOptions } from "embedded:io/socket/tcp";

  /** `secure`: see modules/tls-socket. */
  export type Options = TCPOptions & {
    host: string;
    secure: Record<string, unknown>;
  };

  export default class TLSSocket {
    constructor(options: Options);
    close(): void;
  }
}
