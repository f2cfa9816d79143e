import type { WiFiScanResult } from "embedded:network/interface/wifi";
import { MAX_SCANNED, SCAN_KEPT, SCAN_TIMEOUT } from "../limits";
import type { ScannedNetwork } from "../types";

/** `security` of the SDK is no part of its types. */
type Found = WiFiScanResult & { readonly security?: string };

/** A scan for Wi-Fi, and the strongest networks of the last one that ended. Times are ticks (ms, wrapping). */
export class Scanner {
  private _networks: ScannedNetwork[] = [];
  /** Of the scan under way. */
  private _found: ScannedNetwork[] | undefined;
  private ssid = "";
  private _seen = false;
  private startedAt = 0;
  private askedAt = 0;

  get scanning(): boolean {
    return this._found !== undefined;
  }

  /** The network that `start` was given the name of is there. */
  get seen(): boolean {
    return this._seen;
  }

  start(now: number, ssid: string): void {
    this._found = [];
    this.ssid = ssid;
    this._seen = false;
    this.startedAt = this.askedAt = now;
  }

  found(network: Found): void {
    // One that was given up may still tell.
    if (!this._found) return;
    if (network.SSID === this.ssid) this._seen = true;
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

  /** Whether nothing is under way, and nothing is kept any more. To be asked at least once a second. */
  over(now: number): boolean {
    if (this._found && ((now - this.startedAt) | 0) >= SCAN_TIMEOUT) this._found = undefined;
    if (this._found) this.askedAt = now;
    return !this._found && (!this._networks.length || ((now - this.askedAt) | 0) >= SCAN_KEPT);
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
