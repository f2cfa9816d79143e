/** What the program has in flash: the server, and the application that the tests ask. */
export { HttpServer } from "http-server/server";
export { app } from "../../support/http/http-app";
