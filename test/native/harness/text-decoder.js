/** The SDK's TextDecoder, for ASCII. */
export default class TextDecoder {
  decode(bytes) {
    return String.fromCharCode(...bytes);
  }
}
