import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import type { TCPOptions } from "../../../host-sim/io/options";
import type { BoardOptions, SimulatedBoard } from "../../../host-sim/board";
import { Client, poweredBoard } from "../system/simulated-board";

/** Default send and receive window. */
export const WINDOW = 5744;

export const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

export interface TcpServer {
  board: SimulatedBoard;
  listener: Listener;
  /** Accepted connections, in order. */
  accepted: TCP[];
  log: string[];
  client: () => Promise<Client>;
}

/** A board that accepts every connection with the given options; callbacks not given are recorded in `log`. */
export async function tcpServer(
  options: Partial<TCPOptions> = {},
  boardOptions: BoardOptions = {},
): Promise<TcpServer> {
  const board = poweredBoard(boardOptions);
  const accepted: TCP[] = [];
  const log: string[] = [];
  const listener = new Listener({
    port: 0,
    onReadable() {
      for (let from = this.read(); from; from = this.read())
        accepted.push(
          new TCP({
            from,
            onReadable: (count) => log.push(`readable ${count}`),
            onError: () => log.push("error"),
            ...options,
          }),
        );
    },
  });
  await board.ready();
  return { board, listener, accepted, log, client: () => new Client(listener.port).connected() };
}
