import { release } from "application";
import type Analog from "embedded:io/analog";
import type Digital from "embedded:io/digital";
import Time from "time";
import Timer from "timer";
import { repeat, type Timed } from "../runtime/timers";
import type { GroupName, Settings } from "../settings/types";
import { AnalogChannels } from "./analog-channels";
import { DebouncedInput } from "./debounced-input";
import { SAMPLE_INTERVAL } from "./limits";
import { temperatureOf } from "./temperature";
import type { SensorPins, Sensors } from "./types";

/** The ADC channels: the temperature, then the voltages. */
const TEMPERATURE = 0;
const VOLTAGES = 1;

const NONE: readonly undefined[] = Object.freeze([], true);

export interface SensorsOptions {
  readonly settings: Settings;
  readonly analog: { readonly io: typeof Analog };
  readonly digital: { readonly io: typeof Digital };
  /** Undefined on a board without sensors. */
  readonly pins: SensorPins | undefined;
}

/** The board's own inputs, sampled four times a second. Without `monitoring.fitted` no pin is touched and nothing is measured. */
export class BoardSensors implements Sensors, Timed {
  readonly part = "monitoring";
  private readonly settings: Settings;
  private readonly analog: typeof Analog;
  private readonly digital: typeof Digital;
  private readonly pins: SensorPins | undefined;
  private channels: AnalogChannels | undefined;
  private converters: (Analog | undefined)[] | undefined;
  private inputs: readonly (DebouncedInput | undefined)[] = NONE;
  private started = false;
  /** Why a pin could not be claimed; undefined: all are. */
  private refusal: Error | undefined;
  private timer: Timer | undefined;
  /** Ticks of the last sample. */
  private sampledAt = 0;

  constructor({ settings, analog, digital, pins }: SensorsOptions) {
    this.settings = settings;
    this.analog = analog.io;
    this.digital = digital.io;
    this.pins = pins;
  }

  /** Starts sampling; or claims the pins that could not be claimed so far. Throws if one of them still cannot: the others are sampled. */
  start(): void {
    if (!this.started) this.settings.observe(this);
    this.started = true;
    if (this.timer) this.claim();
    else if (this.settings.monitoring.fitted) this.open();
    if (this.refusal) throw this.refusal;
  }

  get temperature(): number | undefined {
    const millivolts = this.channels?.millivolts(TEMPERATURE);
    return millivolts === undefined ? undefined : temperatureOf(this.settings.monitoring.temperature, millivolts);
  }

  voltage(channel: number): number | undefined {
    const scale = this.settings.monitoring.voltages[channel];
    const millivolts = scale && this.channels?.millivolts(VOLTAGES + channel);
    if (millivolts === undefined) return undefined;
    // A dead input reads 0, not the offset.
    return millivolts ? Math.round(millivolts * scale.ratio + scale.offset * 1000) | 0 : 0;
  }

  input(channel: number): 0 | 1 {
    const input = this.inputs[channel];
    return input && input.level === this.settings.monitoring.inputs[channel]?.activeLevel ? 1 : 0;
  }

  /** After a stall the SDK makes up for missed ticks: samples of one moment would be no average, and one glitch a broken sensor. */
  tick(): void {
    if (((Time.ticks - this.sampledAt) | 0) >= SAMPLE_INTERVAL / 2) this.sample();
  }

  settingsChanged(group: GroupName): void {
    if (group !== "monitoring") return;
    const { fitted, inputs } = this.settings.monitoring;
    if (!fitted) this.close();
    else if (!this.timer) this.open();
    else
      this.inputs.forEach((input, at) => {
        if (input) input.debounce = inputs[at]?.debounce ?? 0;
      });
  }

  private open(): void {
    if (!this.pins) return;
    this.converters = [];
    this.channels = new AnalogChannels(this.converters, VOLTAGES + this.pins.voltages.length);
    this.claim();
    this.sample();
    this.timer = repeat(this, SAMPLE_INTERVAL);
  }

  private sample(): void {
    this.sampledAt = Time.ticks;
    this.channels?.sample(TEMPERATURE, true);
    const channels = this.converters?.length ?? 0;
    for (let channel = VOLTAGES; channel < channels; channel++) this.channels?.sample(channel, false);
    for (const input of this.inputs) input?.poll();
  }

  /** Claims all pins that are not claimed yet. */
  private claim(): void {
    const { converters = [], pins } = this;
    if (!pins) return;
    const { temperature, voltages, inputs } = pins;
    this.refusal = undefined;
    [temperature, ...voltages].forEach((pin, at) => {
      converters[at] ??= this.claimed(() => new this.analog({ pin }));
    });
    this.inputs = inputs.map(
      (pin, at) =>
        this.inputs[at] ??
        this.claimed(() => {
          release(pin);
          const debounce = this.settings.monitoring.inputs[at]?.debounce ?? 0;
          return new DebouncedInput({ io: this.digital, pin, debounce });
        }),
    );
  }

  /** The result of `make`; undefined if its pin cannot be opened: the other inputs keep working. */
  private claimed<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.refusal = error as Error;
      return undefined;
    }
  }

  close(): void {
    Timer.clear(this.timer);
    this.timer = this.converters = this.refusal = undefined;
    this.channels?.close();
    this.channels = undefined;
    for (const input of this.inputs) input?.close();
    this.inputs = NONE;
  }
}
