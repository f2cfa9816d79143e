import { connect, type Socket } from "node:net";
import { onTestFinished, TestRunner } from "vitest";
import { SimulatedBoard, type BoardOptions } from "../../../host-sim/board";

/** A powered board, online, without console output; powered off after the test. Its clock stands still until the test advances it. */
export function poweredBoard(options: BoardOptions = {}): SimulatedBoard {
  const board = new SimulatedBoard({ console: () => undefined, online: true, ...options });
  board.powerOn();
  // Not afterEach at the top: this module is loaded once for all files of a worker. Outside a test nothing ends it, or has to.
  if (TestRunner.getCurrentTest())
    onTestFinished(() => {
      board.powerOff();
      board.clock.stop();
    });
  return board;
}

/** Polls of `until` before it gives up: minutes, for a busy host. */
const LOOKS = 50_000;

/** Waits in real time until `condition` holds. Rejects if it never does. */
export async function until(condition: () => boolean): Promise<void> {
  for (let look = 0; !condition(); look++) {
    if (look === LOOKS) throw new Error(`never came true: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Lets the host deliver data in flight between its sockets. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A client's side of a TCP connection: what it received, and how the connection ended. */
export class Client {
  readonly socket: Socket;
  received = Buffer.alloc(0);
  ended = false;
  closed = false;
  error: NodeJS.ErrnoException | undefined;

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.on("data", (bytes) => (this.received = Buffer.concat([this.received, bytes])));
    this.socket.on("end", () => (this.ended = true));
    this.socket.on("close", () => (this.closed = true));
    this.socket.on("error", (error) => (this.error = error));
  }

  get text(): string {
    return this.received.toString("latin1");
  }

  async connected(): Promise<this> {
    await until(() => !this.socket.connecting || this.closed);
    return this;
  }
}
