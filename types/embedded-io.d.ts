/**
 * The ECMA-419 I/O classes that the firmware uses, with the names and types of the typings of Moddable SDK 8.2, which take the place of
 * this file in a build for a device: what compiles here compiles there. `@moddable/typings` on npm (5.6) is older than the SDK; what
 * it has right (timer, time, analog, mc/config) is taken from it, the rest is declared here.
 */

declare module "embedded:io/_common" {
  export type PinSpecifier = number;
  export type PortSpecifier = number;
}

declare module "embedded:io/serial" {
  import type { PinSpecifier, PortSpecifier } from "embedded:io/_common";

  /**
   * UART, 8N1. The ESP32 class has no software buffer: 128 bytes of hardware FIFO each way. `onReadable` is posted at 96 bytes or
   * after four idle characters; bytes beyond 128 are lost.
   */
  export default class Serial {
    constructor(options: {
      receive: PinSpecifier;
      transmit: PinSpecifier;
      baud: number;
      port: PortSpecifier;
      format?: "number" | "buffer";
      onReadable?: (this: Serial, bytes: number) => void;
      onWritable?: (this: Serial, bytes: number) => void;
    });
    close(): void;
    /** Fills `buffer` with what is there; the count, or undefined when nothing is. */
    read(buffer: ByteBuffer): number | undefined;
    /** Throws when `buffer` is longer than the free part of the 128-byte transmit FIFO. */
    write(buffer: ByteBuffer): void;
  }
}

declare module "embedded:io/digital" {
  import type { PinSpecifier } from "embedded:io/_common";

  export default class Digital {
    static readonly Input: number;
    static readonly InputPullUp: number;
    static readonly InputPullDown: number;
    static readonly InputPullUpDown: number;
    static readonly Output: number;
    static readonly OutputOpenDrain: number;
    static readonly Rising: number;
    static readonly Falling: number;
    constructor(
      options: {
        pin: PinSpecifier;
        mode: number;
        initialValue?: 0 | 1;
        /** Becomes the member `target`, so that the callback can be a function of a module. */
        target?: unknown;
      } & ({ onReadable: (this: Digital) => void; edge: number } | { edge?: number }),
    );
    read(): 0 | 1;
    write(value: 0 | 1): void;
    close(): void;
  }
}

declare module "embedded:io/socket/tcp" {
  export interface Options {
    /** An accepted socket whose connection this one takes over. */
    from?: TCP;
    address?: string;
    port?: number;
    nodelay?: boolean;
    format?: "number" | "buffer";
    onReadable?: (this: TCP, bytes: number) => void;
    onWritable?: (this: TCP, bytes: number) => void;
    onError?: (this: TCP) => void;
    /** Becomes the member `target` of the socket, so that callbacks can be functions of a module. */
    target?: unknown;
  }

  /**
   * On the ESP32 a peer's FIN or RST is `onError`, delivered once all received bytes have been read; from then on nothing can be
   * written. `write` throws when not connected or when `buffer` is longer than the send window that `onWritable` or the last `write`
   * reported.
   */
  export default class TCP {
    constructor(options: Options);
    /** Read at once after accepting: the ESP32 class has no address left once the peer has reset the connection. */
    readonly remoteAddress: string | undefined;
    readonly remotePort: number | undefined;
    /** Fills all of `buffer`: it throws when `buffer` is longer than what has been received. Returns a count, whatever the type says. */
    read(buffer: ByteBuffer): void;
    /** Returns the send window left, in bytes (undefined once the connection is gone), whatever the type says. */
    write(buffer: ByteBuffer): void;
    close(): void;
  }
}

declare module "embedded:io/socket/listener" {
  import type TCP from "embedded:io/socket/tcp";

  /** The class has `close` as well; its type has not. */
  export default class Listener {
    constructor(options: {
      port?: number;
      address?: string;
      onReadable?: (this: Listener, connections: number) => void;
      /** The platform has given it up: nobody will be accepted any more. */
      onError?: (this: Listener) => void;
      /** As with TCP. */
      target?: unknown;
    });
    readonly port: number;
    /** The next accepted connection, to be taken over with `new TCP({ from })`. */
    read(): TCP | undefined;
  }
}

declare module "embedded:io/socket/udp" {
  /** The class has `close` as well; its type has not. */
  export default class UDP {
    constructor(options: {
      port?: number;
      address?: string;
      onReadable?: (this: UDP, packets: number) => void;
      onError?: () => void;
      /** As with TCP. */
      target?: unknown;
    });
    /** The next packet, with its sender; undefined when there is none, whatever the type says. */
    read(): ArrayBuffer & { address: string; port: number };
    write(buffer: ByteBuffer, address: string, port: number): void;
  }
}
