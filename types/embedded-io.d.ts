/**
 * The ECMA-419 I/O classes that the firmware uses, as Moddable SDK 8.2 has them. `@moddable/typings` on npm (5.6) is older than the
 * SDK; what it has right (timer, time, analog, mc/config) is taken from it, the rest is declared here.
 */

declare module "embedded:io/_common" {
  export type PinSpecifier = number;
  export type PortSpecifier = number;
  export type ByteBuffer = ArrayBuffer | Uint8Array | DataView;
}

declare module "embedded:io/serial" {
  import type { ByteBuffer, PinSpecifier, PortSpecifier } from "embedded:io/_common";

  export interface SerialOptions {
    receive?: PinSpecifier;
    transmit?: PinSpecifier;
    baud: number;
    port?: PortSpecifier;
    format?: "number" | "buffer";
    onReadable?: (this: Serial, bytes: number) => void;
    onWritable?: (this: Serial, bytes: number) => void;
  }

  /**
   * UART, 8N1. The ESP32 class has no software buffer: 128 bytes of hardware FIFO each way. `onReadable` is posted at 96 bytes or
   * after four idle characters; bytes beyond 128 are lost.
   */
  export default class Serial {
    constructor(options: SerialOptions);
    close(): void;
    /** Fills `buffer` with what is there; the count, or undefined when nothing is. */
    read(buffer: ByteBuffer): number | undefined;
    /** Throws when `buffer` is longer than the free part of the 128-byte transmit FIFO. */
    write(buffer: ByteBuffer): void;
  }
}

declare module "embedded:io/digital" {
  import type { PinSpecifier } from "embedded:io/_common";

  export interface DigitalOptions {
    pin: PinSpecifier;
    mode: number;
    initialValue?: 0 | 1;
    edge?: number;
    onReadable?: (this: Digital) => void;
  }

  export default class Digital {
    static readonly Input: number;
    static readonly InputPullUp: number;
    static readonly InputPullDown: number;
    static readonly InputPullUpDown: number;
    static readonly Output: number;
    static readonly OutputOpenDrain: number;
    static readonly Rising: number;
    static readonly Falling: number;
    constructor(options: DigitalOptions);
    read(): 0 | 1;
    write(value: 0 | 1): void;
    close(): void;
  }
}

declare module "embedded:io/socket/tcp" {
  import type { ByteBuffer } from "embedded:io/_common";

  export interface TCPOptions {
    /** An accepted socket whose connection this one takes over. */
    from?: TCP;
    address?: string;
    port?: number;
    nodelay?: boolean;
    format?: "number" | "buffer";
    onReadable?: (this: TCP, bytes: number) => void;
    onWritable?: (this: TCP, bytes: number) => void;
    onError?: (this: TCP) => void;
  }

  /**
   * On the ESP32 a peer's FIN or RST is `onError`, delivered once all received bytes have been read; from then on nothing can be
   * written. `write` throws when not connected or when `buffer` is longer than the send window that `onWritable` or the last `write`
   * reported.
   */
  export default class TCP {
    constructor(options: TCPOptions);
    /** Read at once after accepting: the ESP32 class has no address left once the peer has reset the connection. */
    readonly remoteAddress: string | undefined;
    readonly remotePort: number | undefined;
    /** Fills all of `buffer`: it throws when `buffer` is longer than what has been received. */
    read(buffer: ByteBuffer): number | undefined;
    /** The send window left, in bytes (undefined once the connection is gone). */
    write(buffer: ByteBuffer): number | undefined;
    close(): void;
  }
}

declare module "embedded:io/socket/listener" {
  import type TCP from "embedded:io/socket/tcp";

  export interface ListenerOptions {
    port?: number;
    address?: string;
    onReadable?: (this: Listener, connections: number) => void;
  }

  export default class Listener {
    constructor(options: ListenerOptions);
    readonly port: number;
    /** The next accepted connection, to be taken over with `new TCP({ from })`. */
    read(): TCP | undefined;
    close(): void;
  }
}

declare module "embedded:io/socket/udp" {
  import type { ByteBuffer } from "embedded:io/_common";

  export interface UDPOptions {
    port?: number;
    address?: string;
    onReadable?: (this: UDP, packets: number) => void;
    onError?: (this: UDP) => void;
  }

  export default class UDP {
    constructor(options: UDPOptions);
    /** The next packet, with its sender. */
    read(): (ArrayBuffer & { address: string; port: number }) | undefined;
    write(buffer: ByteBuffer, address: string, port: number): void;
    close(): void;
  }
}
