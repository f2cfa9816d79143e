/** A Wi-Fi network that a simulated board can see. */
export interface AirNetwork {
  readonly ssid: string;
  /** Empty: an open network. */
  readonly password?: string;
  /** dBm. Default -60. */
  readonly rssi?: number;
  readonly channel?: number;
  /** ms from joining to an address. Default 500. `null`: no DHCP server answers. */
  readonly dhcpDelay?: number | null;
}

/** The Wi-Fi networks in the air around a simulated board. */
export class Air {
  readonly #networks = new Map<string, AirNetwork>();
  /** Told when a network goes, or comes. */
  onChanged: (() => void) | undefined;

  /** Puts a network into the air, or changes one. */
  add(network: AirNetwork): void {
    this.#networks.set(network.ssid, network);
    this.onChanged?.();
  }

  /** The network goes: whoever was joined to it loses it. */
  remove(ssid: string): void {
    this.#networks.delete(ssid);
    this.onChanged?.();
  }

  find(ssid: string): AirNetwork | undefined {
    return this.#networks.get(ssid);
  }

  get networks(): readonly AirNetwork[] {
    return [...this.#networks.values()];
  }
}
