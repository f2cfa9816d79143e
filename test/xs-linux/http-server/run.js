import { converse } from "console";
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import { app, HttpServer } from "firmware";

/** The HTTP server with the tests' application. */
export default function run() {
  const { port } = new HttpServer({ listener: { io: Listener, port: 0 }, socket: { io: TCP }, handler: app });
  converse({ port }, {});
}
