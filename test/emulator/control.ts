/** QEMU's machine protocol (QMP, specified in QEMU's own manual): one JSON text a line. */
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";

interface Reply {
  readonly return?: unknown;
  readonly error?: { readonly desc: string };
}

export class Control {
  readonly #socket: Socket;
  readonly #waiting: { resolve: (value: unknown) => void; reject: (problem: Error) => void }[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
    createInterface(socket).on("line", (line) => {
      const reply = JSON.parse(line) as Reply;
      // Neither the greeting nor an event answers a command.
      if (!("return" in reply) && !reply.error) return;
      const next = this.#waiting.shift();
      if (reply.error) next?.reject(new Error(reply.error.desc));
      else next?.resolve(reply.return);
    });
    socket
      .on("error", () => undefined)
      .on("close", () => {
        for (const { reject } of this.#waiting.splice(0)) reject(new Error("QEMU has ended"));
      });
  }

  static async open(path: string): Promise<Control> {
    const socket = connect(path);
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const control = new Control(socket);
    await control.order("qmp_capabilities");
    return control;
  }

  order(execute: string, parameters: object = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#socket.write(`${JSON.stringify({ execute, arguments: parameters })}\n`);
    });
  }

  /** A word of the guest's memory or of a peripheral's registers, unsigned. */
  async word(address: number): Promise<number> {
    const text = await this.order("human-monitor-command", { "command-line": `xp /1wx 0x${address.toString(16)}` });
    const [, value] = /: (0x[0-9a-f]+)/.exec(String(text)) ?? [];
    if (value === undefined) throw new Error(`QEMU reads nothing at 0x${address.toString(16)}: ${String(text)}`);
    return Number(value);
  }

  close(): void {
    this.#socket.destroy();
  }
}
