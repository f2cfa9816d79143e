/** The platform's MQTT client with the test as the broker: a mock, since the order of its callbacks is what is tested. */

import type { SocketOwner } from "../../../src/mqtt/mqtt-socket";

const CONNACK = 2;
const SUBACK = 9;

interface Callbacks {
  onControl(message: { operation: number; payload?: number[] }): void;
  onReadable(count: number, part: { topic?: string; more: boolean }): void;
  onWritable(count: number): void;
  onError(): void;
}

export interface Published {
  readonly topic: string;
  readonly text: string;
}

interface Written {
  readonly operation?: number;
  readonly items?: readonly unknown[];
  readonly topic?: string;
  readonly byteLength?: number;
}

export class ScriptedMqttClient {
  /** All instances, in order; cleared by the test. */
  static readonly made: ScriptedMqttClient[] = [];
  readonly published: Published[] = [];
  /** Operations of the packets other than PUBLISH. */
  readonly operations: number[] = [];
  closed = false;
  /** Bytes that the broker accepts; writing does not reduce it. */
  room = 4_000;
  /** Thrown by the next `write`. */
  trouble: Error | undefined;
  #subscriptions = 0;
  #message: { topic: string; left: number; bytes: number[] } | undefined;
  #unread: number[] = [];
  readonly #socket: { readonly owner: SocketOwner } | undefined;

  constructor(options: object) {
    Object.assign(this, options);
    this.#socket = (options as { socket?: { owner: SocketOwner } }).socket;
    ScriptedMqttClient.made.push(this);
  }

  get #callbacks(): Callbacks {
    return this as unknown as Callbacks;
  }

  write(bytes: Uint8Array | null, options: Written = {}): number {
    const { trouble } = this;
    this.trouble = undefined;
    if (trouble) throw trouble;
    if (bytes) this.#take(bytes, options);
    else this.operations.push(options.operation!);
    if (options.items) this.#subscriptions++;
    return this.room;
  }

  #take(bytes: Uint8Array, { topic, byteLength }: Written): void {
    if (topic !== undefined) this.#message = { topic, left: byteLength!, bytes: [] };
    const message = this.#message!;
    message.bytes.push(...bytes);
    message.left -= bytes.length;
    if (message.left) return;
    this.#message = undefined;
    this.published.push({ topic: message.topic, text: new TextDecoder().decode(Uint8Array.from(message.bytes)) });
  }

  read(buffer: Uint8Array): void {
    buffer.set(this.#unread.splice(0, buffer.length));
  }

  close(): void {
    this.closed = true;
  }

  /** So many bytes may be written. */
  grant(room: number): void {
    this.room = room;
    this.#callbacks.onWritable(room);
  }

  /** The broker accepts the connection and every subscription. */
  accept(): void {
    this.#callbacks.onControl({ operation: CONNACK });
    this.#callbacks.onWritable(this.room);
    while (this.#subscriptions-- > 0) this.#callbacks.onControl({ operation: SUBACK, payload: [0] });
  }

  /** A message that the broker has stored arrives. */
  deliverRetained(topic: string, text: string): void {
    this.deliver(topic, text, Infinity, true);
  }

  /** A message arrives in parts of `size` bytes. */
  deliver(topic: string, text: string, size = Infinity, isRetained = false): void {
    this.#socket?.owner.publishBegins(isRetained);
    const bytes = [...new TextEncoder().encode(text)];
    let first: string | undefined = topic;
    do {
      const part = bytes.splice(0, size);
      this.#unread.push(...part);
      this.#callbacks.onReadable(part.length, { ...(first !== undefined && { topic: first }), more: bytes.length > 0 });
      first = undefined;
    } while (bytes.length);
  }

  /** Bytes delivered but not read. */
  get unread(): number {
    return this.#unread.length;
  }

  /** The connection is lost. */
  lose(): void {
    this.#callbacks.onError();
  }
}
