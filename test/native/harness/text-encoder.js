/** The SDK's TextEncoder, for ASCII. */
export default class TextEncoder {
  encodeInto(text, bytes) {
    const written = Math.min(text.length, bytes.length);
    for (let at = 0; at < written; at++) bytes[at] = text.charCodeAt(at);
    return { read: written, written };
  }
}
