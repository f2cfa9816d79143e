import type { Clock, ClockEvent } from "../clock";
import { BSSID, type Air, type AirNetwork } from "./air";
import type { StaticAddress } from "./ethernet";

/** ms; roughly as on the ESP32. */
const SCAN = 2_000;
const ASSOCIATE = 800;
const NOT_FOUND = 2_400;
const REJECTED = 3_000;
const DHCP = 500;

/** Modes of the SDK's `wifi` module. */
export const MODE = { off: -5, none: 0, station: 1, accessPoint: 2 } as const;

export interface AccessPoint {
  readonly ssid: string;
  readonly password: string;
}

type State = "idle" | "joining" | "linked" | "online";

/**
 * The Wi-Fi driver of a simulated board (esp_wifi), as seen by both SDK modules. It enforces the device's start-up
 * order: where the device would abort, it throws.
 */
export class RadioModel {
  /**
   * Which module started the driver. Whichever comes second takes over the running driver, but the `wifi` module
   * cannot.
   */
  started: "wifi" | "interface" | undefined;
  hostname = "";
  /** The only access point that is joined; empty: any. */
  bssid = "";
  staticAddress: StaticAddress | undefined;
  accessPoint: AccessPoint | undefined;
  /** The driver is stuck: an attempt to join leads nowhere, until Wi-Fi is stopped or only until the chip is reset. */
  stuck: "" | "until-stopped" | "until-reset" = "";
  /** Times at which Wi-Fi was stopped, virtual ms. */
  readonly stops: number[] = [];
  /** Times of join attempts, virtual ms. */
  readonly joins: number[] = [];
  /** Event for the ECMA-419 interface. */
  onChanged: ((property: "connection" | "address") => void) | undefined;
  /** Event for the `wifi` module; the code is -1 for a wrong password. */
  onDisconnect: ((code: number) => void) | undefined;
  readonly #clock: Clock;
  readonly #air: Air;
  readonly #dhcpAddress: () => string | undefined;
  #mode = 0;
  #state: State = "idle";
  #network: AirNetwork | undefined;
  #rejected = false;
  #planned: ClockEvent | undefined;
  #scan: ClockEvent | undefined;
  #endScan: (() => void) | undefined;

  constructor(clock: Clock, air: Air, dhcpAddress: () => string | undefined) {
    this.#clock = clock;
    this.#air = air;
    this.#dhcpAddress = dhcpAddress;
    air.onChanged = () => {
      if (this.#network && !air.find(this.#network.ssid, this.#network.bssid ?? BSSID)) this.#disconnected(0);
    };
  }

  get state(): State {
    return this.#state;
  }

  get network(): AirNetwork | undefined {
    return this.#state === "linked" || this.#state === "online" ? this.#network : undefined;
  }

  get address(): string | undefined {
    return this.#state === "online" ? (this.staticAddress?.address ?? this.#dhcpAddress()) : undefined;
  }

  get mode(): number {
    return this.#mode;
  }

  powerOff(): void {
    this.#clock.cancel(this.#planned);
    this.#clock.cancel(this.#scan);
    this.started = this.accessPoint = this.staticAddress = this.onChanged = this.onDisconnect = undefined;
    this.#scan = this.#endScan = undefined;
    this.stuck = this.bssid = "";
    this.#mode = 0;
    this.#state = "idle";
    this.#network = undefined;
    this.hostname = "";
  }

  setMode(mode: number): void {
    if (this.started === "interface")
      throw new Error("the device aborts: `wifi` after embedded:network/interface/wifi");
    if (mode === MODE.off && this.onChanged)
      throw new Error("the device crashes: `wifi` frees what embedded:network/interface/wifi goes on using");
    this.started = "wifi";
    if (this.#mode !== MODE.none && mode === MODE.none) this.#stop();
    this.#mode = mode;
    if (!(mode & MODE.accessPoint)) this.accessPoint = undefined;
  }

  /**
   * `wifi`'s mode 0, ESP-IDF's null mode: station and access point stop, the driver stays. A station whose driver has not reported its
   * disconnection is still up, and so loses its address (esp_netif_stop_api).
   */
  #stop(): void {
    this.stops.push(this.#clock.now);
    this.leave();
    this.#endScan?.();
    if (this.stuck) this.staticAddress = undefined;
    if (this.stuck === "until-stopped") this.stuck = "";
  }

  openAccessPoint({ ssid, password = "", station }: { ssid: string; password?: string; station?: boolean }): void {
    if (new TextEncoder().encode(ssid).length > 32) throw new Error("ssid too long - 32 bytes max");
    if (password.length < 8) throw new Error("password too short - 8 bytes min");
    if (password.length > 64) throw new Error("password too long - 64 bytes max");
    if (!(this.#mode & MODE.accessPoint)) this.setMode(MODE.accessPoint | (station ? MODE.station : 0));
    this.accessPoint = { ssid, password };
  }

  /** `wifi.disconnect()`: also clears the code of the last failure. */
  leave(): void {
    this.#rejected = false;
    this.disconnect();
  }

  disconnect(): void {
    this.#clock.cancel(this.#planned);
    this.#state = "idle";
    this.#network = undefined;
  }

  join(ssid: string, password: string): void {
    if (!(this.#mode & MODE.station)) throw new Error("connect failed");
    if (this.#state === "joining") throw new Error("already connecting");
    if (this.#scan) throw new Error("connect failed");
    this.joins.push(this.#clock.now);
    this.#state = "joining";
    this.#network = undefined;
    if (this.stuck) return;
    const network = this.#air.find(ssid, this.bssid);
    if (!network) this.#after(NOT_FOUND, () => this.#disconnected(0));
    else if ((network.password ?? "") !== password) this.#after(REJECTED, () => this.#disconnected(-1));
    else this.#after(ASSOCIATE, () => this.#associated(network));
  }

  setStatic(address: StaticAddress | undefined): void {
    this.staticAddress = address;
    if (this.#state === "linked" || this.#state === "online") this.#associated(this.#network as AirNetwork);
  }

  scan(found: (network: AirNetwork) => void, complete: () => void): void {
    if (this.#scan) throw new Error("already scanning");
    if (!(this.#mode & MODE.station) || this.#state === "joining") throw new Error("scan failed");
    this.#endScan = (): void => {
      this.#clock.cancel(this.#scan);
      this.#scan = this.#endScan = undefined;
      complete();
    };
    this.#scan = this.#clock.after(SCAN, () => {
      for (const network of this.#air.networks) found(network);
      this.#endScan?.();
    });
  }

  #associated(network: AirNetwork): void {
    this.#network = network;
    this.#state = "linked";
    this.onChanged?.("connection");
    const delay = this.staticAddress ? 0 : network.dhcpDelay === undefined ? DHCP : network.dhcpDelay;
    if (delay === null || (!this.staticAddress && this.#dhcpAddress() === undefined)) return;
    this.#after(delay, () => {
      this.#state = "online";
      this.onChanged?.("connection");
      this.onChanged?.("address");
    });
  }

  /** As `EthernetModel.leaseChanged`, in modules/io/wifi/esp32. */
  leaseChanged(): void {
    if (this.#state === "linked") this.#associated(this.#network as AirNetwork);
  }

  /** The `wifi` module keeps the code of a wrong password until its own disconnect. */
  #disconnected(code: number): void {
    this.disconnect();
    if (code) this.#rejected = true;
    this.onDisconnect?.(this.#rejected ? -1 : 0);
    this.onChanged?.("connection");
  }

  #after(delay: number, then: () => void): void {
    this.#clock.cancel(this.#planned);
    this.#planned = this.#clock.after(delay, then);
  }
}
