import StationInterface from "embedded:network/interface/wifi";
import type { WiFiScanResult } from "embedded:network/interface/wifi";
import WiFi from "wifi";
import { Connection, type LinkObserver, onChanged } from "../connection";
import { Scanner } from "./scanner";
import type { StationRadio, WiFiChoice } from "./station";

/** Modes of the SDK's `wifi` module. */
const STATION = 1;
/** Its code of a disconnection that the password is to blame for. */
const PASSWORD_REJECTED = -1;

// What the platform calls, with its object as `this`: functions made for each radio would be kept as long as it is.
interface Owned {
  readonly target: Radio;
}

/** Of `wifi`. The code is no part of the SDK's type. */
function onNotify(this: unknown, message: string, code?: number): void {
  if (message === "disconnect" && code === PASSWORD_REJECTED) (this as Owned).target.reject();
}

function onFound(this: unknown, found: WiFiScanResult): void {
  (this as Owned).target.scanner?.found(found);
}

function onComplete(this: unknown): void {
  const { target } = this as Owned;
  target.scanner?.complete();
  target.linkChanged();
}

/** Starts the driver as `wifi` wants it, and only then makes the interface: docs/network.md says why. */
function start(): StationInterface {
  WiFi.mode = STATION;
  return new StationInterface({ onChanged });
}

/**
 * The platform's Wi-Fi, station and access point. The SDK has two modules for it that share the driver; docs/network.md says why both are
 * needed and why in this order: `wifi` starts the driver, as a station, and never takes the station out of its mode again.
 */
export class Radio extends Connection<StationInterface> implements LinkObserver, StationRadio {
  /** While a scan is under way, or what it found is kept. */
  scanner: Scanner | undefined;
  private observer: LinkObserver | undefined;
  private _rejected = false;

  constructor() {
    super(start());
    super.watch(this);
    Object.assign(new WiFi(undefined, onNotify as () => void), { target: this });
  }

  override watch(observer: LinkObserver): void {
    this.observer = observer;
  }

  linkChanged(): void {
    this.observer?.linkChanged();
  }

  /** The last try ended because the password is wrong, as far as the SDK can tell. */
  get rejected(): boolean {
    return this._rejected;
  }

  /** For the platform: the password was wrong. */
  reject(): void {
    this._rejected = true;
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

  join({ ssid, password }: WiFiChoice): boolean {
    this._rejected = false;
    try {
      this.io.connect(password ? { SSID: ssid, password } : { SSID: ssid });
      return true;
    } catch {
      return false;
    }
  }

  /** The `wifi` module keeps the code of a wrong password until its own disconnect; the station's clears the state of the interface. */
  leave(): void {
    try {
      WiFi.disconnect();
      this.io.disconnect();
    } catch (error) {
      trace(`network: Wi-Fi cannot be left: ${String(error)}\n`);
    }
  }

  /** One scan at a time; the radio must not be joining. */
  look(now: number, { ssid }: WiFiChoice): boolean {
    if (this.scanning) return true;
    const scanner = (this.scanner ??= new Scanner());
    try {
      this.io.scan({ onFound, onComplete });
    } catch {
      return false;
    }
    scanner.start(now, ssid);
    return true;
  }

  /** To be called at least once a second. */
  step(now: number): void {
    if (this.scanner?.over(now)) this.scanner = undefined;
  }

  /** WPA2. False: the platform refused. */
  open(ssid: string, password: string): boolean {
    // `station` is no part of the SDK's type: without it the mode would lose the station.
    const options = { ssid, password, station: true };
    try {
      WiFi.accessPoint(options);
      return true;
    } catch (error) {
      trace(`network: the access point cannot be opened: ${String(error)}\n`);
      return false;
    }
  }

  close(): void {
    WiFi.mode = STATION;
  }
}
