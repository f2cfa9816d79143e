/** A driver without a radio: nothing is ever found or joined. */
export default class WiFi {
  static mode = 0;
  static disconnect() {}
  static accessPoint() {
    throw new Error("no radio");
  }
  close() {}
}
