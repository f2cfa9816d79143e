import type UDP from "embedded:io/socket/udp";
import Time from "time";
import Timer from "timer";
import type { Settings } from "../settings/types";
import { CLASS_IN, endOfName, HEADER_BYTES, MessageWriter, TOP_BIT, TYPE, word } from "./dns-message";
import { ANNOUNCE_INTERVAL, ANNOUNCEMENTS, MAX_NAMES, MULTICAST_INTERVAL, PROBE_INTERVAL, PROBES } from "./limits";
import { MdnsNames } from "./mdns-names";
import { hear, type Heard } from "./mdns-packet";
import {
  ALL_RECORDS,
  GOODBYE,
  PROBE,
  RECORD,
  TO_ALL,
  TO_LEGACY,
  writeRecords,
  type Advertised,
  type Purpose,
} from "./mdns-records";
import type { Multicast } from "./socket";
import type { ManagedNetwork } from "./types";

const GROUP = "224.0.0.251";
const PORT = 5353;
const RESPONSE = 0x8400;
/** All records of the longest hostname, with the question of an asker that is no mDNS. */
const MESSAGE_BYTES = 768;
/** ms: who loses a tie of two that probe at the same time tries again after it (RFC 6762 section 8.2). */
const TIE_PAUSE = 1_000;

export interface MdnsOptions {
  readonly settings: Pick<Settings, "device">;
  readonly network: Pick<ManagedNetwork, "online" | "ip" | "observe">;
  readonly socket: { readonly io: typeof UDP };
  readonly server: { readonly port: number };
}

/** What there is while the network is. */
interface Presence extends Advertised {
  readonly hostname: string;
  readonly socket: UDP & Multicast;
  readonly writer: MessageWriter;
}

/**
 * Says who has `<hostname>.local` and that there is a web server (RFC 6762 mDNS, RFC 6763 DNS-SD `_http._tcp`). Takes memory only while
 * there is a network.
 */
export class Mdns {
  readonly #options: MdnsOptions;
  #presence: Presence | undefined;
  /** Which of the names is tried: 1 the hostname itself, 2 hostname-2 … */
  #number = 1;
  #wished = "";
  /** Probes and announcements sent. */
  #sent = 0;
  #timer: Timer | undefined;
  /** Ticks of the last message to all. */
  #saidAt: number | undefined;

  constructor(options: MdnsOptions) {
    this.#options = options;
    options.network.observe(this);
    this.follow();
  }

  /** The name that is answered to, without `.local`; empty while there is none. */
  get hostname(): string {
    return this.#presence && this.#claimed ? this.#presence.hostname : "";
  }

  networkChanged(): void {
    this.follow();
  }

  close(): void {
    this.leave();
  }

