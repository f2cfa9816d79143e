import { converse, memory } from "console";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import { HttpServer } from "firmware";

/** This project's HTTP server alone, with one document whose bytes are ready: what the SDK's server is compared with like for like. */
export default function run() {
  const before = memory();
  let bytes = new Uint8Array();

  const server = new HttpServer({
    listener: { io: Listener, port: 0 },
    socket: { io: TCP },
    handler: (exchange) =>
      exchange.respond(200, "application/json", (into) => {
        into.set(bytes);
        return bytes.length;
      }),
  });
  converse(
    { port: server.port, before },
    {
      serve({ text }) {
        bytes = new Uint8Array(ArrayBuffer.fromString(text));
      },
    },
  );
}
