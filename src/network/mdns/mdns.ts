import { onReadable } from "door/enter";
import type UDP from "embedded:io/socket/udp";
import Time from "time";
import Timer from "timer";
import { once, type Timed } from "../../runtime/timers";
import type { Settings } from "../../settings/types";
import { CLASS_IN, endOfName, HEADER_BYTES, MessageWriter, TOP_BIT, TYPE, word } from "../dns-message";
import { ANNOUNCE_INTERVAL, ANNOUNCEMENTS, MAX_NAMES, MULTICAST_INTERVAL, PROBE_INTERVAL, PROBES } from "../limits";
import { LOCAL } from "./names";
import { parseQuery, type MdnsMessage } from "./packet";
import {
  ALL_RECORDS,
  GOODBYE,
  MODBUS_BITS,
  MODBUS_RECORDS,
  PROBE,
  RECORD,
  TO_ALL,
  TO_LEGACY,
  writeRecords,
  type Purpose,
  type Section,
} from "./records";
import { Opener, type Opened } from "../opener";
import type { Multicast } from "../socket";
import type { ManagedNetwork, NetworkObserver } from "../types";

const GROUP = "224.0.0.251";
const PORT = 5353;
const RESPONSE = 0x8400;
/** Fits all records of the longest hostname plus the question of a legacy query. */
const MESSAGE_BYTES = 1_088;
/** Pause before the loser of a simultaneous probe tries again, ms (RFC 6762 section 8.2). */
const TIE_PAUSE = 1_000;

export interface MdnsOptions {
  readonly udp: typeof UDP;
  readonly settings: Pick<Settings, "device">;
  readonly network: Pick<ManagedNetwork, "online" | "ip" | "observe">;
  readonly server: { readonly port: number };
  /** `port`: undefined while it does not run. */
  readonly modbus?: { readonly port: number | undefined } | undefined;
}

/**
 * Announces `<hostname>.local`, its web server and Modbus TCP (RFC 6762 mDNS, RFC 6763 DNS-SD `_http._tcp`, `_modbus._tcp`). Holds a socket only while there is a
 * network, and a message buffer only while writing a message.
 */
export class Mdns implements NetworkObserver, Opened, Timed {
  private readonly device: MdnsOptions;
  private readonly opener = new Opener(this, "mDNS");
  private socket: (UDP & Multicast) | undefined;
  /** The address announced; empty while there is none. */
  private ip = "";
  private wished = "";
  /** Port of Modbus TCP; 0: it does not run. */
  private modbusPort = 0;
  /** Number of the name in use: 1 is the hostname itself, 2 is hostname-2 … */
  private number = 1;
  /** Pause before the first probe, ms. */
  private delay = 0;
  /** Probes and announcements sent. */
  private sent = 0;
  private timer: Timer | undefined;
  /** Ticks of the last multicast message. */
  private saidAt: number | undefined;

  constructor(device: MdnsOptions) {
    this.device = device;
    this.networkChanged();
    device.network.observe(this);
  }

  get part(): string {
    return "mdns";
  }

  /** The claimed name, without `.local`; empty while there is none. */
  get hostname(): string {
    return this.socket && this.claimed ? this.name : "";
  }

  networkChanged(): void {
    const { network, settings } = this.device;
    const ip = network.online ? network.ip : "";
    const { hostname } = settings.device;
    const modbusPort = this.device.modbus?.port ?? 0;
    if (ip === this.ip && hostname === this.wished && modbusPort === this.modbusPort) return;
    // Withdraws the old name first.
    this.leave();
    this.modbusPort = modbusPort;
    if (hostname !== this.wished) this.number = 1;
    this.wished = hostname;
    this.ip = ip;
    if (ip) this.appear(0);
  }

  close(): void {
    this.leave();
  }

  /** Probes, then announces. */
  tick(): void {
    this.timer = undefined;
    if (this.sent < PROBES) this.probe();
    else this.say(this.records, TO_ALL);
    if (++this.sent >= PROBES + ANNOUNCEMENTS) return;
    this.after(this.sent <= PROBES ? PROBE_INTERVAL : ANNOUNCE_INTERVAL);
  }

  /** Socket callback. */
  readable(packets: number): void {
    while (packets-- > 0) {
      // Even an open socket may have no packet, despite the type.
      const packet = this.socket?.read();
      if (!packet) return;
      const bytes = new Uint8Array(packet);
      const heard = parseQuery(bytes, this.name);
      if (!heard) continue;
      if (heard.rival && !isAddress(heard.rival, this.ip)) this.contested(heard, heard.rival);
      else if (!heard.response && heard.asked & this.records && this.claimed)
        this.answer(heard, bytes, packet.address, packet.port);
    }
  }

  /** All that there are. */
  private get records(): number {
    return this.modbusPort ? ALL_RECORDS | MODBUS_RECORDS : ALL_RECORDS;
  }

  /** All probes went without objection. */
  private get claimed(): boolean {
    return this.sent > PROBES;
  }

  /** The name being probed or claimed. */
  private get name(): string {
    return this.number === 1 ? this.wished : `${this.wished}-${this.number}`;
  }

