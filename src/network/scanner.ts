import type { WiFiScanResult } from "embedded:network/interface/wifi";
import { MAX_SCANNED, SCAN_KEPT, SCAN_TIMEOUT } from "./limits";
import type { ScannedNetwork } from "./types";

/** `security` of the SDK is no part of its types. */
type Found = WiFiScanResult & { readonly security?: string };

/** A scan for Wi-Fi, and the strongest networks of the last one that ended. Times are ticks (ms, wrapping). */
export class Scanner {
  #networks: ScannedNetwork[] = [];
  /** Of the scan under way. */
  #found: ScannedNetwork[] | undefined;
  #ssid = "";
  #seen = false;
  #startedAt = 0;
  #askedAt = 0;

  get scanning(): boolean {
    return this.#found !== undefined;
  }

  /** The network that `start` was given the name of is there. */
  get seen(): boolean {
    return this.#seen;
  }

  start(now: number, ssid: string): void {
    this.#found = [];
    this.#ssid = ssid;
    this.#seen = false;
    this.#startedAt = this.#askedAt = now;
  }

  found(network: Found): void {
    // One that was given up may still tell.
    if (!this.#found) return;
    if (network.SSID === this.#ssid) this.#seen = true;
    insert(this.#found, network);
  }

  complete(): void {
    this.#networks = this.#found ?? this.#networks;
    this.#found = undefined;
  }

  networks(now: number): readonly ScannedNetwork[] {
    this.#askedAt = now;
    return this.#networks;
  }

  /** Whether nothing is under way, and nothing is kept any more. To be asked at least once a second. */
  over(now: number): boolean {
    if (this.#found && ((now - this.#startedAt) | 0) >= SCAN_TIMEOUT) this.#found = undefined;
    if (this.#found) this.#askedAt = now;
    return !this.#found && (!this.#networks.length || ((now - this.#askedAt) | 0) >= SCAN_KEPT);
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
