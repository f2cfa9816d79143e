import type Ambient from "embedded:io/socket/tcp/tls";

/**
 * On this engine the platform's MQTT client and its socket live on the other side of the pipe: the class is only passed
 * to the client.
 */
export default class TLSSocket implements Ambient {
  constructor() {
    throw new Error("TLS runs on the other side of the pipe");
  }

  close(): void {}
}
