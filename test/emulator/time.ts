import { createSocket } from "node:dgram";
import { timeServerAnswer } from "../../host-sim/network/time-server";

const SNTP = 123;

/**
 * Serves the time of this machine to the board, which finds it at the router's `host`. Returns what stops it, or undefined where only root
 * may have the port: then the board asks its default server, through the Internet.
 */
export async function serveTime(): Promise<(() => void) | undefined> {
  const socket = createSocket("udp4");
  socket.on("message", (request, { port, address }) => {
    const answer = timeServerAnswer(request, Date.now());
    if (answer) socket.send(answer, port, address);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === "EACCES" || error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    socket.bind(SNTP, "127.0.0.1", () => resolve(() => socket.close()));
  });
}
