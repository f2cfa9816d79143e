import { setNameServer } from "name-server";
import Net from "net";
import Time from "time";
import Timer from "timer";
import { Observers } from "../runtime/observers";
import { repeat, type Timed } from "../runtime/timers";
import type { GroupName, NetworkSettings, Settings, SettingsObserver } from "../settings/types";
import { isStatic, sameNetwork } from "./addressing";
import type { Connection, LinkObserver } from "./connection";
import {
  FRESH,
  LINK_GRACE,
  RETRY_INTERVAL,
  STEP_INTERVAL,
  WIFI_NEED,
  WIFI_RESTART_INTERVAL,
  WIFI_STARTS,
} from "./limits";
import { hasMemory } from "./memory";
import { Opening } from "./wifi/opening";
import type { Radio } from "./wifi/radio";
import { LINK } from "./wifi/station";
import type { JoinFailure, ManagedNetwork, Network, NetworkObserver, Scan } from "./types";
import type { Wired } from "./ethernet/wired";
import { Wireless } from "./wifi/wireless";

/** What boards/esp32/net.js has beyond the SDK's types; undefined: not known, or a platform without it. */
interface Leased {
  get(what: "NTP" | "MASK"): string | undefined;
}

/** What a remedy for Wi-Fi that does not join asks of the device. */
export interface NetworkDevice {
  /** Somebody is signed in, or a write or an update is under way. */
  readonly isInUse: boolean;
  readonly relay: { readonly value: 0 | 1 };
  /** Seconds since start. */
  uptime(): number;
  restartFor(cause: "no-wifi"): void;
}

export interface NetworkOptions {
  readonly settings: Pick<Settings, "network" | "device" | "update" | "observe" | "isUnreadable">;
  /** The board's Ethernet, if it has one. */
  readonly wired?: Wired | undefined;
  /** The board's Wi-Fi, if already started: without Ethernet it is used from the start. */
  readonly radio?: Radio | undefined;
  /** Learns why Wi-Fi could not be started or does not join, and that it works after all. */
  readonly parts?: { failed(part: "Wi-Fi", error: unknown): void; works(part: "Wi-Fi"): void };
  /** Without it Wi-Fi that does not join is only started anew. */
  readonly device?: NetworkDevice;
  /** The access point's initial password, chosen at build time. */
  readonly accessPointPassword?: string | undefined;
}

/** ESP-IDF gives the access point this address and a /24. */
const ACCESS_POINT_IP = "192.168.4.1";
const ACCESS_POINT_MASK = "255.255.255.0";

const NOTHING_SCANNED: Scan = Object.freeze({ scanning: false, networks: [] }, true);
const NONE: readonly string[] = Object.freeze([], true);
/** Reported of Wi-Fi that does not join. */
const STUCK = "does not join; stopped and started";

/**
 * The device's network: Ethernet first, then the Wi-Fi from the settings, or an access point if there is neither. On a board with Ethernet,
 * Wi-Fi is started only when needed.
 */
export class BoardNetwork implements ManagedNetwork, LinkObserver, SettingsObserver, Timed {
  private readonly settings: NetworkOptions["settings"];
  private readonly wired: Wired | undefined;
  private _wireless: Wireless | undefined;
  /** Ticks at which Wi-Fi could not be started, for lack of memory. */
  private shortAt: number | undefined;
  private renewalWanted = false;
  private readonly opening: Opening;
  private readonly observers = new Observers<NetworkObserver>();
  private timer: Timer | undefined;
  /** Ticks at which the grace period for detecting a cable began; undefined once it is over. */
  private graceFrom: number | undefined;
  private readonly accessPointPassword: string | undefined;
  private readonly parts: NetworkOptions["parts"];
  private readonly device: NetworkOptions["device"];
  private applied: NetworkSettings;
  private state = "";
  private dns = NONE;
  private dnsAt: number | undefined;

  constructor({ settings, wired, radio, parts, device, accessPointPassword }: NetworkOptions) {
    const now = Time.ticks;
    this.settings = settings;
    this.wired = wired;
    this.parts = parts;
    this.device = device;
    this.accessPointPassword = accessPointPassword;
    this.opening = new Opening(now);
    this.applied = settings.network;
    if (wired) {
      this.graceFrom = now;
      wired.watch(this);
    } else if (radio) this.startWireless(radio);
    else this.shortAt = now;
    settings.observe(this);
  }

  get part(): string {
    return "network";
  }

