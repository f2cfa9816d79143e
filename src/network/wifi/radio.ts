import { enter } from "door/enter";
import StationInterface from "embedded:network/interface/wifi";
import Net from "net";
import type { WiFiScanResult } from "embedded:network/interface/wifi";
import WiFi from "wifi";
import { Connection, type LinkObserver, onChanged } from "../connection";
import { Scanner } from "./scanner";
import type { StationRadio, WiFiChoice } from "./station";

/** Modes of the SDK's `wifi` module. */
const STOPPED = 0;
const STATION = 1;
/** Its code for a disconnection caused by the password. */
const PASSWORD_REJECTED = -1;

/** What boards/esp32/net.js has beyond the SDK's types. */
interface Chooser {
  /** The only access point to join from now on; empty: any. */
  choose(bssid: string): void;
}

// Callbacks that the platform calls with its own object as `this`: closures would be kept as long as each radio.
interface Owned {
  readonly target: Radio;
}

/** Callback of `wifi`. The code is missing from the SDK's type. */
function onNotify(this: unknown, message: string, code?: number): void {
  enter((this as Owned).target, "notified", message, code);
}

function onFound(this: unknown, found: WiFiScanResult): void {
  enter((this as Owned).target, "found", found);
}

function onComplete(this: unknown): void {
  enter((this as Owned).target, "completed");
}

/** Starts the driver the way `wifi` needs it, and only then creates the interface: docs/network.md explains why. */
function start(): StationInterface {
  WiFi.mode = STATION;
  return new StationInterface({ onChanged });
}

/**
 * The platform's Wi-Fi, station and access point. Two SDK modules share the driver; docs/network.md explains why both are needed, and in
 * this order: `wifi` starts the driver as a station and never removes the station from the mode.
 */
export class Radio extends Connection<StationInterface> implements LinkObserver, StationRadio {
  readonly part = "network";
  /** Defined while a scan is running or its results are kept. */
  scanner: Scanner | undefined;
  private observer: LinkObserver | undefined;
  /** The last attempt failed because of a wrong password, as far as the SDK can tell. */
  rejected = false;

  constructor() {
    super(start());
    super.watch(this);
    Object.assign(new WiFi(undefined, onNotify as () => void), { target: this });
  }

  /** Undefined: it cannot be started now, and the network tries again. */
  static open(parts: { failed(part: "Wi-Fi", error: unknown): void }): Radio | undefined {
    try {
      return new Radio();
    } catch (error) {
      parts.failed("Wi-Fi", error);
      return undefined;
    }
  }

  override watch(observer: LinkObserver): void {
    this.observer = observer;
  }

  linkChanged(): void {
    this.observer?.linkChanged();
  }

  /** Platform callback: perhaps the password was wrong. */
  notified(message: string, code?: number): void {
    if (message === "disconnect" && code === PASSWORD_REJECTED) this.rejected = true;
  }

  /** Platform callback: the scan has found a network. */
  found(found: WiFiScanResult): void {
    this.scanner?.found(found);
  }

  /** Platform callback: the scan is over. */
  completed(): void {
    this.scanner?.complete();
    this.linkChanged();
  }

  get ssid(): string {
    return this.io.SSID ?? "";
  }

  /** dBm. */
  get rssi(): number | undefined {
    return this.io.RSSI;
  }

  get scanning(): boolean {
    return this.scanner?.scanning === true;
  }

  get seen(): boolean {
    return this.scanner?.seen === true;
  }

  join({ ssid, password, bssid }: WiFiChoice): boolean {
    this.rejected = false;
    try {
      (Net as unknown as Chooser).choose(bssid);
      this.io.connect(password ? { SSID: ssid, password } : { SSID: ssid });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The `wifi` module keeps the wrong-password code until its own disconnect; the station's disconnect clears the state of the interface.
   */
  leave(): void {
    try {
      WiFi.disconnect();
      this.io.disconnect();
    } catch (error) {
      trace(`network: cannot leave Wi-Fi: ${String(error)}\n`);
    }
  }

  /** One scan at a time; not while the radio is joining. */
  scan(now: number, choice: WiFiChoice): boolean {
    if (this.scanning) return true;
    const scanner = (this.scanner ??= new Scanner());
    try {
      this.io.scan({ onFound, onComplete });
    } catch {
      return false;
    }
    scanner.start(now, choice);
    return true;
  }

  /** Call at least once a second. */
  step(now: number): void {
    if (this.scanner?.over(now)) this.scanner = undefined;
  }

  /** Opens a WPA2 access point. False: the platform refused. */
  open(ssid: string, password: string): boolean {
    // `station`, missing from the SDK's type, keeps the station in the mode.
    const options = { ssid, password, station: true };
    try {
      WiFi.accessPoint(options);
      return true;
    } catch (error) {
      trace(`network: cannot open the access point: ${String(error)}\n`);
      return false;
    }
  }

  /** Closes the access point, or starts the station after `stop`. */
  close(): void {
    WiFi.mode = STATION;
  }

  /** Stops station and access point. */
  stop(): void {
    this.leave();
    WiFi.mode = STOPPED;
  }

  /** Its interface may have lost its address while it was stopped. */
  forgetAddress(): void {
    this.static = "";
  }
}
