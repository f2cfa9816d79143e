/**
 * The SDK's network clients used by the firmware, with the types of its own typings (8.2), which replace this file in a build for a
 * device. `@moddable/typings` on npm lacks `read` into a buffer.
 */

declare module "embedded:network/dns/resolver/udp" {
  interface Options {
    host: string;
    onResolved: (host: string, address: string) => null;
    onError: (host: string) => null;
  }

  /** Queries `servers` in turn; an IPv4 address resolves to itself. Names in `.local` are asked for by mDNS; for others it never finishes without servers. */
  export default class Resolver {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the SDK's
    constructor(options: Record<string, any>);
    close(): void;
    resolve(options: Options): void;
  }
}

declare module "embedded:network/mqtt/client" {
  interface onReadableOptions {
    /** More parts of the message follow. */
    more: boolean;
    /** With the first part only, as the others. */
    topic?: string;
    QoS?: number;
    byteLength?: number;
  }

  interface Options {
    host: string;
    port?: number;
    user?: string;
    password?: string;
    id?: string;
    clean?: boolean;
    will?: { topic: string; message: string; QoS?: number; retain?: boolean };
    /** Milliseconds. */
    keepAlive?: number;
    onReadable?: (count: number, options: onReadableOptions) => void;
    onWritable?: (count: number) => void;
    /** Receives a single message object, despite the type. */
    onControl?: (opcode: number, message: object) => void;
    onError?: () => void;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the SDK's
    dns: Record<string, any>;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the SDK's
    socket: Record<string, any>;
  }

  interface WriteOptions {
    operation?: number;
    id?: number;
    topic: string;
    QoS?: number;
    retain?: boolean;
    byteLength?: number;
    items?: { topic: string; QoS?: number }[];
  }

  /** MQTT 3.1.1 (examples/io/tcp/mqttclient of the SDK). */
  export default class MQTTClient {
    constructor(options: Options);
    read(buffer: ByteBuffer): number;
    write(data: ByteBuffer, options: WriteOptions): number;
    close(): void;
    static readonly CONNACK: 2;
    static readonly SUBSCRIBE: 8;
    static readonly SUBACK: 9;
    static readonly PINGREQ: 12;
    static readonly DISCONNECT: 14;
  }
}