  /** Starts what it has, and then looks after it once a second. Throws without memory for the timer; call it again. */
  start(): void {
    if (this.timer) return;
    this.timer = repeat(this, STEP_INTERVAL);
    this.tick();
  }

  get mode(): Network["mode"] {
    return this.accessPoint && !this.online ? "AP" : "STA";
  }

  get type(): Network["type"] {
    if (this.cable || !this._wireless) return "Ethernet";
    return this.wired && !this.accessPoint && this._wireless.station.state === "off" ? "Ethernet" : "Wi-Fi";
  }

  get mac(): string {
    return (this.wired ?? this._wireless?.radio)?.mac ?? "";
  }

  get ip(): string {
    return this.inUse?.ip ?? this.accessPointIp;
  }

  get gateway(): string {
    if (this.mode === "AP") return this.accessPointIp;
    return this.static?.gateway ?? "";
  }

  get subnetMask(): string {
    if (this.mode === "AP") return ACCESS_POINT_MASK;
    const { mask } = this.static ?? {};
    return mask ?? ((this.online && (Net as unknown as Leased).get("MASK")) || "");
  }

  get dns1(): string {
    return this.static?.dns1 || (this.nameServers[0] ?? "");
  }

  get dns2(): string {
    return this.static?.dns2 || (this.nameServers[1] ?? "");
  }

  /** From DHCP; empty: none. */
  get timeServer(): string {
    return (Net as unknown as Leased).get("NTP") ?? "";
  }

  get cable(): boolean {
    return this.wired !== undefined && this.wired.link !== LINK.down;
  }

  get online(): boolean {
    return this.inUse !== undefined;
  }

  get reason(): JoinFailure {
    if (this.shortAt !== undefined && !this.online) return "no-memory";
    return this._wireless?.station.reason ?? "";
  }

  get ssid(): string {
    return this.joined?.ssid ?? "";
  }

  get rssi(): number | undefined {
    return this.joined?.rssi;
  }

  get accessPoint(): string {
    return this._wireless?.accessPoint ?? "";
  }

  get accessPointIp(): string {
    return this.accessPoint ? Net.get("IP", "ap") || ACCESS_POINT_IP : "";
  }

  scan(): Scan {
    return this._wireless?.scan() ?? NOTHING_SCANNED;
  }

  startScan(): void {
    this.wireless()?.startScan();
    this.tick();
  }

  onPortal(address: string): boolean {
    const own = this.accessPointIp;
    if (!own || !sameNetwork(address, own)) return false;
    const { ip } = this;
    if (ip !== own && sameNetwork(address, ip)) return false;
    if (ip === own && this.online) return false;
    this.opening.used(Time.ticks);
    return true;
  }

  /** Opens the access point with a new password. */
  renewAccessPoint(): void {
    const wireless = this.wireless();
    wireless?.renew();
    this.renewalWanted = !wireless;
    this.opening.force(Time.ticks);
    this.tick();
  }

  observe(observer: NetworkObserver): void {
    this.observers.add(observer);
  }

  settingsChanged(group: GroupName): void {
    if (group === "network") this.reconfigure();
    else if (group === "device") {
      this.configureAll();
      this.report();
    }
  }

  linkChanged(): void {
    this.tick();
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = undefined;
  }

  /** Updates everything: once a second, and on every change. */
  tick(): void {
    const now = Time.ticks;
    if (this.wired?.step(now, this.settings.device.hostname)) this.configure(this.wired);
    const { cable } = this;
    if (cable || (this.graceFrom !== undefined && ((now - this.graceFrom) | 0) >= LINK_GRACE))
      this.graceFrom = undefined;
    const noCable = this.graceFrom === undefined && !cable;
    const chosen = this.settings.network.ssid !== "";
    const wanted = chosen && noCable;
    this.stepWireless(now, wanted);
    this.opening.step(now, { online: this.online, noCable, chosen, failed: this.reason !== "" });
    const { open } = this.opening;
    (open ? this.wireless() : this._wireless)?.follow(now, open, this.mac);
    this.setNameServers();
    this.report();
  }

  private stepWireless(now: number, wanted: boolean): void {
    const wireless = wanted ? this.wireless() : this._wireless;
    if (!wireless) return;
    if (wireless.step(now, wanted)) this.configure(wireless.radio);
    if (wireless.isStuck) this.recover(wireless, now);
    else if (wireless.station.online) this.parts?.works("Wi-Fi");
  }

