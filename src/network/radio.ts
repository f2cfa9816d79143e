import type Station from "embedded:network/interface/wifi";
import type WiFi from "wifi";
import { Connection } from "./connection";
import { Scanner } from "./scanner";
import type { Link } from "./station";

/** Modes of the SDK's `wifi` module. */
const STATION = 1;
/** Its code of a disconnection that the password is to blame for. */
const PASSWORD_REJECTED = -1;

export interface RadioOptions {
  /** The SDK's `wifi` module: the access point, and why joining failed. */
  readonly wifi: typeof WiFi;
  /** ECMA-419's Wi-Fi interface: joining, scanning, address and hostname. */
  readonly station: typeof Station;
}

/**
 * The platform's Wi-Fi, station and access point. The SDK has two modules for it that share the driver; docs/network.md says why both are
 * needed and why in this order: `wifi` starts the driver, as a station, and never takes the station out of its mode again.
 */
export class Radio {
  /** Called when the link, the address or the scan has changed. */
  changed: () => void = () => undefined;
  readonly connection: Connection;
  readonly scanner: Scanner;
  readonly #wifi: typeof WiFi;
  readonly #station: Station;
  #rejected = false;

  constructor({ wifi, station }: RadioOptions) {
    this.#wifi = wifi;
    wifi.mode = STATION;
    // The code is no part of the SDK's type.
    const notice = (message: string, code?: number): void => {
      if (message === "disconnect" && code === PASSWORD_REJECTED) this.#rejected = true;
    };
    new wifi(undefined, notice);
    this.#station = new station({ onChanged: () => this.changed() });
    this.connection = new Connection(this.#station);
    this.scanner = new Scanner(this.#station);
    this.scanner.done = () => this.changed();
  }

  get link(): Link {
    return this.connection.link;
  }

  /** The last try ended because the password is wrong, as far as the SDK can tell. */
  get rejected(): boolean {
    return this.#rejected;
  }

  get ssid(): string {
    return this.#station.SSID ?? "";
  }

  /** dBm. */
  get rssi(): number | undefined {
    return this.#station.RSSI;
  }

  join(ssid: string, password: string): boolean {
    this.#rejected = false;
    try {
      this.#station.connect(password ? { SSID: ssid, password } : { SSID: ssid });
      return true;
    } catch {
      return false;
    }
  }

  /** The `wifi` module keeps the code of a wrong password until its own disconnect; the station's clears the state of the interface. */
  leave(): void {
    try {
      this.#wifi.disconnect();
      this.#station.disconnect();
    } catch (error) {
      trace(`network: Wi-Fi cannot be left: ${String(error)}\n`);
    }
  }

  /** WPA2. False: the platform refused. */
  open(ssid: string, password: string): boolean {
    // `station` is no part of the SDK's type: without it the mode would lose the station.
    const options = { ssid, password, station: true };
    try {
      this.#wifi.accessPoint(options);
      return true;
    } catch (error) {
      trace(`network: the access point cannot be opened: ${String(error)}\n`);
      return false;
    }
  }

  close(): void {
    this.#wifi.mode = STATION;
  }
}
