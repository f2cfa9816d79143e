/** A station that finds no networks. */
export default class WiFi {
  get connection() {
    return 200;
  }
  get MAC() {
    return "02:00:5e:10:00:01";
  }
  scan() {
    throw new Error("no radio");
  }
  connect() {
    throw new Error("no radio");
  }
  disconnect() {}
  configure() {}
  close() {}
}
