/**
 * A broker in virtual time, at the other end of the platform's TCP class: it holds clients to their keep-alive, as MQTT 3.1.1, section
 * 3.1.2.10, demands of it.
 */
import { Buffer } from "node:buffer";
import { generate, parser as makeParser, type IConnectPacket, type Packet } from "mqtt-packet";
import Timer from "timer";

interface TcpOptions {
  readonly target: unknown;
  onReadable(count: number): void;
  onWritable(count: number): void;
  onError(): void;
}

/** What the link takes at once, bytes. */
const WINDOW = 5_744;

export class VirtualBroker {
  /** CONNECT of each connection so far. */
  readonly connects: IConnectPacket[] = [];
  /** Types of the packets received, of all connections. */
  readonly packets: Packet["cmd"][] = [];
  /** Wills published, because a client was not heard in time. */
  readonly wills: string[] = [];
  /** Behind a link that lost its other end: nothing arrives any more, and nobody says so. */
  cut = false;
  /** After how long the link takes the next bytes, ms. */
  pause = 0;

  /** The platform's TCP class, connected to this broker. */
  get tcp(): new (options: object) => object {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the platform's class is made by the firmware
    const broker = this;
    return class {
      readonly #options: TcpOptions;
      readonly #parser = makeParser({ protocolVersion: 4 });
      #bytes = Buffer.alloc(0);
      #closed = false;
      #overdue: Timer | undefined;
      #room = 0;
      #connect: IConnectPacket | undefined;
      readonly target: unknown;

      constructor(options: object) {
        this.#options = options as TcpOptions;
        this.target = this.#options.target;
        this.#parser.on("packet", (packet) => this.#received(packet));
        this.#open();
      }

      read(view: Uint8Array): number | undefined {
        if (!this.#bytes.length) return undefined;
        const count = Math.min(view.length, this.#bytes.length);
        view.set(this.#bytes.subarray(0, count));
        this.#bytes = this.#bytes.subarray(count);
        return count;
      }

      write(bytes: Uint8Array): number {
        if (this.#room === WINDOW) this.#open();
        this.#room -= bytes.length;
        if (this.#room < 0) throw new Error("overflow");
        this.#parser.parse(Buffer.from(bytes));
        return this.#room;
      }

      close(): void {
        this.#closed = true;
        // Nobody tells the broker that a link has been cut.
        if (!broker.cut) Timer.clear(this.#overdue);
      }

      #open(): void {
        Timer.set(() => {
          if (this.#closed) return;
          this.#room = WINDOW;
          this.#options.onWritable.call(this, WINDOW);
        }, broker.pause);
      }

      #received(packet: Packet): void {
        if (broker.cut) return;
        broker.packets.push(packet.cmd);
        if (packet.cmd === "connect") {
          this.#connect = packet;
          broker.connects.push(packet);
          this.#answer(generate({ cmd: "connack", sessionPresent: false, returnCode: 0 }));
        } else if (packet.cmd === "subscribe")
          this.#answer(
            generate({ cmd: "suback", messageId: packet.messageId ?? 0, granted: packet.subscriptions.map(() => 0) }),
          );
        else if (packet.cmd === "pingreq") this.#answer(generate({ cmd: "pingresp" }));
        this.#heard();
      }

      #heard(): void {
        Timer.clear(this.#overdue);
        const { keepalive = 0, will } = this.#connect ?? {};
        if (keepalive) this.#overdue = Timer.set(() => this.#drop(will?.payload.toString() ?? ""), keepalive * 1_500);
      }

      #drop(will: string): void {
        broker.wills.push(will);
        if (!this.#closed && !broker.cut) this.#options.onError.call(this);
      }

      #answer(bytes: Buffer): void {
        Timer.set(() => {
          if (this.#closed || broker.cut) return;
          this.#bytes = Buffer.concat([this.#bytes, bytes]);
          this.#options.onReadable.call(this, this.#bytes.length);
        });
      }
    };
  }
}
