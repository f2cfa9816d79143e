import type Digital from "embedded:io/digital";
import Timer from "timer";
import { repeat, type Timed } from "../parts/timers";
import { BUTTON_INTERVAL, HOLD_ACCESS_POINT, HOLD_RESET, PRESENCE } from "./limits";

/** What a button does. */
export interface ButtonDevice {
  /** It was held for HOLD_ACCESS_POINT and let go. */
  renewAccessPoint(): void;
  /** It was held for HOLD_RESET. */
  resetByButton(): void;
}

/** A button to ground, on a pin with a pull-up. */
export class Button implements Timed {
  private readonly digital: Digital;
  private readonly device: ButtonDevice;
  private readonly timer: Timer;
  /** How long it has been held, ms; 0: it is not. */
  held = 0;
  /** How long it still shows that somebody is there, ms. */
  private presence = 0;

  /** Throws when the pin is in use. */
  constructor({ io, pin, device }: { io: typeof Digital; pin: number; device: ButtonDevice }) {
    this.digital = new io({ pin, mode: io.InputPullUp });
    this.device = device;
    this.timer = repeat(this, BUTTON_INTERVAL);
  }

  /** Within PRESENCE. */
  get pressed(): boolean {
    return this.presence > 0;
  }

  close(): void {
    Timer.clear(this.timer);
  }

  tick(): void {
    const { held, device } = this;
    if (this.presence) this.presence -= BUTTON_INTERVAL;
    if (this.digital.read()) {
      this.held = 0;
      if (held >= HOLD_ACCESS_POINT && held < HOLD_RESET) device.renewAccessPoint();
    } else if (held < HOLD_RESET) {
      this.presence = PRESENCE;
      this.held += BUTTON_INTERVAL;
      if (this.held === HOLD_ACCESS_POINT) trace("button: let go now for the access point\n");
      if (this.held === HOLD_RESET) device.resetByButton();
    }
  }
}
