import type Ambient from "wifi";
import type { AccessPointOptions, WiFiCallback, WiFiMode, WiFiOptions } from "wifi";
import { BOARD } from "../protocol";
import { invoke, Port } from "./link";

export default class WiFi extends Port implements Ambient {
  constructor(_options?: WiFiOptions, callback?: WiFiCallback) {
    const notify = callback as ((this: WiFi, message: string, code: number) => void) | undefined;
    super("wifi", { onDisconnect: (code: number) => notify?.call(this, "disconnect", code) });
  }

  static get mode(): WiFiMode {
    return invoke(BOARD, "wifiMode") as WiFiMode;
  }

  static set mode(mode: WiFiMode) {
    invoke(BOARD, "setWifiMode", mode);
  }

  static connect(options?: WiFiOptions): void {
    if (options) throw new Error("not simulated: the station is embedded:network/interface/wifi");
    WiFi.disconnect();
  }

  static disconnect(): void {
    invoke(BOARD, "wifiDisconnect");
  }

  static accessPoint(options: AccessPointOptions): void {
    invoke(BOARD, "accessPoint", options);
  }
}
