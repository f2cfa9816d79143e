/** The script of test/native/signature.test.ts: says whether a signature is right. */
import verify from "signature";

const bytesOf = (bytes) => Uint8Array.from(bytes);

onLine((line) => {
  const { key, message, signature } = JSON.parse(line);
  say(JSON.stringify({ right: verify(bytesOf(key), bytesOf(message), bytesOf(signature)) }));
});
