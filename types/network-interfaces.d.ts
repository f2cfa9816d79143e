/** The network interfaces of Moddable SDK 8.2, with the names and types of its own typings (npm's 5.6 lacks or predates them). */

declare module "embedded:network/interface/ethernet" {
  export interface EthernetConstructorOptions {
    onChanged?: (property: "connection" | "address") => void;
  }

  export interface EthernetConfigureOptions {
    hostname?: string;
    static?: { address: string; mask: string; gateway: string } | false;
  }

  export default class Ethernet {
    constructor(options: EthernetConstructorOptions);
    close(): void;
    configure(options: EthernetConfigureOptions): void;
    /** 200 no link, 300 connecting, 400 linked, 500 with IPv4 and IPv6 addresses. */
    readonly connection: number;
    readonly address: string | undefined;
    /** Lower case with colons. */
    readonly MAC: string | undefined;
  }
}

declare module "embedded:network/interface/wifi" {
  export interface WiFiConstructorOptions {
    onChanged?: (property: "connection" | "address") => void;
  }

  export interface WiFiConfigureOptions {
    hostname?: string;
    static?: { address: string; mask: string; gateway: string } | false;
  }

  /** The object has `security` as well ("none", "wpa2_psk" …); its type has not. */
  export interface WiFiScanResult {
    SSID: string;
    channel: number;
    RSSI: number;
    BSSID?: string;
  }

  export interface WiFiScanOptions {
    onFound?: (result: WiFiScanResult) => void;
    onComplete?: () => void;
  }

  export interface WiFiConnectOptions {
    SSID: string;
    password?: string;
  }

  export default class WiFi {
    constructor(options: WiFiConstructorOptions);
    close(): void;
    /** Throws while another scan or a try to join is under way. */
    scan(options: WiFiScanOptions): void;
    /** Throws while a try to join is under way. */
    connect(options: WiFiConnectOptions): void;
    disconnect(): void;
    configure(options: WiFiConfigureOptions): void;
    /** 200 idle, 300 joining, 400 joined, 500 with IPv4 and IPv6 addresses. */
    readonly connection: number;
    readonly address: string | undefined;
    /** Lower case with colons. */
    readonly MAC: string | undefined;
    readonly SSID: string | undefined;
    readonly RSSI: number | undefined;
  }
}

declare module "wifi" {
  export type WiFiOptions = { bssid?: ArrayBuffer; ssid: string; password?: string };
  /** With "disconnect" comes a code as well, -1 when the password is to blame; its type knows none. */
  export type WiFiCallback = (
    message: "connect" | "gotIP" | "lostIP" | "disconnect" | "station_connect" | "station_disconnect",
  ) => void;
  export type WiFiMode = -5 | 0 | 1 | 2 | 3;
  /** There is `station` as well, true to be a station beside it; its type has not. */
  export type AccessPointOptions = {
    ssid: string;
    password?: string;
    channel?: number;
    hidden?: boolean;
    interval?: number;
    max?: number;
  };

  export default class WiFi {
    constructor(options?: WiFiOptions, callback?: WiFiCallback);
    close(): void;
    static mode: WiFiMode;
    static connect(options?: WiFiOptions): void;
    static disconnect(): void;
    static accessPoint(options: AccessPointOptions): void;
  }
}
