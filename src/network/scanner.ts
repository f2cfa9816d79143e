import type WiFi from "embedded:network/interface/wifi";
import type { WiFiScanResult } from "embedded:network/interface/wifi";
import { MAX_SCANNED, SCAN_KEPT, SCAN_TIMEOUT } from "./limits";
import type { ScannedNetwork } from "./types";

/** `security` of the SDK is no part of its types. */
type Found = WiFiScanResult & { readonly security?: string };

/** Scans for Wi-Fi, one scan at a time, and keeps the strongest networks. Times are ticks (ms, wrapping). */
export class Scanner {
  /** Called when a scan has ended. */
  done: () => void = () => undefined;
  readonly #interface: WiFi;
  #networks: ScannedNetwork[] = [];
  #scanning = false;
  /** Of the network that `start` was given the name of. */
  #seen = false;
  #startedAt = 0;
  #askedAt = 0;

  constructor(networkInterface: WiFi) {
    this.#interface = networkInterface;
  }

  get scanning(): boolean {
    return this.#scanning;
  }

  get seen(): boolean {
    return this.#seen;
  }

  /** False: it could not be started. The radio must not be joining. */
  start(now: number, ssid: string): boolean {
    if (this.#scanning) return true;
    const networks: ScannedNetwork[] = [];
    this.#seen = false;
    this.#startedAt = this.#askedAt = now;
    try {
      this.#interface.scan({
        onFound: (found) => {
          if (found.SSID === ssid) this.#seen = true;
          insert(networks, found);
        },
        onComplete: () => {
          this.#networks = networks;
          this.#scanning = false;
          this.done();
        },
      });
    } catch {
      return false;
    }
    this.#scanning = true;
    return true;
  }

  networks(now: number): readonly ScannedNetwork[] {
    this.#askedAt = now;
    return this.#networks;
  }

  /** To be called at least once a second. */
  step(now: number): void {
    if (this.#scanning && ((now - this.#startedAt) | 0) >= SCAN_TIMEOUT) this.#scanning = false;
    if (this.#scanning) this.#askedAt = now;
    else if (this.#networks.length && ((now - this.#askedAt) | 0) >= SCAN_KEPT) this.#networks = [];
  }
}

/** Keeps `networks` sorted, short, and each name once. Several access points may have the same name; hidden ones have none. */
function insert(networks: ScannedNetwork[], { SSID: ssid, RSSI: rssi, security }: Found): void {
  if (!ssid) return;
  const same = networks.findIndex((network) => network.ssid === ssid);
  if (same >= 0) {
    if ((networks[same] as ScannedNetwork).rssi >= rssi) return;
    networks.splice(same, 1);
  }
  let at = networks.length;
  while (at > 0 && (networks[at - 1] as ScannedNetwork).rssi < rssi) at--;
  networks.splice(at, 0, { ssid, rssi, open: security === "none" });
  if (networks.length > MAX_SCANNED) networks.pop();
}
