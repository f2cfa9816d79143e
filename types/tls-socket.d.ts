/** Of modules/tls-socket, for what does not see it: the boards without, and the simulator. */
declare module "embedded:io/socket/tcp/tls" {
  import type { Options as TCPOptions } from "embedded:io/socket/tcp";

  /** See modules/tls-socket, which says what `secure` is. */
  export type Options = TCPOptions & {
    host: string;
    secure: Record<string, unknown>;
  };

  export default class TLSSocket {
    constructor(options: Options);
    close(): void;
  }
}
