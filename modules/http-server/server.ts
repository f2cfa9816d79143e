import { onError, onReadable, onTimer } from "door/enter";
import type Listener from "embedded:io/socket/listener";
import type TCP from "embedded:io/socket/tcp";
import Time from "time";
import Timer from "timer";
import type { SendMemory } from "./client-socket";
import { Connection } from "./connection";
import { MAX_CONNECTIONS, MAX_REFUSALS, MAX_REOPEN_MS, MIN_REOPEN_MS, TICK_MS } from "./limits";
import { Laggards } from "./laggards";
import { findVictim, lags } from "./places";
import { type Counters, Service, type ServiceOptions } from "./service";

export interface HttpServerOptions extends ServiceOptions {
  readonly listener: { io: new (...options: ConstructorParameters<typeof Listener>) => Listener; port: number };
  /** Called with `target` after each attempt to listen: with the error, or undefined if the listener is open. */
  readonly onListening?: (target: unknown, error: unknown) => void;
  /** How many of the MAX_CONNECTIONS another server of the device has (`makeRoom`). Default: none. */
  readonly taken?: (target: unknown) => number;
}

/** An HTTP/1.1 server (RFC 9110, RFC 9112) with a fixed memory budget, whatever its clients do. */
export class HttpServer {
  private readonly service: Service;
  private readonly options: HttpServerOptions;
  /** Undefined until the platform opens one. */
  private listener: Listener | undefined;
  /** Ticks of the last attempt to open it, the pause before the next, and why it failed. */
  private triedAt = 0;
  private backOff = MIN_REOPEN_MS;
  private refusal = "";
  private readonly _connections: Connection[] = [];
  /** Connections without a place, while they linger after their 503. */
  private readonly refused: Connection[] = [];
  private readonly laggards = new Laggards();
  private timer: Timer | undefined;
  /** False once the platform has closed the listener. */
  listening = true;

  /** Listens at once or, while the platform refuses, as soon as it allows it. */
  constructor(options: HttpServerOptions) {
    this.options = options;
    this.service = new Service(options);
    this.service.connections = this._connections;
    this.open();
    try {
      this.start();
    } catch (error) {
      options.onFault?.(error);
    }
  }

  /**
   * Starts the timer of the time limits and of further attempts to listen, if the platform had no memory for it. Throws if it still has none.
   */
  start(): void {
    this.timer ??= Object.assign(Timer.repeat(onTimer, TICK_MS), { target: this });
  }

  get counters(): Counters {
    return this.service.counters;
  }

  /** Until the listener is open: the port wanted. */
  get port(): number {
    return (this.listener ?? this.options.listener).port;
  }

  /** Connections being served. */
  get connections(): number {
    return this._connections.filter(({ closed }) => !closed).length;
  }

  /** Closes all connections and stops listening. */
  close(): void {
    Timer.clear(this.timer);
    // Missing from the typings.
    (this.listener as (Listener & { close(): void }) | undefined)?.close();
    for (const connection of this._connections) connection.close();
    for (const connection of this.refused) connection.close();
  }

  /** Listener callback: the listener has failed. */
  lost(): void {
    this.listening = false;
  }

  /**
   * Listener callback: accepts exactly `sockets` connections, since every `read` of the platform's listener without a pending one leaks an object.
   */
  readable(sockets: number): void {
    for (; sockets > 0; sockets--) {
      const accepted = this.listener?.read();
      if (accepted) this.take(accepted);
    }
  }

  private open(): void {
    const { listener, target, onFault, onListening } = this.options;
    this.triedAt = Time.ticks;
    // A variable, because the SDK's types lack onError.
    const events = { port: listener.port, target: this, onReadable, onError };
    try {
      this.listener = new listener.io(events);
    } catch (error) {
      const refusal = String(error);
      if (refusal !== this.refusal) onFault?.(error);
      this.refusal = refusal;
      return onListening?.(target, error);
    }
    onListening?.(target, undefined);
  }

  /** Tries again once the pause is over. */
  private reopen(now: number): void {
    if (((now - this.triedAt) | 0) < this.backOff) return;
    this.backOff = Math.min(2 * this.backOff, MAX_REOPEN_MS);
    this.open();
  }

  private take(accepted: TCP): void {
    try {
      // Read first: after a reset by the peer the SDK's class no longer has the address.
      const address = accepted.remoteAddress;
      if (!address) return accepted.close();
      if (!this.makeRoom(address)) return this.refuse(accepted, address);
      this.counters.connections++;
      this._connections.push(new Connection(this.service, accepted, address));
    } catch {
      // Closed before it was taken over.
      accepted.close();
    }
  }

  /** The memory for sending, which all servers of the device share. */
  get sending(): SendMemory {
    return this.service;
  }

  /**
   * Makes room for a connection of `address`, to this server or another of the device. False if all places, or the memory, are held by
   * connections that may not be evicted.
   */
  makeRoom(address: string): boolean {
    const { service, _connections: connections } = this;
    this.forgetClosed();
    if (!this.full && service.hasRoom()) return true;
    const now = Time.ticks;
    const victim = findVictim(connections, service.clientOf(address, undefined, service.target), now, this.laggards);
    if (!victim) return false;
    if (lags(victim, now, this.laggards)) this.laggards.add(victim.client, now);
    this.counters.evictedConnections++;
    victim.evict();
    this.forgetClosed();
    return service.hasRoom();
  }

  /** All places are taken. */
  private get full(): boolean {
    const { taken, target } = this.options;
    return this._connections.length + (taken?.(target) ?? 0) >= MAX_CONNECTIONS;
  }

  private refuse(accepted: TCP, address: string): void {
    const { counters } = this;
    counters.refusedConnections++;
    if (this.full) counters.refusedPlaces++;
    const connection = new Connection(this.service, accepted, address);
    connection.refuse();
    if (this.refused.length < MAX_REFUSALS) this.refused.push(connection);
    else connection.close();
  }

  private forgetClosed(): void {
    dropClosed(this._connections);
    dropClosed(this.refused);
  }

  /** Timer callback. */
  tick(): void {
    const { service } = this;
    const now = Time.ticks;
    if (!this.listener) this.reopen(now);
    for (const connection of this._connections) {
      connection.tick(now);
      if (service.short && connection.stalls(now)) connection.close();
    }
    if (service.short) service.share();
    for (const connection of this.refused) connection.tick(now);
    this.forgetClosed();
  }
}

function dropClosed(all: { readonly closed: boolean }[]): void {
  for (let at = all.length - 1; at >= 0; at--) if (all[at]?.closed) all.splice(at, 1);
}
