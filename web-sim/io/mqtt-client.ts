/** No broker can be reached from a browser: each attempt fails, as with sockets that the platform refuses. */
export default class MQTTClient {
  static readonly CONNACK = 2;
  static readonly SUBSCRIBE = 8;
  static readonly SUBACK = 9;
  static readonly DISCONNECT = 14;

  constructor() {
    throw new Error("a browser opens no TCP connections");
  }
}