  /** Called by the opener. Throws without a free socket or multicast: meanwhile the device is reachable by its address. */
  open(): void {
    const socket = new this.device.udp({ port: PORT, target: this, onReadable }) as UDP & Multicast;
    try {
      socket.add(GROUP);
      this.timer = once(this, this.delay + PROBE_INTERVAL);
    } catch (error) {
      socket.close();
      throw error;
    }
    this.socket = socket;
    this.sent = 0;
  }

  private appear(delay: number): void {
    this.delay = delay;
    this.opener.start();
  }

  private leave(): void {
    this.opener.stop();
    const socket = this.socket;
    if (!socket) return;
    Timer.clear(this.timer);
    this.timer = undefined;
    if (this.claimed) this.say(this.records, GOODBYE);
    this.socket = undefined;
    this.sent = 0;
    this.saidAt = undefined;
    socket.close();
  }

  private probeAfter(delay: number): void {
    this.sent = 0;
    Timer.clear(this.timer);
    this.after(delay + PROBE_INTERVAL);
  }

  /** Without memory for the timer it begins anew, once the platform has some. */
  private after(delay: number): void {
    try {
      this.timer = once(this, delay);
    } catch {
      this.leave();
      this.appear(0);
    }
  }

  private probe(): void {
    const writer = newMessage();
    writer.header(0, 0, 1);
    writer.name(LOCAL, this.name);
    writer.word(TYPE.ANY);
    writer.word(CLASS_IN | TOP_BIT);
    this.write(writer, 1, RECORD.address, PROBE);
    this.send(writer, GROUP, PORT);
  }

  private say(records: number, purpose: Purpose): void {
    const writer = newMessage();
    writer.header(0, RESPONSE);
    this.write(writer, 0, records, purpose);
    this.saidAt = Time.ticks;
    this.send(writer, GROUP, PORT);
  }

  /** Another host has, or claims, the name. */
  private contested({ response }: MdnsMessage, rival: Uint8Array): void {
    if (response) {
      // Also if it was ours: both probe again, and one of them finds it taken (RFC 6762 section 9).
      if (this.claimed) this.probeAfter(0);
      else this.rename();
    } else if (this.claimed) {
      this.say(RECORD.address, TO_ALL);
    } else if (isLater(rival, this.ip)) {
      this.probeAfter(TIE_PAUSE);
    }
  }

  private rename(): void {
    trace(`network: another host has the name ${this.name}.local\n`);
    this.leave();
    this.number = this.number >= MAX_NAMES ? 1 : this.number + 1;
    this.appear(this.number === 1 ? TIE_PAUSE * MAX_NAMES : 0);
  }

  private answer(heard: MdnsMessage, question: Uint8Array, address: string, port: number): void {
    const { unicast } = heard;
    const asked = heard.asked & this.records;
    const found = RECORD.location | RECORD.text;
    const services = asked | (asked >> MODBUS_BITS);
    const additional =
      (asked & RECORD.service ? found : 0) |
      (asked & (RECORD.service << MODBUS_BITS) ? found << MODBUS_BITS : 0) |
      (services & (RECORD.service | RECORD.location) ? RECORD.address : 0);
    const more = additional & ~asked;
    const legacy = port !== PORT;
    const now = Time.ticks;
    const toAll = !legacy && !unicast;
    // Unsigned: the last multicast may be more than half the range of the ticks ago.
    if (toAll && this.saidAt !== undefined && (now - this.saidAt) >>> 0 < MULTICAST_INTERVAL) return;
    const writer = newMessage();
    if (legacy) {
      // Legacy query: the answer must repeat its ID and question (RFC 6762 section 6.7). If there are several questions, none is repeated.
      const end = word(question, 4) === 1 ? endOfName(question, HEADER_BYTES) + 4 : 0;
      writer.header(word(question, 0), RESPONSE, end ? 1 : 0);
      if (end) writer.bytes(question.subarray(HEADER_BYTES, end));
    } else writer.header(0, RESPONSE);
    const purpose = legacy ? TO_LEGACY : TO_ALL;
    this.write(writer, 0, asked, purpose);
    this.write(writer, 2, more, purpose);
    if (toAll) this.saidAt = now;
    this.send(writer, toAll ? GROUP : address, port);
  }

  private write(writer: MessageWriter, section: Section, records: number, purpose: Purpose): void {
    const { port } = this.device.server;
    const { ip, modbusPort, name: hostname } = this;
    writeRecords(writer, section, records, { hostname, ip, port, modbusPort }, purpose);
  }

  private send(writer: MessageWriter, address: string, port: number): void {
    try {
      this.socket?.write(writer.message, address, port);
    } catch {
      // Same as a lost packet, which mDNS tolerates.
    }
  }
}

const newMessage = (): MessageWriter => new MessageWriter(new Uint8Array(MESSAGE_BYTES));

const isAddress = (bytes: Uint8Array, ip: string): boolean => bytes.join(".") === ip;

/** RFC 6762 section 8.2: of two simultaneous probes, the one with the lexicographically later data wins. */
function isLater(bytes: Uint8Array, ip: string): boolean {
  const own = ip.split(".");
  const at = bytes.findIndex((byte, n) => byte !== Number(own[n]));
  // The rival's address differs from the own one, so there is a differing byte.
  return (bytes[at] as number) > Number(own[at]);
}
