/** A Modbus TCP client for tests, over a real socket: frames byte by byte, nothing of the firmware's. */
import { connect, type Socket } from "node:net";
import type { Sent } from "./pcap";

export class Refused extends Error {
  constructor(readonly exception: number) {
    super(`exception ${exception}`);
  }
}

export class ModbusClient {
  #bytes = Buffer.alloc(0);
  #transaction = 0x1234;
  #wake: (() => void) | undefined;
  isClosed = false;
  /** Requests that were answered by registers: what was read. */
  readonly reads: (readonly [register: number, quantity: number])[] = [];
  /** All that went over the connection. */
  readonly sent: Sent[] = [];

  private constructor(
    private readonly socket: Socket,
    /** Called while an answer is awaited: virtual time does not pass by itself. */
    private readonly turn: () => Promise<void>,
  ) {
    socket.on("data", (data) => {
      this.sent.push({ byDevice: true, bytes: data });
      this.#bytes = Buffer.concat([this.#bytes, data]);
      this.#wake?.();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.isClosed = true;
      this.#wake?.();
    });
  }

  static async open(port: number, { from = "127.0.0.1", turn = nextTurn } = {}): Promise<ModbusClient> {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from, noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new ModbusClient(socket, turn);
  }

  send(bytes: Uint8Array): void {
    this.sent.push({ byDevice: false, bytes });
    this.socket.write(bytes);
  }

  /** The next `length` bytes. Throws once the device has closed the connection. */
  async receive(length: number): Promise<Buffer> {
    while (this.#bytes.length < length) {
      if (this.isClosed) throw new Error("closed by the device");
      await this.turn();
    }
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }

  async untilClosed(): Promise<void> {
    while (!this.isClosed) await this.turn();
  }

  frame(unit: number, pdu: readonly number[]): Buffer {
    this.#transaction = (this.#transaction + 1) & 0xffff;
    const head = Buffer.alloc(7);
    head.writeUInt16BE(this.#transaction, 0);
    head.writeUInt16BE(pdu.length + 1, 4);
    head[6] = unit;
    return Buffer.concat([head, Buffer.from(pdu)]);
  }

  /** Sends a PDU and returns that of the reply, whose header must be right. */
  async ask(unit: number, pdu: readonly number[]): Promise<Buffer> {
    const sent = this.frame(unit, pdu);
    this.send(sent);
    const head = await this.receive(7);
    const expected = Buffer.from(sent.subarray(0, 7));
    expected.writeUInt16BE(head.readUInt16BE(4), 4);
    if (!head.equals(expected)) throw new Error(`header ${head.toString("hex")} of ${sent.toString("hex")}`);
    return this.receive(head.readUInt16BE(4) - 1);
  }

  /** Throws `Refused` with the exception. */
  async read(unit: number, register: number, quantity: number, code = 3): Promise<Buffer> {
    const pdu = [code, register >> 8, register & 0xff, quantity >> 8, quantity & 0xff];
    const reply = await this.ask(unit, pdu);
    if (reply[0] === (code | 0x80)) throw new Refused(reply[1] ?? 0);
    if (reply[0] !== code || reply[1] !== 2 * quantity || reply.length !== 2 + 2 * quantity)
      throw new Error(`reply ${reply.toString("hex")}`);
    this.reads.push([register, quantity]);
    return reply.subarray(2);
  }

  close(): void {
    this.socket.destroy();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
