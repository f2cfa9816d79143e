/** What the device's network link is at the moment; texts are empty while unknown. */
export interface Network {
  /** AP: the access point is open and nothing else connects the device. STA: cable or Wi-Fi, connected or still trying. */
  readonly mode: "AP" | "STA";
  readonly type: "Ethernet" | "Wi-Fi";
  /** Of the board's first interface, whichever is in use: "24:6F:28:01:02:03". */
  readonly mac: string;
  readonly ip: string;
  readonly gateway: string;
  readonly subnetMask: string;
  readonly dns1: string;
  readonly dns2: string;
  /** The cable is plugged in. */
  readonly cable: boolean;
}

/** Why the Wi-Fi could not be joined the last time: empty while it is joined, or has not been tried. */
export type JoinFailure = "" | "wrong-password" | "not-found" | "timeout";

export interface ScannedNetwork {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  /** Needs no password. */
  readonly open: boolean;
}

export interface Scan {
  /** One is under way, or will be as soon as the radio is free. */
  readonly scanning: boolean;
  /** What the last one found, the strongest first, at most MAX_SCANNED. */
  readonly networks: readonly ScannedNetwork[];
}

/** What the web interface, the captive portal and whoever needs the network know beyond the API. */
export interface ManagedNetwork extends Network {
  /** Cable or Wi-Fi, with an address. */
  readonly online: boolean;
  readonly reason: JoinFailure;
  /** The Wi-Fi that is joined, or empty. */
  readonly ssid: string;
  /** dBm; undefined while no Wi-Fi is joined. */
  readonly rssi: number | undefined;
  /** The name of the own access point while it is open, else empty. */
  readonly accessPoint: string;
  /** IPv4 address of the own access point while it is open, else empty. */
  readonly accessPointIp: string;
  scan(): Scan;
  /** Starts a scan, now or as soon as the radio is free. What it finds is forgotten after a while. */
  startScan(): void;
  /** Whether whoever has this address came in over the own access point; it stays open while they do. */
  onPortal(address: string): boolean;
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: NetworkObserver): void;
}

export interface NetworkObserver {
  /** `online`, `ip`, `mode`, the access point or the hostname has changed. */
  networkChanged(): void;
}

/** Why the time server has not told the time. */
export type TimeProblem = "unknown-host" | "no-answer" | "refused";
