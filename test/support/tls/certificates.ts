/** A test CA and certificates signed by it, made with openssl. */
import { spawnSync } from "node:child_process";
import { createPrivateKey, sign, X509Certificate } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type KeyKind = "rsa" | "ec";

const KEYS: Readonly<Record<KeyKind, readonly string[]>> = {
  rsa: ["-newkey", "rsa:2048"],
  ec: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
};
const AUTHORITY = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n";

/** Files for a TLS server. */
export interface ServerFiles {
  /** The server's own certificate, PEM. */
  readonly certificate: string;
  /** The certificate and its issuers, up to the CA. */
  readonly chain: string;
  readonly key: string;
}

export interface ServerOptions {
  /** SubjectAltName. */
  readonly names?: string;
  /** Validity from now; negative: expired. */
  readonly days?: number;
  /** Extension lines; default: those of a proper server certificate. */
  readonly extensions?: string;
  /** openssl options for its key; default: the CA's kind. */
  readonly key?: readonly string[];
  /** Digest of the signature. */
  readonly digest?: "sha1" | "sha256" | "sha384" | "sha512";
  /** Issuer, a CA or not. */
  readonly issuer?: ServerFiles;
}

function openssl(...parameters: string[]): void {
  const { status, stderr } = spawnSync("openssl", parameters, { encoding: "utf8" });
  if (status) throw new Error(`openssl ${parameters.join(" ")}: ${stderr}`);
}

const LONG = 0x82;

/** DER element with a two-byte length. */
function long(tag: number, ...content: Buffer[]): Buffer {
  const length = Buffer.concat(content).length;
  return Buffer.concat([Buffer.from([tag, LONG, length >> 8, length & 0xff]), ...content]);
}

const certificateOf = (signed: Buffer, algorithm: Buffer, signature: Buffer): Buffer => {
  const bits = Buffer.concat([Buffer.of(0), signature]);
  const short = Buffer.from(bits.length < 0x80 ? [3, bits.length] : [3, 0x81, bits.length]);
  return long(0x30, signed, algorithm, bits.length < 0x100 ? Buffer.concat([short, bits]) : long(3, bits));
};

/** TBSCertificate, signature algorithm and signature; copies. */
function partsOf(der: Buffer): [Buffer, Buffer, Buffer] {
  const begin = 4;
  const algorithm = begin + 4 + der.readUInt16BE(begin + 2);
  const bits = algorithm + 2 + der[algorithm + 1]!;
  const header = der[bits + 1]! < 0x80 ? 2 : der[bits + 1]! - 0x80 + 2;
  const copy = (from: number, to?: number): Buffer => Buffer.from(der.subarray(from, to));
  return [copy(begin, algorithm), copy(algorithm, bits), copy(bits + header + 1)];
}

/** The server's certificate with its signature modified. */
export function resigned({ certificate }: ServerFiles, make: (signature: Buffer) => Buffer): Buffer {
  const [signed, algorithm, signature] = partsOf(new X509Certificate(readFileSync(certificate)).raw);
  return certificateOf(signed, algorithm, make(signature));
}

/** The certificates in `pem`, DER. */
export const dersOf = (pem: string): Buffer[] =>
  pem.match(/-----BEGIN[^]*?-----END CERTIFICATE-----/g)!.map((text) => new X509Certificate(text).raw);

