/** Of an access point that has no others. */
export const BSSID = "02:00:00:00:00:01";
export const RSSI = -60;

/** An access point that a simulated board can see. Several may have one name. */
export interface AirNetwork {
  readonly ssid: string;
  /** Empty: an open network. */
  readonly password?: string;
  /** Default BSSID. */
  readonly bssid?: string;
  /** dBm. Default RSSI. */
  readonly rssi?: number;
  readonly channel?: number;
  /** Time from joining to an address, ms. Default 500. `null`: no DHCP server answers. */
  readonly dhcpDelay?: number | null;
}

/** @param bssid of the only access point that will do; empty: any */
const isMeant =
  (ssid: string, bssid: string) =>
  (network: AirNetwork): boolean =>
    network.ssid === ssid && (!bssid || (network.bssid ?? BSSID) === bssid);

/** The access points in range of a simulated board. */
export class Air {
  #networks: readonly AirNetwork[] = [];
  /** Called when one appears or disappears. */
  onChanged: (() => void) | undefined;

  get networks(): readonly AirNetwork[] {
    return this.#networks;
  }

  /** Adds or changes one. */
  add(network: AirNetwork): void {
    this.#drop(network.ssid, network.bssid ?? BSSID);
    this.#networks = [...this.#networks, network];
    this.onChanged?.();
  }

  /** Removes one, or all of that name; joined stations lose the connection. */
  remove(ssid: string, bssid = ""): void {
    this.#drop(ssid, bssid);
    this.onChanged?.();
  }

  /** The strongest of that name; `bssid`: that one. */
  find(ssid: string, bssid = ""): AirNetwork | undefined {
    const strength = ({ rssi = RSSI }: AirNetwork): number => rssi;
    return this.#networks.filter(isMeant(ssid, bssid)).sort((one, other) => strength(other) - strength(one))[0];
  }

  #drop(ssid: string, bssid: string): void {
    const is = isMeant(ssid, bssid);
    this.#networks = this.#networks.filter((network) => !is(network));
  }
}
