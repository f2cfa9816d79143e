import type Ambient from "embedded:network/interface/wifi";
import type {
  WiFiConfigureOptions,
  WiFiConnectOptions,
  WiFiConstructorOptions,
  WiFiScanOptions,
  WiFiScanResult,
} from "embedded:network/interface/wifi";
import { EVENT } from "../protocol";
import { invoke, Port } from "./link";

interface Facts {
  readonly connection: number;
  readonly address: string | undefined;
  readonly MAC: string | undefined;
  readonly SSID: string | undefined;
  readonly RSSI: number | undefined;
}

// As on the device, the options of a scan are kept until the next one.
function onFound(this: WiFi, scan: WiFiScanOptions): void {
  scan.onFound?.call(this, invoke(this.id, "found") as WiFiScanResult);
}

function onComplete(this: WiFi, scan: WiFiScanOptions): void {
  scan.onComplete?.call(this);
}

export default class WiFi extends Port implements Ambient {
  #scan: WiFiScanOptions | undefined;

  constructor({ onChanged }: WiFiConstructorOptions) {
    super("wifi-station", { onChanged, onFound, onComplete });
  }

  override deliver(event: number, what: number): void {
    super.deliver(event, event === EVENT.onChanged ? (what ? "address" : "connection") : this.#scan);
  }

  get connection(): number {
    return this.#facts.connection;
  }

  get address(): string | undefined {
    return this.#facts.address;
  }

  get MAC(): string | undefined {
    return this.#facts.MAC;
  }

  get SSID(): string | undefined {
    return this.#facts.SSID;
  }

  get RSSI(): number | undefined {
    return this.#facts.RSSI;
  }

  scan(options: WiFiScanOptions): void {
    invoke(this.id, "scan");
    this.#scan = options;
  }

  connect(options: WiFiConnectOptions): void {
    invoke(this.id, "connect", options);
  }

  disconnect(): void {
    invoke(this.id, "disconnect");
  }

  configure(options: WiFiConfigureOptions): void {
    invoke(this.id, "configure", options);
  }

  get #facts(): Facts {
    return invoke(this.id, "facts") as Facts;
  }
}