export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), "certificates-"));
  readonly #kind: KeyKind;
  readonly #own: ServerFiles;
  /** Finding primes takes long: certificates at the same place in a chain share an RSA key, which is never their issuer's. */
  readonly #rsaKeys = new Map<string, string>();
  #count = 0;

  constructor(kind: KeyKind = "ec", name = "Test CA") {
    this.#kind = kind;
    this.#own = this.#files();
    const request = ["req", "-x509", ...KEYS[kind], "-nodes", "-days", "3650", "-subj", `/CN=${name}`];
    openssl(...request, "-keyout", this.#own.key, "-out", this.#own.certificate);
  }

  /** The CA certificate as PEM, as configured on the device. */
  get pem(): string {
    return readFileSync(this.#own.certificate, "utf8");
  }

  server({
    names = "DNS:localhost,IP:127.0.0.1",
    days = 30,
    extensions = "basicConstraints=CA:FALSE",
    key = KEYS[this.#kind],
    digest = "sha256",
    issuer = this.#own,
  }: ServerOptions = {}): ServerFiles {
    const files = this.#files();
    const given = join(this.#folder, "extensions");
    writeFileSync(given, `${names && `subjectAltName=${names}\n`}${extensions}\n`);
    const request = `${files.key}.csr`;
    const kind = [...key, extensions === AUTHORITY ? "CA" : "server", issuer === this.#own ? "below" : "deeper"].join(
      " ",
    );
    const made = this.#rsaKeys.get(kind);
    if (made !== undefined) copyFileSync(made, files.key);
    const own = made === undefined ? [...key, "-nodes", "-keyout", files.key] : ["-new", "-key", files.key];
    openssl("req", ...own, "-subj", `/CN=number ${this.#count}`, "-out", request);
    if (key[1]?.startsWith("rsa")) this.#rsaKeys.set(kind, made ?? files.key);
    const signing = [
      "-CA",
      issuer.certificate,
      "-CAkey",
      issuer.key,
      "-CAcreateserial",
      "-days",
      String(days),
      `-${digest}`,
    ];
    openssl("x509", "-req", "-in", request, ...signing, "-extfile", given, "-out", files.certificate);
    const above = issuer === this.#own ? this.#own.certificate : issuer.chain;
    writeFileSync(files.chain, readFileSync(files.certificate, "utf8") + readFileSync(above, "utf8"));
    return files;
  }

  /** An intermediate CA. */
  intermediate(options: ServerOptions = {}): ServerFiles {
    return this.server({ names: "", extensions: AUTHORITY, ...options });
  }

  /** A certificate with its signed part modified by `change` (hexadecimal, same length) and signed again by this CA, of kind "ec". */
  changed({ certificate }: ServerFiles, change: (signed: string) => string): Buffer {
    const [signed, algorithm] = partsOf(new X509Certificate(readFileSync(certificate)).raw);
    const before = signed.toString("hex");
    const after = change(before);
    if (after === before || after.length !== before.length) throw new Error("not changed, or not to as much");
    const bytes = Buffer.from(after, "hex");
    return certificateOf(bytes, algorithm, sign("sha256", bytes, createPrivateKey(readFileSync(this.#own.key))));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #files(): ServerFiles {
    const path = join(this.#folder, String(this.#count++));
    return { certificate: `${path}.crt`, chain: `${path}.pem`, key: `${path}.key` };
  }
}

/** Bytes of the handshake message with these certificates (RFC 5246, section 7.4.2). */
const messageLength = (ders: readonly Buffer[]): number => ders.reduce((sum, { length }) => sum + 3 + length, 4 + 3);

/** A server with a chain of three: its message with the certificates has `bytes` bytes, at least 1,500 of P-256 and 3,000 of RSA. */
export function serverOfLength(authority: Authority, bytes: number, options: ServerOptions = {}): ServerFiles {
  const issuer = authority.intermediate();
  // An extension that nobody knows, and nobody has to.
  for (let padding = 300; ;) {
    const extensions = `basicConstraints=CA:FALSE\n1.2.3.4=DER:${"05".repeat(padding)}`;
    const files = authority.server({ issuer, extensions, ...options });
    // Signatures on P-256 differ in length.
    const missing = bytes - messageLength(dersOf(readFileSync(files.chain, "utf8")));
    if (!missing) return files;
    padding += missing;
  }
}

/** Runs the commands of docs/mqtt.md for this host. */
export function documented(): { ca: string; files: ServerFiles } {
  const [, commands] = /## TLS.*?```sh\n(.*?)```/s.exec(readFileSync("docs/mqtt.md", "utf8")) ?? [];
  if (!commands) throw new Error("docs/mqtt.md has no commands");
  const folder = mkdtempSync(join(tmpdir(), "documented-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(
    "sh",
    ["-ec", commands.replace("DNS:broker.home,IP:192.168.1.10", "IP:127.0.0.1")],
    { cwd: folder, encoding: "utf8" },
  );
  if (status) throw new Error(stderr);
  const chain = join(folder, "broker.pem");
  return {
    ca: readFileSync(join(folder, "ca.pem"), "utf8"),
    files: { certificate: chain, chain, key: join(folder, "broker.key") },
  };
}
