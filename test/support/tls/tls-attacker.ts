/** A TLS server that violates the protocol with hand-made messages. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { dersOf } from "./certificates";

export const ALERT = 21;
export const HANDSHAKE = 22;
export const CHANGE_CIPHER_SPEC = 20;
const RECORD_HEADER = 5;

/** Signature schemes of the key exchange. */
export const SHA256_RSA = 0x0401;
export const SHA256_ECDSA = 0x0403;

/** An ECDSA signature with s equal to the order of P-256. */
export const BEYOND_THE_ORDER = Buffer.from(
  "3026020101022100ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
  "hex",
);

const word = (value: number): number[] => [value >> 8, value & 0xff];
const long = (value: number): number[] => [value >> 16, ...word(value & 0xffff)];

export function record(type: number, content: Buffer, version = 0x0303): Buffer {
  return Buffer.concat([Buffer.from([type, ...word(version), ...word(content.length)]), content]);
}

/** The types of the records in `bytes`, whose content is not looked at: random bytes in it look like anything. */
export function recordTypes(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at < bytes.length; at += RECORD_HEADER + bytes.readUInt16BE(at + 3)) types.push(bytes[at]!);
  return types;
}

export function message(type: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, ...long(body.length)]), body]);
}

/** Version, random, session ID, cipher suite, compression; default: no session ID and no compression. */
export function serverHello({ version = 0x0303, suite = 0xc02b, session = 0, compression = 0 } = {}): Buffer {
  const random = Array<number>(32).fill(7);
  const id = Array<number>(session).fill(8);
  return message(2, Buffer.from([...word(version), ...random, session, ...id, ...word(suite), compression]));
}

export function certificateList(all: readonly Buffer[]): Buffer {
  const list = Buffer.concat(all.flatMap((der) => [Buffer.from(long(der.length)), der]));
  return message(11, Buffer.concat([Buffer.from(long(list.length)), list]));
}

/** Certificate message for a PEM chain. */
export const certificates = (pem: string): Buffer => certificateList(dersOf(pem));

/** P-256's base point, as an arbitrary valid public key. */
const POINT = Buffer.from(
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
  "hex",
);

export function keyExchange(algorithm: number, signature: Buffer, curve = 23): Buffer {
  const head = Buffer.from([3, ...word(curve), POINT.length]);
  return message(
    12,
    Buffer.concat([head, POINT, Buffer.from([...word(algorithm), ...word(signature.length)]), signature]),
  );
}

export const serverHelloDone = message(14, Buffer.alloc(0));

export class Attacker {
  /** Data received on each connection. */
  readonly heard: Buffer[] = [];

  private constructor(
    readonly port: number,
    readonly server: Server,
  ) {}

  /** Answers the first data of each connection, the ClientHello, with `says`; then stays silent. */
  static async start(says: Buffer): Promise<Attacker> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const attacker = new Attacker((server.address() as AddressInfo).port, server);
    server.on("connection", (socket: Socket) => {
      const at = attacker.heard.push(Buffer.alloc(0)) - 1;
      socket.on("error", () => undefined);
      socket.on("data", (bytes: Buffer) => {
        const isFirst = !attacker.heard[at]!.length;
        attacker.heard[at] = Buffer.concat([attacker.heard[at]!, bytes]);
        if (isFirst) socket.write(says);
      });
    });
    return attacker;
  }

  stop(): void {
    this.server.close();
  }
}
