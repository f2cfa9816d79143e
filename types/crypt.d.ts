/** The digests of the SDK's modules/crypt/digest. */
declare module "crypt" {
  export class Digest {
    constructor(type: "SHA256" | "SHA384" | "SHA512");
    /** Also accepts views. */
    write(message: string | ArrayBuffer): void;
    close(): ArrayBuffer;
    /** Starts a new digest, also after `close`. */
    reset(): void;
  }
}
