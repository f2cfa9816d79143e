/** Moddable SDK modules that `@moddable/typings` on npm lacks or has older than SDK 8.2. */

declare module "net" {
  const Net: {
    get(what: "IP" | "MAC", mode?: "station" | "ap" | "ethernet"): string | undefined;
    get(what: "DNS"): string[];
  };
  export default Net;
}

/** `crypt/etc/rng` of the SDK: the hardware random generator. */
declare module "rng" {
  const RNG: {
    get(byteLength: number): ArrayBuffer;
  };
  export default RNG;
}

declare module "text/decoder" {
  export default class TextDecoder {
    decode(bytes: ArrayBuffer | Uint8Array): string;
  }
}

/** Writes a line to the console of the device (no newline is added). */
declare function trace(...text: (string | number | boolean)[]): void;
