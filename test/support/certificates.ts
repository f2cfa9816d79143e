/** An authority of the test's own and certificates that it signs, made by openssl. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  /** With what its issuer's is signed by, up to the authority. */
  readonly chain: string;
  readonly key: string;
}

export interface ServerOptions {
  /** SubjectAltName. */
  readonly names?: string;
  /** From now on; below zero: it has expired. */
  readonly days?: number;
  /** Further lines of extensions; default: as a server's should be. */
  readonly extensions?: string;
  /** What openssl is asked for its key; default: of the authority's kind. */
  readonly key?: readonly string[];
  /** Whose key signs it: an authority, or any other. */
  readonly issuer?: ServerFiles;
}

function openssl(...parameters: string[]): void {
  const { status, stderr } = spawnSync("openssl", parameters, { encoding: "utf8" });
  if (status) throw new Error(`openssl ${parameters.join(" ")}: ${stderr}`);
}

export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), "certificates-"));
  readonly #kind: KeyKind;
  readonly #own: ServerFiles;
  #count = 0;

  constructor(kind: KeyKind = "ec", name = "Test CA") {
    this.#kind = kind;
    this.#own = this.#files();
    const request = ["req", "-x509", ...KEYS[kind], "-nodes", "-days", "3650", "-subj", `/CN=${name}`];
    openssl(...request, "-keyout", this.#own.key, "-out", this.#own.certificate);
  }

  /** PEM, as it is set. */
  get pem(): string {
    return readFileSync(this.#own.certificate, "utf8");
  }

  server({
    names = "DNS:localhost,IP:127.0.0.1",
    days = 30,
    extensions = "basicConstraints=CA:FALSE",
    key = KEYS[this.#kind],
    issuer = this.#own,
  }: ServerOptions = {}): ServerFiles {
    const files = this.#files();
    const given = join(this.#folder, "extensions");
    writeFileSync(given, `${names && `subjectAltName=${names}\n`}${extensions}\n`);
    const request = `${files.key}.csr`;
    openssl("req", ...key, "-nodes", "-subj", `/CN=number ${this.#count}`, "-keyout", files.key, "-out", request);
    const signing = ["-CA", issuer.certificate, "-CAkey", issuer.key, "-CAcreateserial", "-days", String(days)];
    openssl("x509", "-req", "-in", request, ...signing, "-extfile", given, "-out", files.certificate);
    const above = issuer === this.#own ? this.#own.certificate : issuer.chain;
    writeFileSync(files.chain, readFileSync(files.certificate, "utf8") + readFileSync(above, "utf8"));
    return files;
  }

  /** An authority below this one. */
  intermediate(): ServerFiles {
    return this.server({ names: "", extensions: AUTHORITY });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #files(): ServerFiles {
    const path = join(this.#folder, String(this.#count++));
    return { certificate: `${path}.crt`, chain: `${path}.pem`, key: `${path}.key` };
  }
}

/** What the commands of docs/mqtt.md make, for this host. */
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
