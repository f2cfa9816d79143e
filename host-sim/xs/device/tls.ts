import type Ambient from "embedded:io/socket/tcp/tls";

/** On this engine the platform's MQTT client, and with it its socket, is on the other side of the pipe: the class is only handed to it. */
export default class TLSSocket implements Ambient {
  constructor() {
    throw new Error("TLS is on the other side of the pipe");
  }

  close(): void {}
}
