/** The current state of the device's network; strings are empty while unknown. */
export interface Network {
  /** AP: the access point is open and there is no other connection. STA: Ethernet or Wi-Fi, connected or still trying. */
  readonly mode: "AP" | "STA";
  readonly type: "Ethernet" | "Wi-Fi";
  /** MAC address of the board's first interface, whichever is in use: "24:6F:28:01:02:03". */
  readonly mac: string;
  readonly ip: string;
  readonly gateway: string;
  readonly subnetMask: string;
  readonly dns1: string;
  readonly dns2: string;
  /** The cable is plugged in. */
  readonly cable: boolean;
}

/** Why the last attempt to join the Wi-Fi failed; empty while it is joined or before the first attempt. */
export type JoinFailure = "" | "wrong-password" | "not-found" | "timeout" | "no-memory";

export interface ScannedNetwork {
  readonly ssid: string;
  /** dBm. */
  readonly rssi: number;
  /** Open network, no password. */
  readonly open: boolean;
}

export interface Scan {
  /** A scan is running or pending until the radio is free. */
  readonly scanning: boolean;
  /** Results of the last scan, strongest first, at most MAX_SCANNED. */
  readonly networks: readonly ScannedNetwork[];
}

/** The network as the web interface, the captive portal and others inside the firmware need it, beyond the API. */
export interface ManagedNetwork extends Network {
  /** Ethernet or Wi-Fi, with an address. */
  readonly online: boolean;
  readonly reason: JoinFailure;
  /** The joined Wi-Fi, or empty. */
  readonly ssid: string;
  /** dBm; undefined while no Wi-Fi is joined. */
  readonly rssi: number | undefined;
  /** SSID of the own access point while it is open, otherwise empty. */
  readonly accessPoint: string;
  /** IPv4 address of the own access point while it is open, otherwise empty. */
  readonly accessPointIp: string;
  scan(): Scan;
  /** Starts a scan, at once or as soon as the radio is free. The results expire. */
  startScan(): void;
  /** Whether this address belongs to a client of the own access point. Each call that finds one keeps the access point open. */
  onPortal(address: string): boolean;
  /** Throws a RangeError beyond MAX_OBSERVERS. */
  observe(observer: NetworkObserver): void;
}

export interface NetworkObserver {
  /** `online`, `ip`, `mode`, the access point or the hostname has changed. */
  networkChanged(): void;
}

/** Why there is no time from the time server. doubtful: it cannot be, or is far from the clock's and nothing has confirmed it yet. */
export type TimeProblem = "unknown-host" | "no-answer" | "refused" | "doubtful";
