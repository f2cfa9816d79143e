/** A Wi-Fi driver without a radio: never finds or joins a network. */
export default class WiFi {
  static get mode() {
    return 0;
  }
  static set mode(_mode) {}
  static disconnect() {}
  static accessPoint() {
    throw new Error("no radio");
  }
  close() {}
}
