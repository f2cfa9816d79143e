/** What a test does to the running processor, by GDB's remote protocol: end it as a wild jump or an endless loop would. */
import { connect, type Socket } from "node:net";

const sum = (text: string): string =>
  ([...text].reduce((total, character) => total + character.charCodeAt(0), 0) & 0xff).toString(16).padStart(2, "0");

/** A number as GDB sends a 32-bit register: its bytes in hexadecimal, the lowest first. */
export function registerText(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString("hex");
}

export const packet = (text: string): string => `$${text}#${sum(text)}`;

/** The program counter's number (RISC-V: after 32 registers). */
const RISCV_PC = 32;

export class Debugger {
  readonly #socket: Socket;
  #received = "";
  #wake: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.#received += text;
      this.#wake?.();
    });
    socket.on("error", () => undefined);
  }

  /** Stops the processor. */
  static async open(path: string): Promise<Debugger> {
    const socket = connect(path);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const opened = new Debugger(socket);
    await opened.#ask("?");
    // QEMU lets only a debugger that has asked for them write single registers.
    await opened.#ask("qXfer:features:read:target.xml:0,ffb");
    return opened;
  }

  /** Content of the next packet; acknowledged. */
  async #ask(text: string): Promise<string> {
    this.#socket.write(packet(text));
    for (;;) {
      const [whole, content] = /\$([^#]*)#../.exec(this.#received) ?? [];
      if (whole !== undefined && content !== undefined) {
        this.#received = this.#received.slice(this.#received.indexOf(whole) + whole.length);
        this.#socket.write("+");
        return content;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async #order(text: string): Promise<void> {
    const answer = await this.#ask(text);
    if (answer !== "OK") throw new Error(`the debugger answers ${answer} to ${text}`);
  }

  /** Goes on until the processor is at `address` for the `times`th time, where it stands still. */
  async reach(address: number, times = 1): Promise<void> {
    const place = `0,${address.toString(16)},2`;
    for (let time = 1; time <= times; time++) {
      // Off the place that it stands at, which it would not leave.
      if (time > 1) await this.#ask("s");
      await this.#order(`Z${place}`);
      await this.#ask("c");
      await this.#order(`z${place}`);
    }
  }

  /** Writes `bytes` at `address` and goes on there. */
  async run(address: number, bytes: Uint8Array): Promise<void> {
    if (bytes.length)
      await this.#order(`M${address.toString(16)},${bytes.length.toString(16)}:${Buffer.from(bytes).toString("hex")}`);
    await this.#order(`P${RISCV_PC.toString(16)}=${registerText(address)}`);
    this.#socket.write(packet("D"));
    await new Promise<void>((resolve) => {
      this.#socket.once("close", () => resolve()).end();
    });
  }
}
