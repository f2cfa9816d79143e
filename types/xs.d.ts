/** XS adds a second argument: true freezes deeply, so that a preloaded table stays in flash. Other engines ignore it. */
interface ObjectConstructor {
  freeze<T>(object: T, deep: boolean): Readonly<T>;
}

/** With an array, XS keeps only members with these names and creates no keys for others. Other engines ignore it. */
interface JSON {
  parse(text: string, names: string[]): unknown;
}

type ByteBuffer = ArrayBuffer | SharedArrayBuffer | Int8Array | Uint8Array | Uint8ClampedArray | DataView;

/** XS only: integers as bytes, big-endian. */
interface BigIntConstructor {
  fromArrayBuffer(buffer: ArrayBuffer): bigint;
  bitLength(value: bigint): number;
}
