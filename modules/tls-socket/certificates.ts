/**
 * `ssl/cert` for the SDK's TLS in place of its own, which takes a server for the right one when any two neighbours of its chain fit, lets
 * everybody who has a certificate sign others, knows no chain of one, and reads certificates beyond their end.
 */
import { readKey, type PublicKey } from "./keys";
import { validate } from "./path";
import { hasSigned } from "./signatures";

export interface CertificateOptions {
  /** Of the authority that is trusted, DER. */
  readonly certificate: ArrayBuffer;
  /** Whom it must be: a name or an IPv4 address. */
  readonly host: string;
  /** Seconds since 1970, UTC. */
  readonly date: number;
}

export default class Certificates {
  private readonly options: CertificateOptions;
  private key: PublicKey | undefined;

  constructor(options: CertificateOptions) {
    this.options = options;
  }

  /** True; throws, with a message for people, unless the server is the right one. */
  verify(chain: readonly Uint8Array[]): boolean {
    const { certificate, date, host } = this.options;
    this.key = readKey(validate(chain, { authority: new Uint8Array(certificate), host, now: date, hasSigned }));
    return true;
  }

  /** Of the server, once it is verified. */
  getKey(): PublicKey {
    if (!this.key) throw new Error("There is no certificate.");
    return this.key;
  }

  /** The SDK hands over what it has verified: `getKey` has it. */
  register(): void {}
}
