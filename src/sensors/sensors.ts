import type Analog from "embedded:io/analog";
import type Digital from "embedded:io/digital";
import Timer from "timer";
import type { GroupName, Settings } from "../settings/types";
import { AnalogChannel } from "./analog-channel";
import { DebouncedInput } from "./debounced-input";
import { SAMPLE_INTERVAL } from "./limits";
import { temperatureOf } from "./temperature";
import type { Sensors } from "./types";

export interface AnalogPin {
  readonly io: typeof Analog;
  readonly pin: number;
}

export interface DigitalPin {
  readonly io: typeof Digital;
  readonly pin: number;
}

export interface SensorsOptions {
  readonly settings: Settings;
  readonly temperature: AnalogPin;
  readonly voltages: readonly AnalogPin[];
  readonly inputs: readonly DigitalPin[];
}

/** The board's own inputs, sampled four times a second. Without `monitoring.fitted` no pin is claimed and nothing is measured. */
export class BoardSensors implements Sensors {
  readonly #options: SensorsOptions;
  #temperature: AnalogChannel | undefined;
  #voltages: (AnalogChannel | undefined)[] = [];
  #inputs: (DebouncedInput | undefined)[] = [];
  #timer: Timer | undefined;

  constructor(options: SensorsOptions) {
    this.#options = options;
    const { settings } = options;
    if (settings.monitoring.fitted) this.open();
    settings.observe(this);
  }

  get temperature(): number | undefined {
    const millivolts = this.#temperature?.millivolts;
    return millivolts === undefined
      ? undefined
      : temperatureOf(this.#options.settings.monitoring.temperature, millivolts);
  }

  voltage(channel: number): number | undefined {
    const millivolts = this.#voltages[channel]?.millivolts;
    const scale = this.#options.settings.monitoring.voltages[channel];
    if (millivolts === undefined || !scale) return undefined;
    // A dead input reads 0, not the offset.
    return millivolts ? Math.round(millivolts * scale.ratio + scale.offset * 1000) | 0 : 0;
  }

  input(channel: number): 0 | 1 {
    const input = this.#inputs[channel];
    return input && input.level === this.#options.settings.monitoring.inputs[channel]?.activeLevel ? 1 : 0;
  }

  private open(): void {
    const { temperature, voltages, inputs, settings } = this.#options;
    this.#temperature = claimed(() => new AnalogChannel({ ...temperature, railsAreFaults: true }));
    this.#voltages = voltages.map((pin) => claimed(() => new AnalogChannel({ ...pin, railsAreFaults: false })));
    this.#inputs = inputs.map((pin, at) =>
      claimed(() => new DebouncedInput({ ...pin, debounce: settings.monitoring.inputs[at]?.debounce ?? 0 })),
    );
    this.sample();
    this.#timer = Timer.repeat(() => this.sample(), SAMPLE_INTERVAL);
  }

  private close(): void {
    Timer.clear(this.#timer);
    this.#timer = undefined;
    this.#temperature?.close();
    this.#temperature = undefined;
    for (const channel of this.#voltages) channel?.close();
    for (const input of this.#inputs) input?.close();
    this.#voltages = [];
    this.#inputs = [];
  }

  private sample(): void {
    this.#temperature?.sample();
    for (const channel of this.#voltages) channel?.sample();
    for (const input of this.#inputs) input?.poll();
  }

  settingsChanged(group: GroupName): void {
    if (group !== "monitoring") return;
    const { fitted, inputs } = this.#options.settings.monitoring;
    if (!fitted) this.close();
    else if (!this.#timer) this.open();
    else
      this.#inputs.forEach((input, at) => {
        if (input) input.debounce = inputs[at]?.debounce ?? 0;
      });
  }
}

/** What `make` makes; undefined when its pin cannot be had: the other inputs go on. */
function claimed<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    trace("sensors: a pin cannot be claimed\n");
    return undefined;
  }
}
