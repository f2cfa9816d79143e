import type { WiFiScanResult } from "embedded:network/interface/wifi";
import { MAX_SCANNED, SCAN_KEPT, SCAN_TIMEOUT } from "../limits";
import type { ScannedNetwork } from "../types";
import type { WiFiChoice } from "./station";

/** `security` is missing from the SDK's type. */
type Found = WiFiScanResult & { readonly security?: string };

type Sought = Pick<WiFiChoice, "ssid" | "bssid">;

/** A Wi-Fi scan, and the strongest networks of the last completed one. Times are ticks (ms, wrapping). */
export class Scanner {
  private _networks: ScannedNetwork[] = [];
  /** Results of the running scan. */
  private _found: ScannedNetwork[] | undefined;
  private choice: Sought | undefined;
  /** The scan has found the network, and the access point, that were passed to `start`. */
  seen = false;
  private startedAt = 0;
  private askedAt = 0;

  get scanning(): boolean {
    return this._found !== undefined;
  }

  start(now: number, choice: Sought): void {
    this._found = [];
    this.choice = choice;
    this.seen = false;
    this.startedAt = this.askedAt = now;
  }

  found(network: Found): void {
    // A scan that has timed out may still report networks.
    if (!this._found) return;
    const { ssid, bssid } = this.choice as Sought;
    if (network.SSID === ssid && (!bssid || network.BSSID === bssid)) this.seen = true;
    insert(this._found, network);
  }

  complete(): void {
    this._networks = this._found ?? this._networks;
    this._found = undefined;
  }

  networks(now: number): readonly ScannedNetwork[] {
    this.askedAt = now;
    return this._networks;
  }

  /** No scan is running and no results are kept. Call at least once a second. */
  over(now: number): boolean {
    if (this._found && ((now - this.startedAt) | 0) >= SCAN_TIMEOUT) this._found = undefined;
    if (this._found) this.askedAt = now;
    return !this._found && (!this._networks.length || ((now - this.askedAt) | 0) >= SCAN_KEPT);
  }
}

/** Inserts a network, sorted by strength, bounded and unique by name. Several access points may share a name; hidden ones have none. */
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
