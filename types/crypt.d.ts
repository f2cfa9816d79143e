/** The digests of the SDK's modules/crypt/digest. */
declare module "crypt" {
  export class Digest {
    constructor(type: "SHA256" | "SHA384" | "SHA512");
    /** Takes views as well. */
    write(message: string | ArrayBuffer): void;
    close(): ArrayBuffer;
    /** Begins anew, also after `close`. */
    reset(): void;
  }
}
