import RNG from "rng";
import Time from "time";
import type { Settings } from "../../settings/types";
import { RETRY_INTERVAL } from "../limits";
import { accessPointName, makePassphrase } from "./passphrase";
import { Radio } from "./radio";
import { Station } from "./station";
import type { Scan } from "../types";

type WirelessSettings = Pick<Settings, "network" | "update" | "isUnreadable">;

/** Everything done with Wi-Fi: joining a network, the own access point, scanning. */
export class Wireless {
  readonly radio: Radio;
  readonly station: Station;
  /** SSID of the own access point while it is open, otherwise empty. */
  accessPoint = "";
  private readonly settings: WirelessSettings;
  private readonly chosen: string;
  private passphrase = "";
  /** Ticks of the last failed attempt to open the access point. */
  private refusedAt: number | undefined;
  private scanWanted = false;

  /** `chosen`: the access point's password from the build. */
  constructor(settings: WirelessSettings, radio = new Radio(), chosen = "") {
    this.settings = settings;
    this.chosen = chosen;
    this.radio = radio;
    this.station = new Station(radio, settings);
  }

  scan(): Scan {
    const { scanner, scanning } = this.radio;
    return { scanning: this.scanWanted || scanning, networks: scanner?.networks(Time.ticks) ?? [] };
  }

  startScan(): void {
    this.scanWanted = true;
  }

  /** Sets a new password, stored or not as by `password`, and closes the access point until `follow` opens it again. */
  renew(): void {
    this.renewPassphrase();
    if (this.accessPoint) this.radio.close();
    this.accessPoint = "";
    this.refusedAt = undefined;
  }

  /** `wanted`: join the configured Wi-Fi. */
  step(now: number, wanted: boolean): void {
    this.station.step(now, wanted);
    this.radio.step(now);
    // The platform cannot scan while joining.
    if (!this.scanWanted || this.station.state === "joining") return;
    this.scanWanted = false;
    this.radio.scan(now, this.settings.network);
  }

  /** Opens or closes the access point; retries later if the platform refuses. Its name is derived from `mac`. */
  follow(now: number, open: boolean, mac: string): void {
    if (open === (this.accessPoint !== "")) return;
    if (!open) {
      this.radio.close();
      this.accessPoint = "";
      trace("network: access point closed\n");
      return;
    }
    if (this.refusedAt !== undefined && ((now - this.refusedAt) | 0) < RETRY_INTERVAL) return;
    const name = accessPointName(mac);
    const password = this.password();
    if (!password || !this.radio.open(name, password)) {
      this.refusedAt = now;
      return;
    }
    this.refusedAt = undefined;
    this.accessPoint = name;
    trace(`network: access point ${name}, password ${password}\n`);
  }

  /**
   * The password from the build, or one generated on first use, and stored. One that cannot be stored lasts until power-off, as does one
   * for network settings that could not be read: they may be intact, so nothing is stored over them.
   */
  private password(): string {
    const { chosen } = this;
    const { accessPointPassword } = this.settings.network;
    if (accessPointPassword) return accessPointPassword;
    if (!this.passphrase) {
      if (chosen && this.store(chosen)) return chosen;
      this.renewPassphrase();
    }
    return this.passphrase;
  }

  /** Without random numbers the old one stays, or none: the access point is opened once there is one. */
  private renewPassphrase(): void {
    try {
      this.passphrase = makePassphrase(RNG);
      this.store(this.passphrase);
    } catch (error) {
      trace(`network: no new password: ${String(error)}\n`);
    }
  }

  /** False: not stored. */
  private store(accessPointPassword: string): boolean {
    const { settings } = this;
    return !settings.isUnreadable("network") && !settings.update("network", { accessPointPassword }, true);
  }
}
