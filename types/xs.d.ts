/** XS adds a second argument: true freezes deeply, so that a preloaded table stays in flash. Other engines ignore it. */
interface ObjectConstructor {
  freeze<T>(object: T, deep: boolean): Readonly<T>;
}

/** Given an array, XS keeps only the members with these names and takes no key for any other. Other engines ignore it. */
interface JSON {
  parse(text: string, names: string[]): unknown;
}

type ByteBuffer = ArrayBuffer | SharedArrayBuffer | Int8Array | Uint8Array | Uint8ClampedArray | DataView;

/** XS: numbers as bytes, the highest first. */
interface BigIntConstructor {
  fromArrayBuffer(buffer: ArrayBuffer): bigint;
  bitLength(value: bigint): number;
}
