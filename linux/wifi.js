/** A driver without a radio: nothing is ever found or joined. */
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
