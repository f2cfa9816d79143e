import { readCertificate, type Certificate } from "./certificate";
import { isSame, Malformed } from "./der";
import { MAX_CHAIN } from "./limits";
import { isNamed } from "./names";

export interface Trust {
  /** The certificate of the authority that is trusted, DER. */
  readonly authority: Uint8Array;
  /** Whom it must be: a name or an IPv4 address. */
  readonly host: string;
  /** Seconds since 1970, UTC. */
  readonly now: number;
  /** Whether the holder of the private key of `issuer`, a SubjectPublicKeyInfo, has signed `certificate`. */
  readonly hasSigned: (issuer: Uint8Array, certificate: Certificate) => boolean;
}

/** Why a server is not believed, for people. */
export class Untrusted extends Error {}

const MALFORMED = "The server's certificate cannot be read.";

/**
 * Path validation (RFC 5280, section 6): `chain` begins with the server's certificate, and each is signed by the next one, up to one that
 * the trusted authority has signed. What follows that one is not looked at.
 * @returns the server's public key, a SubjectPublicKeyInfo. Throws `Untrusted`.
 */
export function validate(chain: readonly Uint8Array[], { authority, hasSigned, host, now }: Trust): Uint8Array {
  let anchor: Certificate;
  try {
    anchor = readCertificate(authority);
  } catch {
    throw new Untrusted("The CA certificate cannot be read.");
  }
  if (!anchor.isAuthority) throw new Untrusted("What is set as CA certificate is not that of a CA.");
  if (now < anchor.from) throw new Untrusted("The CA certificate is not valid yet.");
  if (now > anchor.to) throw new Untrusted("The CA certificate has expired.");
  try {
    const path = pathTo(anchor, chain);
    const [server] = path;
    if (!server) throw new Untrusted("The server sent no certificate.");
    // From the authority down: nothing is worked out with a key that is not known to be right.
    for (let at = path.length - 1; at >= 0; at--) {
      const certificate = path[at] as Certificate;
      const issuer = path[at + 1] ?? anchor;
      if (at + 1 < path.length && (!issuer.isAuthority || issuer.depth < at))
        throw new Untrusted("The server's certificate is not signed by a CA.");
      if (anchor.depth < path.length - 1 || !hasSigned(issuer.key, certificate))
        throw new Untrusted("The server's certificate is not signed by the CA that is set.");
      if (now < certificate.from) throw new Untrusted("The server's certificate is not valid yet.");
      if (now > certificate.to) throw new Untrusted("The server's certificate has expired.");
    }
    if (!server.isServer) throw new Untrusted("The server's certificate is not one for servers.");
    if (!isNamed(server.names, host)) throw new Untrusted("The server's certificate is for another host name.");
    return server.key;
  } catch (error) {
    throw error instanceof Malformed ? new Untrusted(MALFORMED) : error;
  }
}

/** The certificates up to the first one whose issuer is the authority. */
function pathTo(anchor: Certificate, chain: readonly Uint8Array[]): Certificate[] {
  const path: Certificate[] = [];
  for (const bytes of chain) {
    const certificate = readCertificate(bytes);
    const below = path[path.length - 1];
    if (path.length === MAX_CHAIN || (below && !isSame(below.issuer, certificate.subject))) break;
    path.push(certificate);
    if (isSame(certificate.issuer, anchor.subject)) return path;
  }
  if (!path.length) return path;
  throw new Untrusted("The server's certificate is not signed by the CA that is set.");
}
