/** A proxy that delays all data to and from a server, like Wi-Fi to a small device, and counts connections. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

export class SlowLine {
  /**
   * Open connections that have carried a request, and their peak. (A browser starved of CPU for 250 ms opens another connection, whatever
   * the page does.)
   */
  open = 0;
  most = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(target: string, delay: number) {
    const { port, hostname } = new URL(target);
    this.#server = createServer((near) => {
      const far = connect(Number(port), hostname);
      near.once("data", () => {
        this.most = Math.max(this.most, ++this.open);
        near.once("close", () => this.open--);
      });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.setNoDelay();
        from.on("error", () => to.destroy());
        from.on("data", (bytes) => setTimeout(() => to.write(bytes), delay));
        from.on("end", () => setTimeout(() => to.end(), delay));
        from.on("close", () => this.#sockets.delete(from));
      }
    });
  }

  /** @param delay ms each way */
  static async start(target: string, delay: number): Promise<SlowLine> {
    const line = new SlowLine(target, delay);
    await new Promise<void>((resolve) => line.#server.listen(0, "127.0.0.1", resolve));
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
