import { isIPv4 } from "node:net";
import { Duplex } from "node:stream";
import { connect, type TLSSocket as NodeSocket } from "node:tls";
import type Ambient from "embedded:io/socket/tcp/tls";
import { MAX_FRAGMENT, RESERVE } from "../../modules/tls-socket/limits";
import type { TLSOptions } from "../../modules/tls-socket/types";
import { SimulatedBoard } from "../board";
import { bytesOf } from "../bytes";
import type TCP from "./tcp";

/** Error texts of modules/tls-socket on the device, by the error codes of OpenSSL and Node. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-early",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-name",
  ERR_SSL_WRONG_VERSION_NUMBER: "not-tls",
  INVALID_PURPOSE: "certificate-use",
};
const UNKNOWN_ISSUER = "certificate-untrusted";
const UNKNOWN_ISSUERS = /^(UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|CERT_SIGNATURE)/;

/** The simulated board's TCP as a Node stream. */
class Transport extends Duplex {
  #waiting: { bytes: Uint8Array; done: () => void } | undefined;
  readonly #tcp: TCP;
  room = 0;

  constructor(tcp: TCP) {
    super();
    this.#tcp = tcp;
  }

  override _read(): void {
    // Push data as it arrives: the board's TCP window is already at its maximum.
  }

  override _write(bytes: Uint8Array, _encoding: string, done: () => void): void {
    this.#waiting = { bytes, done };
    this.pump();
  }

  pump(): void {
    const waiting = this.#waiting;
    if (!waiting || this.room <= 0) return;
    const now = waiting.bytes.subarray(0, this.room);
    this.room = this.#tcp.write(Uint8Array.from(now)) ?? 0;
    if (now.length < waiting.bytes.length) waiting.bytes = waiting.bytes.subarray(now.length);
    else {
      this.#waiting = undefined;
      waiting.done();
    }
  }
}

/**
 * `embedded:io/socket/tcp/tls`, which is modules/tls-socket on the device: same options, callbacks and buffer sizes, on
 * Node's TLS.
 */
export default class TLSSocket implements Ambient {
  readonly target: unknown;
  readonly #board = SimulatedBoard.current;
  readonly #options: TLSOptions;
  readonly #tcp: TCP;
  readonly #transport: Transport;
  readonly #detach: () => void;
  #tls: NodeSocket | undefined;
  #isOpen = false;
  #isClosed = false;
  #data: Uint8Array | undefined;
  #record: Uint8Array[] = [];
  /** Bytes not yet passed to the TCP socket. */
  #underWay = 0;

  constructor(options: object) {
    const { TCP: platform, address, host, port, secure, target } = (this.#options = options as TLSOptions);
    this.target = target;
    this.#tcp = new platform.io({
      address,
      port,
      onReadable: () => this.#received(),
      onWritable: (count: number) => this.#connected(count, host, secure.certificate),
      onError: () => this.#fail(undefined),
    }) as TCP;
    this.#transport = new Transport(this.#tcp);
    this.#detach = this.#board.attach(() => this.#forget());
  }

  get format(): string {
    return "buffer";
  }

  set format(format: string) {
    if (format !== "buffer") throw new RangeError("format");
  }

  read(view: Uint8Array): number | undefined {
    const data = this.#data;
    if (!data) return undefined;
    const count = Math.min(view.length, data.length);
    view.set(data.subarray(0, count));
    this.#data = count < data.length ? data.subarray(count) : undefined;
    if (!this.#data) this.#happened(() => this.#deliver());
    return count;
  }

  write(buffer: ByteBuffer, options?: { more?: boolean }): number {
    if (!this.#isOpen) throw new Error("closed");
    this.#record.push(Uint8Array.from(bytesOf(buffer)));
    const bytes = Buffer.concat(this.#record);
    if (options?.more) return this.#roomAfter(bytes.length);
    this.#record = [];
    if (bytes.length > MAX_FRAGMENT) throw new Error("too large");
    this.#underWay += bytes.length;
    this.#tls?.write(bytes, () => {
      this.#underWay -= bytes.length;
    });
    return this.#roomAfter(0);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#forget();
    this.#tcp.close();
  }

  #roomAfter(bytes: number): number {
    return Math.max(0, Math.min(MAX_FRAGMENT, this.#transport.room - this.#underWay - bytes - RESERVE));
  }

  #connected(count: number, host: string, authority: ArrayBuffer): void {
    this.#transport.room = count;
    this.#transport.pump();
    if (this.#isOpen) return this.#writable();
    if (this.#tls) return;
    const tls = connect({
      socket: this.#transport,
      ca: pemsOf(Buffer.from(authority)),
      // The device's roots have name and key only, no signature of their own.
      allowPartialTrustChain: true,
      host,
      ...(!isIPv4(host) && { servername: host }),
      minVersion: "TLSv1.2",
      maxVersion: "TLSv1.2",
    });
    this.#tls = tls;
    tls.on("secureConnect", () =>
      this.#happened(() => {
        this.#isOpen = true;
        this.#writable();
        this.#deliver();
      }),
    );
    tls.on("readable", () => this.#happened(() => this.#deliver()));
    tls.on("error", (error: NodeJS.ErrnoException) => this.#happened(() => this.#fail(wordsOf(error.code ?? ""))));
    tls.on("end", () => this.#happened(() => this.#fail(undefined)));
  }

  #writable(): void {
    const room = this.#roomAfter(0);
    if (room) this.#options.onWritable.call(this, room);
  }

  #received(): void {
    const bytes = this.#tcp.read();
    if (bytes) this.#transport.push(new Uint8Array(bytes));
  }

  #deliver(): void {
    if (!this.#isOpen || this.#data) return;
    const data = this.#tls?.read() as Buffer | null;
    if (!data) return;
    this.#data = data;
    this.#options.onReadable.call(this, data.length);
  }

  #fail(reason: string | undefined): void {
    if (this.#isClosed) return;
    const words = reason ?? (this.#isOpen ? undefined : "tls-ended");
    this.close();
    this.#options.onError.call(this, words);
  }

  /** Node's TLS runs outside the board's virtual time. */
  #happened(callback: () => void): void {
    this.#board.clock.external(() => {
      if (this.#isClosed) return;
      this.#board.post(() => {
        if (!this.#isClosed) callback();
      });
    });
  }

  #forget(): void {
    this.#isClosed = true;
    this.#isOpen = false;
    this.#data = undefined;
    this.#detach();
    this.#tls?.destroy();
    this.#transport.destroy();
  }
}

/** PEM of each of the DERs, which are SEQUENCEs with two-byte lengths. */
function pemsOf(ders: Buffer): string[] {
  const pems: string[] = [];
  for (let at = 0; at < ders.length;) {
    const end = at + 4 + ders.readUInt16BE(at + 2);
    const base64 = ders.subarray(at, end).toString("base64");
    pems.push(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`);
    at = end;
  }
  return pems;
}

function wordsOf(code: string): string {
  return PROBLEMS[code] ?? (UNKNOWN_ISSUERS.test(code) ? UNKNOWN_ISSUER : "tls-failed");
}
