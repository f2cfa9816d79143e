/**
 * The ECMA-419 I/O classes that the firmware uses, with the names and types of the typings of Moddable SDK 8.2, which replace this file in
 * a build for a device: what compiles here compiles there. `@moddable/typings` on npm (5.6) is older than the SDK: its correct parts
 * (timer, time, analog, mc/config) are used, the rest is declared here.
 */

declare module "embedded:io/_common" {
  export type PinSpecifier = number;
  export type PortSpecifier = number;
}

declare module "embedded:io/serial" {
  import type { PinSpecifier, PortSpecifier } from "embedded:io/_common";

  /**
   * UART, 8N1. The ESP32 class (boards/esp32/serial) has a receive buffer of 1,024 bytes, filled by its interrupt. `onReadable` is posted
   * every 8.3 ms while bytes arrive, and after four idle characters.
   */
  export default class Serial {
    constructor(options: {
      receive: PinSpecifier;
      transmit: PinSpecifier;
      /** Driver enable of a transceiver without automatic direction: high while the port sends. */
      direction?: PinSpecifier;
      baud: number;
      port: PortSpecifier;
      format?: "number" | "buffer";
      onReadable?: (this: Serial, bytes: number) => void;
      onWritable?: (this: Serial, bytes: number) => void;
    });
    close(): void;
    /** Reads available bytes into `buffer`. Returns their count; undefined if there are none. */
    read(buffer: ByteBuffer): number | undefined;
    /** Throws if `buffer` is longer than the free space in the 128-byte transmit FIFO. */
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
        /** Becomes the member `target`, so that callbacks need no closure. */
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
    /** Becomes the member `target` of the socket, so that callbacks need no closure. */
    target?: unknown;
  }

  /**
   * On the ESP32 a peer's FIN or RST is `onError`, delivered once all received bytes have been read; after that nothing can be
   * written. `write` throws if not connected, or if `buffer` is longer than the send window reported by `onWritable` or the last
   * `write`.
   */
  export default class TCP {
    constructor(options: Options);
    /** Read it right after accepting: the ESP32 class loses the address if the peer resets the connection. */
    readonly remoteAddress: string | undefined;
    readonly remotePort: number | undefined;
    /** Fills `buffer`; throws if fewer bytes have been received. Returns the count, despite the type. */
    read(buffer: ByteBuffer): void;
    /** Returns the remaining send window, bytes (undefined once the connection is gone), despite the type. */
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
      /** The listener has failed: no more connections will be accepted. */
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
    /** The next packet, with its sender; undefined if there is none, despite the type. */
    read(): ArrayBuffer & { address: string; port: number };
    write(buffer: ByteBuffer, address: string, port: number): void;
  }
}
