import type Ambient from "wifi";
import type { AccessPointOptions, WiFiCallback, WiFiMode, WiFiOptions } from "wifi";
import { SimulatedBoard } from "../board";

/** Below these esp_wifi_init fails in an ESP_ERROR_CHECK, bytes: its static buffers with tasks and tables, and the stack of its task. */
const NEEDED = 32_768;
const STACK = 7_168;

/** The part of the SDK's `wifi` module that the firmware uses: mode, access point, and reason of a disconnection. */
export default class WiFi implements Ambient {
  readonly #board = SimulatedBoard.current;

  constructor(_options?: WiFiOptions, callback?: WiFiCallback) {
    const board = this.#board;
    const notify = callback as ((this: WiFi, message: string, code: number) => void) | undefined;
    if (notify) board.radio.onDisconnect = (code) => board.post(() => notify.call(this, "disconnect", code));
  }

  close(): void {
    this.#board.radio.onDisconnect = undefined;
  }

  static get mode(): WiFiMode {
    return SimulatedBoard.current.radio.mode as WiFiMode;
  }

  static set mode(mode: WiFiMode) {
    const board = SimulatedBoard.current;
    const { heap, radio } = board;
    if (!radio.started && heap && (heap[0] < NEEDED || heap[2] < STACK))
      throw new Error("the device aborts: esp_wifi_init without memory");
    board.startStack();
    radio.setMode(mode);
  }

  static connect(options?: WiFiOptions): void {
    if (options) throw new Error("not simulated: the station is embedded:network/interface/wifi");
    SimulatedBoard.current.radio.leave();
  }

  static disconnect(): void {
    WiFi.connect();
  }

  static accessPoint(options: AccessPointOptions & { station?: boolean }): void {
    const board = SimulatedBoard.current;
    if (board.refusals.accessPoint) throw new Error("esp_wifi_set_config failed");
    board.radio.openAccessPoint(options);
  }
}
