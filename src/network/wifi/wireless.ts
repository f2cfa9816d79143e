import RNG from "rng";
import Time from "time";
import type { Settings } from "../../settings/types";
import { RADIO_PAUSE, RETRY_INTERVAL } from "../limits";
import { accessPointName, makePassphrase } from "./passphrase";
import { Radio } from "./radio";
import { Recovery } from "./recovery";
import { Station } from "./station";
import type { Scan } from "../types";

type WirelessSettings = Pick<Settings, "network" | "update" | "isUnreadable">;

/** Everything done with Wi-Fi: joining a network, the own access point, scanning. */
export class Wireless {
  readonly radio: Radio;
  readonly station: Station;
  readonly recovery = new Recovery();
  /** For long there was no address, and a scan has just found the network. */
  isStuck = false;
  /** SSID of the own access point while it is open, otherwise empty. */
  accessPoint = "";
  private readonly settings: WirelessSettings;
  private readonly chosen: string;
  private passphrase = "";
  /** Ticks of the last failed attempt to open the access point. */
  private refusedAt: number | undefined;
  private scanWanted = false;
  /** A scan is to tell whether the network is there. */
  private looking = false;
  /** Wi-Fi is being started anew: ticks at which it was stopped or started. */
  private changedAt: number | undefined;
  private isStopped = false;

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

  /** Another network or password was configured, or another address. */
  restart(now: number): void {
    this.station.restart(now);
    this.recovery.reset();
    this.looking = false;
  }

  /** Stops Wi-Fi, the access point too, and has `step` and `follow` start it. */
  startAnew(now: number): void {
    this.recovery.started(now);
    this.isStuck = false;
    this.station.step(now, false);
    this.radio.stop();
    this.accessPoint = "";
    this.isStopped = true;
    this.changedAt = now;
  }

  /**
   * @param wanted join the configured Wi-Fi
   * @returns whether the interface needs to be configured
   */
  step(now: number, wanted: boolean): boolean {
    if (this.changedAt !== undefined) return this.goOn(now, this.changedAt);
    this.station.step(now, wanted);
    this.radio.step(now);
    this.isStuck = this.watch(now, wanted);
    // The platform cannot scan while joining.
    if (!this.scanWanted || this.station.state === "joining") return false;
    this.scanWanted = false;
    this.radio.scan(now, this.settings.network);
    return false;
  }

  /** The platform's tasks take up what has been changed before there is more. */
  private goOn(now: number, changedAt: number): boolean {
    if (((now - changedAt) | 0) < RADIO_PAUSE) return false;
    if (this.isStopped) {
      this.radio.close();
      this.isStopped = false;
      this.changedAt = now;
      return false;
    }
    this.changedAt = undefined;
    this.radio.forgetAddress();
    return true;
  }

  private watch(now: number, wanted: boolean): boolean {
    const { looking, radio, recovery, station } = this;
    const isLacking = wanted && !station.online && station.reason !== "wrong-password";
    const isDue = recovery.step(now, isLacking);
    if (looking) {
      if (radio.scanning) return false;
      this.looking = false;
      return isLacking && radio.seen;
    }
    if (isDue && station.state === "waiting") {
      this.looking = radio.scan(now, this.settings.network);
      recovery.looked(now);
    }
    return false;
  }

  /** Opens or closes the access point; retries later if the platform refuses. Its name is derived from `mac`. */
  follow(now: number, open: boolean, mac: string): void {
    if (open === (this.accessPoint !== "") || this.changedAt !== undefined) return;
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
