import { createSocket } from "node:dgram";
import { timeServerAnswer } from "../../host-sim/network/time-server";

const SNTP = 123;

/**
 * Serves the time of this machine, or a later one by `ahead` ms, to the board, which finds it at the router's `host`. Returns what stops it,
 * or undefined where only root may have the port: then the board asks its default server, through the Internet. A port that is taken has
 * another run of these tests, or this machine's own time server.
 */
export async function serveTime(ahead = 0): Promise<(() => void) | undefined> {
  const socket = createSocket("udp4");
  socket.on("message", (request, { port, address }) => {
    const answer = timeServerAnswer(request, Date.now() + ahead);
    if (answer) socket.send(answer, port, address);
  });
  return new Promise((resolve, reject) => {
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === "EACCES") resolve(undefined);
      else if (error.code === "EADDRINUSE" && ahead === 0) resolve(() => undefined);
      else reject(error);
    });
    socket.bind(SNTP, "127.0.0.1", () => resolve(() => socket.close()));
  });
}
