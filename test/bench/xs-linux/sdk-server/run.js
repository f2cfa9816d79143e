import { converse, memory } from "console";
import Listener from "embedded:io/socket/listener";
import HTTPServer from "embedded:network/http/server";

/** The SDK's HTTP server with one document, for the comparison with ours: made for each request from an object, or ready as bytes. */
export default function run() {
  const before = memory();
  let document = {};
  let bytes;

  const route = {
    onResponse(response) {
      this.rest = bytes ?? ArrayBuffer.fromString(JSON.stringify(document));
      response.headers.set("content-type", "application/json");
      response.headers.set("content-length", this.rest.byteLength);
      this.respond(response);
    },
    onWritable(count) {
      const { rest } = this;
      if (rest.byteLength <= count) return void this.write(rest);
      this.rest = rest.slice(count);
      this.write(rest.slice(0, count));
    },
  };
  const server = new HTTPServer({
    io: Listener,
    port: 0,
    onConnect: (connection) =>
      connection.accept({
        onRequest() {
          this.route = route;
        },
      }),
  });
  converse(
    { port: server.port, before },
    {
      serve({ text, ready }) {
        document = JSON.parse(text);
        bytes = ready ? ArrayBuffer.fromString(text) : undefined;
      },
    },
  );
}
