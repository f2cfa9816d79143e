import type Ambient from "embedded:network/interface/wifi";
import type {
  WiFiConfigureOptions,
  WiFiConnectOptions,
  WiFiConstructorOptions,
  WiFiScanOptions,
} from "embedded:network/interface/wifi";
import { SimulatedBoard } from "../board";
import { BSSID, RSSI } from "../network/air";

const CONNECTION = { idle: 200, joining: 300, linked: 400, online: 500 } as const;

/** The SDK's ECMA-419 Wi-Fi interface, backed by the board's driver model. */
export default class WiFi implements Ambient {
  readonly #board = SimulatedBoard.current;

  constructor({ onChanged }: WiFiConstructorOptions) {
    const board = this.#board;
    if (board.refusals.refusesAllocation()) throw new Error("no memory");
    board.startStack();
    board.radio.started ??= "interface";
    if (onChanged) board.radio.onChanged = (property) => board.post(() => onChanged.call(this, property));
  }

  get connection(): number {
    return CONNECTION[this.#board.radio.state];
  }

  get address(): string | undefined {
    return this.#board.radio.address;
  }

  get MAC(): string | undefined {
    return this.#board.network.mac.toLowerCase();
  }

  get SSID(): string | undefined {
    return this.#board.radio.network?.ssid;
  }

  get RSSI(): number | undefined {
    const { network } = this.#board.radio;
    return network && (network.rssi ?? -60);
  }

  scan({ onFound, onComplete }: WiFiScanOptions): void {
    if (!onFound) throw new Error("onFound required");
    const board = this.#board;
    board.radio.scan(
      ({ ssid, bssid = BSSID, rssi = RSSI, channel = 1, password }) =>
        board.post(() => {
          const found = { SSID: ssid, BSSID: bssid, RSSI: rssi, channel, security: password ? "wpa2_psk" : "none" };
          onFound.call(this, found);
        }),
      () => board.post(() => onComplete?.call(this)),
    );
  }

  connect({ SSID, password = "" }: WiFiConnectOptions): void {
    this.#board.radio.join(SSID, password);
  }

  disconnect(): void {
    this.#board.radio.disconnect();
  }

  configure({ hostname, static: address }: WiFiConfigureOptions): void {
    const board = this.#board;
    const { radio } = board;
    if (hostname !== undefined) radio.hostname = hostname;
    if (address === undefined) return;
    board.forgetNameServers();
    radio.setStatic(address || undefined);
  }

  close(): void {
    this.#board.radio.onChanged = undefined;
  }
}
