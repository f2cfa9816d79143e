export const BSSID = "02:00:00:00:00:01";

/** A Wi-Fi network that a simulated board can see. */
export interface AirNetwork {
  readonly ssid: string;
  /** Empty: an open network. */
  readonly password?: string;
  /** Of its access point; default BSSID. */
  readonly bssid?: string;
  /** dBm. Default -60. */
  readonly rssi?: number;
  readonly channel?: number;
  /** Time from joining to an address, ms. Default 500. `null`: no DHCP server answers. */
  readonly dhcpDelay?: number | null;
}

/** The Wi-Fi networks in range of a simulated board. */
export class Air {
  readonly #networks = new Map<string, AirNetwork>();
  /** Called when a network appears or disappears. */
  onChanged: (() => void) | undefined;

  /** Adds or changes a network. */
  add(network: AirNetwork): void {
    this.#networks.set(network.ssid, network);
    this.onChanged?.();
  }

  /** Removes a network; joined stations lose the connection. */
  remove(ssid: string): void {
    this.#networks.delete(ssid);
    this.onChanged?.();
  }

  /** @param bssid of the only access point that will do; empty: any */
  find(ssid: string, bssid = ""): AirNetwork | undefined {
    const found = this.#networks.get(ssid);
    return !bssid || (found?.bssid ?? BSSID) === bssid ? found : undefined;
  }

  get networks(): readonly AirNetwork[] {
    return [...this.#networks.values()];
  }
}
