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
    /** 200: no link, 300: connecting, 400: linked, 500: has IPv4 and IPv6 addresses. */
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

  /** The object also has `security` ("none", "wpa2_psk" …), missing from the type. */
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
    /** Throws while scanning or joining. */
    scan(options: WiFiScanOptions): void;
    /** Throws while joining. */
    connect(options: WiFiConnectOptions): void;
    disconnect(): void;
    configure(options: WiFiConfigureOptions): void;
    /** 200: idle, 300: joining, 400: joined, 500: has IPv4 and IPv6 addresses. */
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
  /** "disconnect" also passes a code, missing from the type: -1 for a wrong password. */
  export type WiFiCallback = (
    message: "connect" | "gotIP" | "lostIP" | "disconnect" | "station_connect" | "station_disconnect",
  ) => void;
  export type WiFiMode = -5 | 0 | 1 | 2 | 3;
  /** Also accepts `station`, missing from the type: true keeps the station active. */
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
