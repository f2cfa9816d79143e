import type Digital from "embedded:io/digital";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import { BUTTON_GAP, BUTTON_INTERVAL, HOLD_ACCESS_POINT, HOLD_RESET, PRESENCE } from "./limits";

/** Actions of the button. */
export interface ButtonDevice {
  /** It goes down. */
  buttonDown(): void;
  /** Held for HOLD_ACCESS_POINT, then released. */
  renewAccessPoint(): void;
  /** Held for HOLD_RESET. */
  resetByButton(): void;
}

/** A button to ground on a pin with a pull-up. */
export class Button implements Timed {
  readonly part = "button";
  private readonly digital: Digital;
  private readonly device: ButtonDevice;
  private readonly timer: Timer;
  /** How long the button has been seen held, ms, at most HOLD_RESET; 0: released. */
  held: number;
  /** Ticks of the last look. */
  private lookedAt = Time.ticks;
  /** Ticks at which it was last seen pressed; undefined once that is PRESENCE ago. */
  private pressedAt: number | undefined;

  /** Throws if the pin is in use. */
  constructor({ io, pin, device }: { io: typeof Digital; pin: number; device: ButtonDevice }) {
    this.digital = new io({ pin, mode: io.InputPullUp });
    // Held already: counts once it has been released. A stuck button would otherwise reset the settings at every start.
    this.held = this.digital.read() ? 0 : HOLD_RESET;
    this.device = device;
    try {
      this.timer = repeat(this, BUTTON_INTERVAL);
    } catch (error) {
      // It is tried again: the pin must be free then.
      this.digital.close();
      throw error;
    }
  }

  /** Pressed within the last PRESENCE. */
  get pressed(): boolean {
    return this.pressedAt !== undefined && ((Time.ticks - this.pressedAt) | 0) < PRESENCE;
  }

  close(): void {
    Timer.clear(this.timer);
  }

  /** After a stall the SDK makes up for missed ticks, all at one moment: counted is the time between looks, and no more than was seen. */
  tick(): void {
    const { held, device } = this;
    const now = Time.ticks;
    const passed = Math.min((now - this.lookedAt) | 0, BUTTON_GAP);
    this.lookedAt = now;
    if (!this.pressed) this.pressedAt = undefined;
    if (this.digital.read()) {
      this.held = 0;
      if (held >= HOLD_ACCESS_POINT && held < HOLD_RESET) device.renewAccessPoint();
    } else if (held < HOLD_RESET) {
      this.pressedAt = now;
      if (!held) device.buttonDown();
      this.held = Math.min(held + passed, HOLD_RESET);
      if (held < HOLD_ACCESS_POINT && this.held >= HOLD_ACCESS_POINT)
        trace("button: release now to open the access point\n");
      if (this.held === HOLD_RESET) device.resetByButton();
    }
  }
}
