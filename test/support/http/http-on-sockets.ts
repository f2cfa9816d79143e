import { HttpServer, type HttpServerOptions } from "http-server/server";
import { SimulatedBoard, type BoardOptions } from "../../../host-sim/board";
import Listener from "../../../host-sim/io/listener";
import TCP from "../../../host-sim/io/tcp";
import { app } from "./http-app";

/** A server on a free local port. Its board runs at real-time pace; `stop` cuts its power. */
export async function serveOnSockets(
  options: Partial<HttpServerOptions> = {},
  boardOptions: BoardOptions = {},
): Promise<{ server: HttpServer; stop: () => void }> {
  const board = new SimulatedBoard({ online: true, console: () => undefined, ...boardOptions });
  const server = await board.boot(
    () => new HttpServer({ listener: { io: Listener, port: 0 }, socket: { io: TCP }, handler: app, ...options }),
  );
  board.clock.start();
  const stop = (): void => {
    board.clock.stop();
    board.powerOff();
  };
  return { server, stop };
}
