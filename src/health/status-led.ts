import type Digital from "embedded:io/digital";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import type { Settings } from "../settings/types";
import { LED_INTERVAL } from "./limits";

/** LED patterns of 16 steps of LED_INTERVAL, lowest bit first, 1: on. See docs/boards.md. */
export const PATTERNS = Object.freeze(
  {
    well: 0x0001,
    silent: 0x0005,
    attention: 0x0055,
    portal: 0x00ff,
    alarm: 0x0f0f,
    update: 0x5555,
    button: 0xffff,
  } as const,
  true,
);
export type Pattern = keyof typeof PATTERNS;

const BITS = 16;

interface LedDevice {
  readonly ledPattern: Pattern;
  /** Undefined in a start that failed. */
  readonly settings: Pick<Settings, "device"> | undefined;
}

/** Shows the device's state on a single LED, unless the owner has switched that off. */
export class StatusLed implements Timed {
  readonly part = "led";
  private readonly digital: Digital;
  private readonly device: LedDevice;
  private readonly timer: Timer;
  private step = 0;

  /** The LED is active high. Throws if the pin is in use. */
  constructor({ io, pin, device }: { io: typeof Digital; pin: number; device: LedDevice }) {
    this.digital = new io({ pin, mode: io.Output, initialValue: 0 });
    this.device = device;
    try {
      this.timer = repeat(this, LED_INTERVAL);
    } catch (error) {
      // It is tried again: the pin must be free then.
      this.digital.close();
      throw error;
    }
  }

  close(): void {
    Timer.clear(this.timer);
  }

  tick(): void {
    const { ledPattern, settings } = this.device;
    const isShown = ledPattern === "button" || settings?.device.statusLed !== false;
    this.digital.write(isShown ? (((PATTERNS[ledPattern] >>> this.step) & 1) as 0 | 1) : 0);
    this.step = (this.step + 1) % BITS;
  }
}