  /** Nobody objected to the probes. */
  get #claimed(): boolean {
    return this.#sent > PROBES;
  }

  private follow(): void {
    const { network, settings } = this.#options;
    const ip = network.online ? network.ip : "";
    const { hostname } = settings.device;
    if (ip === (this.#presence?.ip ?? "") && hostname === this.#wished) return;
    if (hostname !== this.#wished) this.#number = 1;
    this.#wished = hostname;
    this.leave();
    if (ip) this.appear(ip, 0);
  }

  private appear(ip: string, delay: number): void {
    const { socket: options, server } = this.#options;
    const hostname = this.#number === 1 ? this.#wished : `${this.#wished}-${this.#number}`;
    let socket: (UDP & Multicast) | undefined;
    try {
      socket = new options.io({ port: PORT, onReadable: (packets) => this.receive(packets) }) as UDP & Multicast;
      socket.add(GROUP);
    } catch (error) {
      // A platform without multicast, or without a socket to spare: the address will do.
      socket?.close();
      trace(`network: no mDNS: ${String(error)}\n`);
      return;
    }
    this.#presence = {
      hostname,
      names: new MdnsNames(hostname),
      ip,
      socket,
      writer: new MessageWriter(new Uint8Array(MESSAGE_BYTES)),
      server,
    };
    this.probeAfter(delay);
  }

  private leave(): void {
    const presence = this.#presence;
    if (!presence) return;
    Timer.clear(this.#timer);
    this.#timer = undefined;
    if (this.hostname) this.say(ALL_RECORDS, GOODBYE);
    this.#presence = undefined;
    this.#sent = 0;
    this.#saidAt = undefined;
    presence.socket.close();
  }

  private probeAfter(delay: number): void {
    this.#sent = 0;
    Timer.clear(this.#timer);
    this.#timer = Timer.set(() => this.next(), delay + PROBE_INTERVAL);
  }

  private next(): void {
    this.#timer = undefined;
    if (!this.#presence) return;
    if (this.#sent < PROBES) this.probe(this.#presence);
    else this.say(ALL_RECORDS, TO_ALL);
    if (++this.#sent >= PROBES + ANNOUNCEMENTS) return;
    this.#timer = Timer.set(() => this.next(), this.#sent <= PROBES ? PROBE_INTERVAL : ANNOUNCE_INTERVAL);
  }

  private probe(presence: Presence): void {
    const { writer, names } = presence;
    writer.header(0, 0, 1);
    writer.bytes(names.host);
    writer.word(TYPE.ANY);
    writer.word(CLASS_IN | TOP_BIT);
    writeRecords(writer, 1, RECORD.address, presence, PROBE);
    this.send(presence, GROUP, PORT);
  }

  private say(records: number, purpose: Purpose): void {
    const presence = this.#presence;
    if (!presence) return;
    presence.writer.header(0, RESPONSE);
    writeRecords(presence.writer, 0, records, presence, purpose);
    this.#saidAt = Time.ticks;
    this.send(presence, GROUP, PORT);
  }

  private receive(packets: number): void {
    while (packets-- > 0) {
      const presence = this.#presence;
      if (!presence) return;
      // The type does not say that there may be none.
      const packet = presence.socket.read() as ReturnType<UDP["read"]> | undefined;
      if (!packet) return;
      const bytes = new Uint8Array(packet);
      const heard = hear(bytes, presence.names);
      if (!heard) continue;
      if (heard.rival && !isAddress(heard.rival, presence.ip)) this.contested(presence, heard, heard.rival);
      else if (!heard.response && heard.asked && this.#claimed)
        this.answer(presence, heard, bytes, packet.address, packet.port);
    }
  }

  /** Somebody else has, or wants, the name. */
  private contested(presence: Presence, { response, probed }: Heard, rival: Uint8Array): void {
    if (response) {
      // Also when it was ours: both look again, and one of them finds it taken (RFC 6762 section 9).
      if (this.#claimed) this.probeAfter(0);
      else this.rename(presence.ip);
    } else if (probed && this.#claimed) {
      this.say(RECORD.address, TO_ALL);
    } else if (probed && isLater(rival, presence.ip)) {
      this.probeAfter(TIE_PAUSE);
    }
  }

  private rename(ip: string): void {
    trace(`network: somebody else has the name ${this.#presence?.hostname ?? ""}.local\n`);
    this.leave();
    this.#number = this.#number >= MAX_NAMES ? 1 : this.#number + 1;
    this.appear(ip, this.#number === 1 ? TIE_PAUSE * MAX_NAMES : 0);
  }

  private answer(
    presence: Presence,
    { asked, unicast }: Heard,
    question: Uint8Array,
    address: string,
    port: number,
  ): void {
    const { writer } = presence;
    const additional = asked & RECORD.service ? RECORD.location | RECORD.text | RECORD.address : 0;
    const more = (additional | (asked & RECORD.location ? RECORD.address : 0)) & ~asked;
    if (port !== PORT) {
      // No mDNS: it wants its number and its question back (RFC 6762 section 6.7). One with several questions gets no question back.
      const end = word(question, 4) === 1 ? endOfName(question, HEADER_BYTES) + 4 : 0;
      writer.header(word(question, 0), RESPONSE, end ? 1 : 0);
      if (end) writer.bytes(question.subarray(HEADER_BYTES, end));
      writeRecords(writer, 0, asked, presence, TO_LEGACY);
      writeRecords(writer, 2, more, presence, TO_LEGACY);
      this.send(presence, address, port);
      return;
    }
    const now = Time.ticks;
    // Unsigned: nobody may have asked for more than half the range of the ticks.
    if (!unicast && this.#saidAt !== undefined && (now - this.#saidAt) >>> 0 < MULTICAST_INTERVAL) return;
    writer.header(0, RESPONSE);
    writeRecords(writer, 0, asked, presence, TO_ALL);
    writeRecords(writer, 2, more, presence, TO_ALL);
    if (!unicast) this.#saidAt = now;
    this.send(presence, unicast ? address : GROUP, PORT);
  }

  private send({ socket, writer }: Presence, address: string, port: number): void {
    try {
      socket.write(writer.message, address, port);
    } catch {
      // As if it were lost on its way: mDNS expects that.
    }
  }
}

const isAddress = (bytes: Uint8Array, ip: string): boolean => bytes.join(".") === ip;

/** RFC 6762 section 8.2: of two that probe at once, the one whose data comes later wins. */
function isLater(bytes: Uint8Array, ip: string): boolean {
  const own = ip.split(".");
  const at = bytes.findIndex((byte, n) => byte !== Number(own[n]));
  return at >= 0 && (bytes[at] as number) > Number(own[at]);
}
