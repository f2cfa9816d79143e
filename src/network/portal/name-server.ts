import { onReadable } from "door/enter";
import type UDP from "embedded:io/socket/udp";
import { CLASS_IN, endOfName, HEADER_BYTES, MAX_NAME_BYTES, MessageWriter, TYPE, word } from "../dns-message";
import { Opener, type Opened } from "../opener";
import type { Closable } from "../socket";
import type { ManagedNetwork } from "../types";

const PORT = 53;
/** Seconds: the answers are wrong as soon as the phone is on another network. */
const TTL = 1;
const QUESTION_BYTES = MAX_NAME_BYTES + 4;
const RECORD_BYTES = 16;
/** Compression pointer to the question's name. */
const QUESTION_NAME = 0xc000 | HEADER_BYTES;

const RESPONSE = 0x8000;
const OPCODE = 0x7800;
const AUTHORITATIVE = 0x0400;
const RECURSION_DESIRED = 0x0100;
const RECURSION_AVAILABLE = 0x0080;
const FORMAT_ERROR = 1;
const NOT_IMPLEMENTED = 4;
const CLASS_ANY = 255;

export interface CaptiveDnsOptions {
  readonly udp: typeof UDP;
  /** Its own address is the answer to every question. Clients on other networks get no answer: they have real name servers. */
  readonly network: Portal;
}

type Portal = Pick<ManagedNetwork, "accessPointIp" | "onPortal">;

/**
 * A name server for the access point that resolves every name to its own address, so that a phone's connectivity check leads to the portal.
 * A query gets at most one answer, never larger than the client can use; anything else gets none. While the platform opens no socket, a
 * phone's owner has to enter the address.
 */
export class CaptiveDns implements Closable, Opened {
  readonly part = "portal";
  private readonly device: CaptiveDnsOptions;
  private readonly opener = new Opener(this, "captive DNS");
  private socket: (UDP & Closable) | undefined;

  constructor(device: CaptiveDnsOptions) {
    this.device = device;
    this.opener.start();
  }

  /** The server that `device` needs now: one while its access point is open. Throws without memory. */
  static follow(
    server: CaptiveDns | undefined,
    device: CaptiveDnsOptions & { network: Pick<ManagedNetwork, "accessPoint"> },
  ): CaptiveDns | undefined {
    if (device.network.accessPoint) return server ?? new CaptiveDns(device);
    server?.close();
    return undefined;
  }

  /** Called by the opener. Throws if the platform opens no socket. */
  open(): void {
    this.socket = new this.device.udp({ port: PORT, target: this, onReadable }) as UDP & Closable;
  }

  /** Socket callback. */
  readable(packets: number): void {
    const { network } = this.device;
    const writer = new MessageWriter(new Uint8Array(HEADER_BYTES + QUESTION_BYTES + RECORD_BYTES));
    while (packets-- > 0) {
      // There may be no packet, despite the type.
      const packet = this.socket?.read();
      if (!packet || !network.onPortal(packet.address)) continue;
      if (!answer(new Uint8Array(packet), writer, network.accessPointIp)) continue;
      try {
        this.socket?.write(writer.message, packet.address, packet.port);
      } catch {
        // The phone asks again.
      }
    }
  }

  close(): void {
    this.opener.close();
    this.socket?.close();
    this.socket = undefined;
  }
}

/** Writes the answer to `question`. False: there is nothing to answer. */
function answer(question: Uint8Array, writer: MessageWriter, address: string): boolean {
  if (question.length < HEADER_BYTES) return false;
  const id = word(question, 0);
  const flags = word(question, 2);
  // Never answer a response: two servers would answer each other forever.
  if (flags & RESPONSE) return false;
  const echoed = RESPONSE | (flags & (OPCODE | RECURSION_DESIRED));
  if (flags & OPCODE) {
    writer.header(id, echoed | NOT_IMPLEMENTED);
    return true;
  }
  const end = endOfName(question, HEADER_BYTES);
  if (word(question, 4) !== 1 || end < 0 || end + 4 > question.length) {
    writer.header(id, echoed | FORMAT_ERROR);
    return true;
  }
  const type = word(question, end);
  const questionClass = word(question, end + 2);
  writer.header(id, echoed | AUTHORITATIVE | RECURSION_AVAILABLE, 1);
  writer.bytes(question.subarray(HEADER_BYTES, end + 4));
  // For any other type: the name exists, but has no such record (NODATA).
  const known = type === TYPE.A || type === TYPE.ANY;
  if (!known || (questionClass !== CLASS_IN && questionClass !== CLASS_ANY)) return true;
  writer.count(0);
  writer.word(QUESTION_NAME);
  writer.word(TYPE.A);
  writer.word(CLASS_IN);
  writer.word(0);
  writer.word(TTL);
  writer.word(4);
  writer.address(address);
  return true;
}
