import type Ambient from "embedded:network/mqtt/client";
import type { Control, MqttClientOptions, MqttWriteOptions, Part } from "../../io/mqtt-client";
import { hexOf } from "../../../src/runtime/hex";
import { EVENT } from "../protocol";
import type { SocketOwner } from "../../../src/mqtt/mqtt-socket";
import { invoke, Port } from "./link";

const NO_BYTES = new Uint8Array(0);

/** Options of the firmware's socket. */
interface SocketOptions {
  readonly secure?: { readonly certificate: ArrayBuffer };
  readonly owner: SocketOwner;
}

class Connection extends Port {
  readonly #options: MqttClientOptions;
  readonly #client: MQTTClient;
  readonly #owner: SocketOwner;

  constructor(client: MQTTClient, options: MqttClientOptions, address: string) {
    const { dns, socket, target, ...rest } = options;
    void dns;
    void target;
    const { secure, owner } = socket as unknown as SocketOptions;
    super("mqtt", { ...rest, address, ...(secure && { secure: hexOf(new Uint8Array(secure.certificate)) }) } as object);
    this.#owner = owner;
    this.#options = options;
    this.#client = client;
  }

  override deliver(event: number, value: number): void {
    const { onReadable, onWritable, onControl, onError } = this.#options;
    if (event === EVENT.onReadable) {
      const { isRetained, ...part } = invoke(this.id, "message") as Part & { isRetained: boolean };
      if (part.topic !== undefined) this.#owner.publishBegins(isRetained);
      onReadable?.call(this.#client, value, part);
    } else if (event === EVENT.onWritable) onWritable?.call(this.#client, value);
    else if (event === EVENT.onControl) onControl?.call(this.#client, invoke(this.id, "control") as Control);
    else {
      const reason = invoke(this.id, "reason");
      if (typeof reason === "string") this.#owner.socketFailed(reason);
      onError?.call(this.#client);
    }
  }

  read(buffer: ByteBuffer): number {
    return this.readBytes(buffer) as number;
  }

  write(data: ByteBuffer | null, options: MqttWriteOptions | undefined): number {
    if (options) invoke(this.id, "prepare", options);
    return this.writeBytes(data ?? NO_BYTES) ?? 0;
  }
}

export default class MQTTClient implements Omit<Ambient, "write"> {
  static readonly CONNACK = 2;
  static readonly SUBSCRIBE = 8;
  static readonly SUBACK = 9;
  static readonly PINGREQ = 12;
  static readonly DISCONNECT = 14;

  /** As in the SDK, present only if passed to the constructor. */
  declare readonly target?: unknown;
  #connection: Connection | undefined;

  constructor(options: MqttClientOptions) {
    if (options.target !== undefined) this.target = options.target;
    const dns = new options.dns.io(options.dns as never);
    dns.resolve({
      host: options.host,
      onResolved: (_, address) => {
        this.#connection = new Connection(this, options, address);
        return null;
      },
      onError: () => {
        options.onError?.call(this);
        return null;
      },
    });
  }

  read(buffer: ByteBuffer): number {
    return this.#open.read(buffer);
  }

  write(data: ByteBuffer | null, options?: MqttWriteOptions): number {
    return this.#open.write(data, options);
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  get #open(): Connection {
    if (!this.#connection) throw new TypeError("closed");
    return this.#connection;
  }
}
