/** Moddable SDK modules that are missing from `@moddable/typings` on npm, or older there than in SDK 8.2. */

declare module "net" {
  const Net: {
    /** Undefined while there is none, despite the type. */
    get(what: "IP" | "MAC", mode?: "station" | "ap" | "ethernet"): string;
    get(what: "DNS"): string[];
  };
  export default Net;
}

declare module "text/decoder" {
  export default class TextDecoder {
    decode(bytes: ArrayBuffer | Uint8Array): string;
  }
}

declare module "text/encoder" {
  export default class TextEncoder {
    encode(text: string): Uint8Array;
    /** Allocates no bytes. What does not fit is left out. */
    encodeInto(text: string, into: Uint8Array): { readonly read: number; readonly written: number };
  }
}

/** Writes a line to the console of the device (no newline is added). */
declare function trace(...text: (string | number | boolean)[]): void;