  /** Wi-Fi does not join although the network is there. */
  private recover(wireless: Wireless, now: number): void {
    const { device } = this;
    if (device?.isInUse) return;
    this.parts?.failed("Wi-Fi", STUCK);
    const isDeviceNext = wireless.recovery.starts >= WIFI_STARTS;
    if (isDeviceNext && device && !device.relay.value && device.uptime() >= WIFI_RESTART_INTERVAL)
      device.restartFor("no-wifi");
    // Always: the platform may take its time for a restart.
    wireless.startAnew(now);
  }

  /** The connection in use: Ethernet, then Wi-Fi. */
  private get inUse(): Connection | undefined {
    if (this.wired?.link === LINK.online) return this.wired;
    const { joined } = this;
    return joined?.link === LINK.online ? joined : undefined;
  }

  private get joined(): Radio | undefined {
    return this._wireless?.station.online ? this._wireless.radio : undefined;
  }

  /** The settings, if the address in use is static. */
  private get static(): NetworkSettings | undefined {
    const { network } = this.settings;
    return this.online && isStatic(network) ? network : undefined;
  }

  /** The name servers the platform uses. */
  private get nameServers(): readonly string[] {
    if (!this.online) return NONE;
    const now = Time.ticks;
    // Unsigned: the last read may be more than half the range of the ticks ago.
    if (this.dnsAt === undefined || (now - this.dnsAt) >>> 0 >= FRESH) {
      this.dnsAt = now;
      // Undefined on a platform without this value.
      this.dns = Net.get("DNS") ?? NONE;
    }
    return this.dns;
  }

  /** With a static address the platform has no name servers until they are set, and loses them at every change of address. */
  private setNameServers(): void {
    const { static: fixed } = this;
    if (!fixed) return;
    const { dns1, dns2 } = fixed;
    this.setServer(0, dns1 || dns2);
    if (dns1) this.setServer(1, dns2);
  }

  private setServer(index: 0 | 1, address: string): void {
    if (!address || this.nameServers[index] === address) return;
    setNameServer(this.inUse === this.wired ? "ethernet" : "station", index, address);
    this.dnsAt = undefined;
  }

  /** The Wi-Fi, started on first use; undefined while it cannot be started. */
  private wireless(): Wireless | undefined {
    if (this._wireless) return this._wireless;
    const now = Time.ticks;
    // Unsigned: with a cable the last look may be more than half the range of the ticks ago.
    if (this.shortAt !== undefined && (now - this.shortAt) >>> 0 < RETRY_INTERVAL) return undefined;
    this.shortAt = now;
    if (!hasMemory("Wi-Fi", WIFI_NEED)) return undefined;
    try {
      const wireless = this.startWireless();
      this.shortAt = undefined;
      this.parts?.works("Wi-Fi");
      return wireless;
    } catch (error) {
      this.parts?.failed("Wi-Fi", error);
      return undefined;
    }
  }

  private startWireless(radio?: Radio): Wireless {
    const wireless = new Wireless(this.settings, radio, this.accessPointPassword);
    this._wireless = wireless;
    wireless.radio.watch(this);
    this.configure(wireless.radio);
    if (this.renewalWanted) wireless.renew();
    this.renewalWanted = false;
    return wireless;
  }

  private configure(connection: Connection): void {
    const { network, device } = this.settings;
    connection.name(device.hostname);
    connection.address(network);
    this.dnsAt = undefined;
  }

  private configureAll(): void {
    if (this.wired) this.configure(this.wired);
    if (this._wireless) this.configure(this._wireless.radio);
  }

  private reconfigure(): void {
    const before = this.applied;
    const after = this.settings.network;
    this.applied = after;
    const moved = before.ssid !== after.ssid || before.password !== after.password || before.bssid !== after.bssid;
    const readdressed =
      before.addressing !== after.addressing ||
      before.address !== after.address ||
      before.mask !== after.mask ||
      before.gateway !== after.gateway;
    // A change of only the access point's password has no effect here: it is made while the access point is being opened.
    if (!moved && !readdressed) return;
    this._wireless?.restart(Time.ticks);
    this.configureAll();
    if (moved) this.opening.restart();
    this.tick();
  }

  private report(): void {
    const { hostname } = this.settings.device;
    const state = `${this.mode} ${this.ip} ${this.accessPoint} ${hostname}`;
    if (state === this.state) return;
    this.state = state;
    this.observers.report("networkChanged", undefined);
  }
}
