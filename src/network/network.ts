import type Net from "net";
import type RNG from "rng";
import Time from "time";
import Timer from "timer";
import { Observers } from "../parts/observers";
import type { GroupName, NetworkSettings, Settings } from "../settings/types";
import { isStatic, sameNetwork } from "./addressing";
import type { Connection } from "./connection";
import { FRESH, LINK_GRACE, RETRY_INTERVAL, STEP_INTERVAL } from "./limits";
import { Opening } from "./opening";
import { accessPointName, makePassphrase } from "./passphrase";
import type { Radio } from "./radio";
import { LINK, Station } from "./station";
import type { JoinFailure, ManagedNetwork, Network, NetworkObserver, Scan } from "./types";
import type { Wired } from "./wired";

export interface NetworkOptions {
  readonly settings: Pick<Settings, "network" | "device" | "update" | "observe">;
  readonly net: Pick<typeof Net, "get">;
  readonly random: typeof RNG;
  /** The board's interfaces: one of them at least. */
  readonly wired?: Wired | undefined;
  readonly radio?: Radio | undefined;
}

/** ESP-IDF's access point has this address and a /24. */
const ACCESS_POINT_IP = "192.168.4.1";
const ACCESS_POINT_MASK = "255.255.255.0";

const NOTHING_SCANNED: Scan = Object.freeze({ scanning: false, networks: [] }, true);

/** The device's network: a cable before Wi-Fi, Wi-Fi as the settings have it, an access point where there is neither. */
export class BoardNetwork implements ManagedNetwork {
  readonly #settings: NetworkOptions["settings"];
  readonly #net: NetworkOptions["net"];
  readonly #random: typeof RNG;
  readonly #wired: Connection | undefined;
  readonly #radio: Radio | undefined;
  readonly #station: Station | undefined;
  readonly #opening: Opening;
  readonly #observers = new Observers<NetworkObserver>();
  readonly #timer: Timer;
  /** Ticks. */
  readonly #startedAt = Time.ticks;
  /** The start's grace for a cable is over. */
  #settled: boolean;
  #applied: NetworkSettings;
  #passphrase = "";
  #accessPoint = "";
  /** Ticks of the last try in vain to open the access point. */
  #refusedAt: number | undefined;
  #scanWanted = false;
  #state = "";
  #mac = "";
  #dns: readonly string[] = [];
  #dnsAt: number | undefined;

  constructor({ settings, net, random, wired, radio }: NetworkOptions) {
    this.#settings = settings;
    this.#net = net;
    this.#random = random;
    this.#wired = wired?.connection;
    this.#radio = radio;
    this.#station = radio && new Station(new ChosenRadio(radio, settings));
    this.#opening = new Opening(this.#startedAt);
    this.#settled = !wired;
    this.#applied = settings.network;
    this.configure();
    settings.observe(this);
    const step = (): void => this.step();
    if (wired) wired.changed = step;
    if (radio) radio.changed = step;
    this.#timer = Timer.repeat(step, STEP_INTERVAL);
    this.step();
  }

  get mode(): Network["mode"] {
    return this.#accessPoint && !this.online ? "AP" : "STA";
  }

