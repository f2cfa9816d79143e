/** The tests' application of the HTTP server on XS. */
import Listener from "embedded:io/socket/listener";
import TCP from "embedded:io/socket/tcp";
import { HttpServer } from "http-server/server";
import { boot } from "../../../host-sim/xs/device/boot";
import { app } from "../http/http-app";

boot(
  () => new HttpServer({ listener: { io: Listener, port: 0 }, socket: { io: TCP }, handler: app }),
  (server) => ({ port: () => server.port }),
);
