import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import { ascii } from "http-server/characters";
import { HttpServer } from "http-server/server";

const HELLO = ascii("Hello.\n");

/** Says hello, and repeats what is posted, up to 256 bytes. */
export default function main(port = 80): HttpServer {
  return new HttpServer({
    listener: { io: Listener, port },
    socket: { io: TCP },
    handler(exchange) {
      if (exchange.path !== "/") return exchange.respond(404);
      if (exchange.method === "GET")
        return exchange.respond(200, "text/plain", (into) => (into.set(HELLO), HELLO.length));
      if (exchange.method !== "POST") return exchange.respond(405, undefined, undefined, [["Allow", "GET, POST"]]);
      exchange.receive(256, (body) => {
        const copy = body?.slice();
        exchange.respond(copy ? 200 : 413, "text/plain", (into) => (into.set(copy ?? []), copy?.length ?? 0));
      });
    },
  });
}
