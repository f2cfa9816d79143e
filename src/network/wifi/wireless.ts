import RNG from "rng";
import Time from "time";
import type { Settings } from "../../settings/types";
import { RETRY_INTERVAL } from "../limits";
import { accessPointName, makePassphrase } from "./passphrase";
import { Radio } from "./radio";
import { Station } from "./station";
import type { Scan } from "../types";

/** All that is done with Wi-Fi: joining what is chosen, the own access point, scanning. */
export class Wireless {
  readonly radio: Radio;
  readonly station: Station;
  /** The name of the own access point while it is open, else empty. */
  accessPoint = "";
  private readonly settings: Pick<Settings, "network" | "update">;
  private readonly chosen: string;
  private passphrase = "";
  /** Ticks of the last try in vain to open the access point. */
  private refusedAt: number | undefined;
  private scanWanted = false;

  /** `chosen`: a password of the access point, from the build. */
  constructor(settings: Pick<Settings, "network" | "update">, radio = new Radio(), chosen = "") {
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

  /** Another password for the access point, which is closed until `follow` opens it again. */
  renew(): void {
    this.passphrase = makePassphrase(RNG);
    this.settings.update("network", { accessPointPassword: this.passphrase });
    if (this.accessPoint) this.radio.close();
    this.accessPoint = "";
    this.refusedAt = undefined;
  }

  /** `wanted`: the chosen Wi-Fi is to be joined. */
  step(now: number, wanted: boolean): void {
    this.station.step(now, wanted);
    this.radio.step(now);
    // The platform cannot scan while it joins.
    if (!this.scanWanted || this.station.state === "joining") return;
    this.scanWanted = false;
    this.radio.look(now, this.settings.network);
  }

  /** Opens or closes the access point; opens it later when the platform refuses. `mac`: what it is named after. */
  follow(now: number, open: boolean, mac: string): void {
    if (open === (this.accessPoint !== "")) return;
    if (!open) {
      this.radio.close();
      this.accessPoint = "";
      trace("network: the access point is closed\n");
      return;
    }
    if (this.refusedAt !== undefined && ((now - this.refusedAt) | 0) < RETRY_INTERVAL) return;
    const name = accessPointName(mac);
    const password = this.password();
    if (!this.radio.open(name, password)) {
      this.refusedAt = now;
      return;
    }
    this.refusedAt = undefined;
    this.accessPoint = name;
    trace(`network: access point ${name}, password ${password}\n`);
  }

  /** Chosen at the build, or made when it is needed for the first time, and kept; if it cannot be stored, until the power goes. */
  private password(): string {
    const { accessPointPassword } = this.settings.network;
    if (accessPointPassword) return accessPointPassword;
    if (!this.passphrase) {
      const { chosen } = this;
      if (chosen && !this.settings.update("network", { accessPointPassword: chosen })) return chosen;
      this.passphrase = makePassphrase(RNG);
      this.settings.update("network", { accessPointPassword: this.passphrase });
    }
    return this.passphrase;
  }
}
