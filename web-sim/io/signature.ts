/** A browser verifies signatures only later (crypto.subtle): no image is taken for signed. A build without a key asks for none. */
export default function verify(_key: Uint8Array, _message: Uint8Array, _signature: Uint8Array): boolean {
  return false;
}
