/** A view of the bytes of a buffer or view, without copying. */
export function bytesOf(buffer: ByteBuffer): Uint8Array {
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return new Uint8Array(buffer);
}

export function requirePort(port: number): number {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError("invalid port");
  return port;
}