  get type(): Network["type"] {
    if (this.cable || !this.#radio) return "Ethernet";
    return this.#wired && !this.#accessPoint && this.#station?.state === "off" ? "Ethernet" : "Wi-Fi";
  }

  get mac(): string {
    return (this.#mac ||= (this.#wired ?? this.#radio?.connection)?.mac ?? "");
  }

  get ip(): string {
    return this.#inUse?.ip ?? this.accessPointIp;
  }

  get gateway(): string {
    if (this.mode === "AP") return this.accessPointIp;
    return this.#static?.gateway ?? "";
  }

  get subnetMask(): string {
    if (this.mode === "AP") return ACCESS_POINT_MASK;
    return this.#static?.mask ?? "";
  }

  get dns1(): string {
    return this.#static?.dns1 || (this.#servers[0] ?? "");
  }

  get dns2(): string {
    return this.#static?.dns2 || (this.#servers[1] ?? "");
  }

  get cable(): boolean {
    return this.#wired !== undefined && this.#wired.link !== LINK.down;
  }

  get online(): boolean {
    return this.#inUse !== undefined;
  }

  get reason(): JoinFailure {
    return this.#station?.reason ?? "";
  }

  get ssid(): string {
    return this.#station?.online ? (this.#radio?.ssid ?? "") : "";
  }

  get rssi(): number | undefined {
    return this.#station?.online ? this.#radio?.rssi : undefined;
  }

  get accessPoint(): string {
    return this.#accessPoint;
  }

  get accessPointIp(): string {
    return this.#accessPoint ? this.#net.get("IP", "ap") || ACCESS_POINT_IP : "";
  }

  scan(): Scan {
    const scanner = this.#radio?.scanner;
    if (!scanner) return NOTHING_SCANNED;
    return { scanning: this.#scanWanted || scanner.scanning, networks: scanner.networks(Time.ticks) };
  }

  startScan(): void {
    this.#scanWanted = this.#radio !== undefined;
    this.step();
  }

  onPortal(address: string): boolean {
    const own = this.accessPointIp;
    if (!own || !sameNetwork(address, own)) return false;
    const { ip } = this;
    if (ip !== own && sameNetwork(address, ip)) return false;
    if (ip === own && this.online) return false;
    this.#opening.used(Time.ticks);
    return true;
  }

  observe(observer: NetworkObserver): void {
    this.#observers.add(observer);
  }

  settingsChanged(group: GroupName): void {
    if (group === "network") this.reconfigure();
    else if (group === "device") {
      this.configure();
      this.tell();
    }
  }

  close(): void {
    Timer.clear(this.#timer);
  }

  /** What connects the device: the cable, then the Wi-Fi. */
  get #inUse(): Connection | undefined {
    if (this.#wired?.link === LINK.online) return this.#wired;
    return this.#station?.online && this.#radio?.link === LINK.online ? this.#radio.connection : undefined;
  }

  /** The settings, where they and not DHCP give the address in use. */
  get #static(): NetworkSettings | undefined {
    const { network } = this.#settings;
    return this.online && isStatic(network) ? network : undefined;
  }

  get #servers(): readonly string[] {
    if (!this.online) return [];
    const now = Time.ticks;
    // Unsigned: nobody may have asked for more than half the range of the ticks.
    if (this.#dnsAt === undefined || (now - this.#dnsAt) >>> 0 >= FRESH) {
      this.#dnsAt = now;
      // A platform without that fact answers undefined.
      this.#dns = this.#net.get("DNS") ?? [];
    }
    return this.#dns;
  }

  private step(): void {
    const now = Time.ticks;
    const { cable } = this;
    this.#settled ||= cable || ((now - this.#startedAt) | 0) >= LINK_GRACE;
    const chosen = this.#settings.network.ssid !== "";
    this.#station?.step(now, chosen && !cable && this.#settled);
    this.#scan(now);
    const noCable = this.#settled && !cable;
    this.#opening.step(now, { online: this.online, noCable, chosen, failed: this.reason !== "" });
    this.followOpening(now);
    this.tell();
  }

  /** The platform cannot scan while it joins. */
  #scan(now: number): void {
    const scanner = this.#radio?.scanner;
    if (!scanner) return;
    scanner.step(now);
    if (!this.#scanWanted || this.#station?.state === "joining") return;
    this.#scanWanted = false;
    scanner.start(now, this.#settings.network.ssid);
  }

  private followOpening(now: number): void {
    const radio = this.#radio;
    if (!radio || this.#opening.open === (this.#accessPoint !== "")) return;
    if (!this.#opening.open) {
      radio.close();
      this.#accessPoint = "";
      trace("network: the access point is closed\n");
      return;
    }
    if (this.#refusedAt !== undefined && ((now - this.#refusedAt) | 0) < RETRY_INTERVAL) return;
    const name = accessPointName(this.mac);
    const password = this.password();
    if (!radio.open(name, password)) {
      this.#refusedAt = now;
      return;
    }
    this.#refusedAt = undefined;
    this.#accessPoint = name;
    trace(`network: access point ${name}, password ${password}\n`);
  }

  /** Made when it is needed for the first time, and kept; if it cannot be stored, until the power goes. */
  private password(): string {
    const { accessPointPassword } = this.#settings.network;
    if (accessPointPassword) return accessPointPassword;
    if (!this.#passphrase) {
      this.#passphrase = makePassphrase(this.#random);
      this.#settings.update("network", { accessPointPassword: this.#passphrase });
    }
    return this.#passphrase;
  }

  private configure(): void {
    const { network, device } = this.#settings;
    for (const connection of [this.#wired, this.#radio?.connection]) {
      connection?.name(device.hostname);
      connection?.address(network);
    }
  }

  private reconfigure(): void {
    const before = this.#applied;
    const after = this.#settings.network;
    this.#applied = after;
    const moved = before.ssid !== after.ssid || before.password !== after.password;
    const readdressed =
      before.addressing !== after.addressing ||
      before.address !== after.address ||
      before.mask !== after.mask ||
      before.gateway !== after.gateway;
    // The access point's password has no consequence: this was called while it is being opened.
    if (!moved && !readdressed) return;
    this.#station?.restart(Time.ticks);
    this.configure();
    if (moved) this.#opening.restart();
    this.step();
  }

  private tell(): void {
    const { hostname } = this.#settings.device;
    const state = `${this.mode} ${this.ip} ${this.#accessPoint} ${hostname}`;
    if (state === this.#state) return;
    this.#state = state;
    this.#observers.tell("networkChanged", undefined);
  }
}

/** The radio, for the Wi-Fi that the settings name. */
class ChosenRadio {
  readonly #radio: Radio;
  readonly #settings: Pick<Settings, "network">;

  constructor(radio: Radio, settings: Pick<Settings, "network">) {
    this.#radio = radio;
    this.#settings = settings;
  }

  get link(): Radio["link"] {
    return this.#radio.link;
  }

  get rejected(): boolean {
    return this.#radio.rejected;
  }

  get scanning(): boolean {
    return this.#radio.scanner.scanning;
  }

  get seen(): boolean {
    return this.#radio.scanner.seen;
  }

  join(): boolean {
    const { ssid, password } = this.#settings.network;
    return this.#radio.join(ssid, password);
  }

  leave(): void {
    this.#radio.leave();
  }

  look(): boolean {
    return this.#radio.scanner.start(Time.ticks, this.#settings.network.ssid);
  }
}
