import type Listener from "embedded:io/socket/listener";
import type TCP from "embedded:io/socket/tcp";
import { onError, onReadable } from "door/enter";
import { SERVER_FAILURE } from "modbus/pdu";
import { encodeException, encodeReadReply, isWrite, QUANTITY, READ_DATA, readProblem, REGISTER } from "modbus/request";
import { MBAP_BYTES, UNIT, wordAt } from "modbus/tcp";
import Time from "time";
import Timer from "timer";
import { Opener, type Opened } from "../network/opener";
import { repeat, type Timed } from "../runtime/timers";
import { isMask } from "../settings/text-rules";
import type { GroupName, SettingsObserver } from "../settings/types";
import { Client, type ClientOwner } from "./client";
import { MAX_CLIENTS, POLL_MS, REQUEST_MS, TICK_MS } from "./limits";
import { Registers, type Reader } from "./registers";
import type { ModbusDevice } from "./types";

/** Missing from the typings. */
type Listening = Listener & { close(): void };

/** Modbus TCP with SunSpec, read only: a server while it is enabled; otherwise this object. */
export class Modbus implements ClientOwner, Opened, SettingsObserver, Timed {
  readonly device: ModbusDevice;
  private readonly opener = new Opener(this, "modbus");
  private registers: Registers | undefined;
  private listener: Listening | undefined;
  private timer: Timer | undefined;
  private clients: readonly Client[] = NOBODY;
  /** Since the start: requests, those of them that would have written, and clients turned away. */
  requests = 0;
  writes = 0;
  refused = 0;
  private askedAt: number | undefined;
  /** The port reported to mDNS. */
  private reported: number | undefined;

  constructor(device: ModbusDevice) {
    this.device = device;
    this.follow();
    device.settings.observe(this);
  }

  get part(): string {
    return "modbus";
  }

  get buffer(): Uint8Array {
    return (this.registers as Registers).buffer;
  }

  get running(): boolean {
    return this.listener !== undefined;
  }

  /** The TCP port; undefined while it does not listen. */
  get port(): number | undefined {
    return this.listener && this.device.settings.modbus.port;
  }

  /** Addresses of the clients, one for each connection. */
  get addresses(): readonly string[] {
    this.forgetClosed();
    return this.clients.map(({ address }) => address);
  }

  /** Connections, of those that the device serves. */
  get connections(): number {
    let count = 0;
    for (const { isClosed } of this.clients) if (!isClosed) count++;
    return count;
  }

  /** Whole seconds since the last request; undefined before the first. */
  get age(): number | undefined {
    return this.askedAt === undefined ? undefined : this.device.uptime() - this.askedAt;
  }

  settingsChanged(group: GroupName): void {
    if (group === "modbus") this.follow();
  }

  /** Begins anew, with the settings of now: a client that is no longer allowed is closed. */
  follow(): void {
    this.shut();
    if (this.device.settings.modbus.enabled) this.opener.start();
    this.report();
  }

  /** Listener callback: begins anew. */
  lost(): void {
    this.follow();
  }

  close(): void {
    this.shut();
    this.report();
  }

  private shut(): void {
    this.opener.stop();
    Timer.clear(this.timer);
    for (const client of this.clients) client.close();
    try {
      this.listener?.close();
    } catch {
      // Lost already.
    }
    this.clients = NOBODY;
    this.listener = this.timer = this.registers = undefined;
  }

  /** mDNS withdraws the device's name for each change, so only when the port is another. */
  private report(): void {
    const { port } = this;
    if (port === this.reported) return;
    this.reported = port;
    this.device.mdns?.networkChanged();
  }

  /** Called by the opener. Throws if the platform opens no socket. */
  open(): void {
    const { device } = this;
    const { port } = device.settings.modbus;
    this.registers = new Registers(device);
    this.timer ??= repeat(this, TICK_MS);
    const events = { port, target: this, onReadable, onError };
    this.listener = new device.listener(events) as Listening;
    this.report();
  }

  /** Timer callback. */
  tick(): void {
    const now = Time.ticks;
    for (const client of this.clients) client.tick(now);
    this.forgetClosed();
  }

  /** Listener callback: accepts exactly `sockets` connections. */
  readable(sockets: number): void {
    for (; sockets > 0; sockets--) {
      const accepted = this.listener?.read();
      if (accepted) this.take(accepted);
    }
  }

  answer(length: number, reader: Reader): number {
    const { buffer, device } = this;
    const pdu = MBAP_BYTES;
    const quantity = wordAt(buffer, pdu + QUANTITY);
    this.requests++;
    this.askedAt = device.uptime();
    if (isWrite(buffer[pdu] as number)) this.writes++;
    let exception = readProblem(buffer, pdu, length);
    try {
      const register = wordAt(buffer, pdu + REGISTER);
      const unit = buffer[UNIT] as number;
      if (!exception) exception = (this.registers as Registers).read(unit, register, quantity, pdu + READ_DATA, reader);
    } catch (error) {
      trace(`modbus: ${String(error)}\n`);
      exception = SERVER_FAILURE;
    }
    return exception ? encodeException(buffer, pdu, exception) : encodeReadReply(buffer, pdu, quantity);
  }

  private take(accepted: TCP): void {
    try {
      const address = accepted.remoteAddress;
      if (address && this.admits(address)) this.clients = [...this.clients, new Client(this, accepted, address)];
      else {
        this.refused++;
        accepted.close();
      }
    } catch {
      // Closed before it was taken over.
      accepted.close();
    }
  }

  /** It is allowed, and there is a place: of those that Modbus may have, and of the device's. */
  private admits(address: string): boolean {
    const { network, server, settings } = this.device;
    const { clients } = settings.modbus;
    const { ip, subnetMask } = network;
    const mask = numberOf(subnetMask) | (isMask(subnetMask) ? 0 : COMMON_MASK);
    if (
      clients ? !clients.replaceAll(",", " ").split(" ").includes(address) : (numberOf(address) ^ numberOf(ip)) & mask
    )
      return false;
    this.forgetClosed();
    if (this.clients.length >= MAX_CLIENTS) {
      this.victim(address)?.close();
      this.forgetClosed();
    }
    return this.clients.length < MAX_CLIENTS && server.makeRoom(address);
  }

  /**
   * Who has to go for a new client of `address`: one that has never asked anything. Otherwise the idlest of an address with two if `address` has none, or
   * its own idlest if that has missed its poll: a client that comes back without having closed.
   */
  private victim(address: string): Client | undefined {
    const now = Time.ticks;
    const held = (whose: string): number => this.clients.filter((client) => client.address === whose).length;
    const isNew = !held(address);
    let victim: Client | undefined;
    for (const client of this.clients) {
      if (!client.hasAsked && client.age(now) >= REQUEST_MS) return client;
      if (
        (isNew ? held(client.address) > 1 : client.address === address && client.age(now) >= POLL_MS) &&
        !(victim && victim.age(now) >= client.age(now))
      )
        victim = client;
    }
    return victim;
  }

  private forgetClosed(): void {
    if (this.connections < this.clients.length) this.clients = this.clients.filter(({ isClosed }) => !isClosed);
  }
}

/** 255.255.255.0: while the platform has none, or one that would let everybody in. */
const COMMON_MASK = -0x100;

const NOBODY: readonly Client[] = Object.freeze([], true);

/** Of an IPv4 address. */
function numberOf(address: string): number {
  let number = 0;
  for (const part of address.split(".")) number = (number << 8) | Number(part);
  return number;
}
