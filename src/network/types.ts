/** What the device's network link is at the moment; texts are empty while unknown. */
export interface Network {
  /** Access point for the first start, or station (also: cable). */
  readonly mode: "AP" | "STA";
  readonly type: "Ethernet" | "Wi-Fi";
  readonly mac: string;
  readonly ip: string;
  readonly gateway: string;
  readonly subnetMask: string;
  readonly dns1: string;
  readonly dns2: string;
  /** The cable is plugged in. */
  readonly cable: boolean;
}
