import type Digital from "embedded:io/digital";
import type KeyValueStorage from "embedded:storage/key-value";
import { Observers } from "../parts/observers";
import type { GroupName, RelayMode, Settings } from "../settings/types";
import { automatic } from "./rule";
import { StateStore } from "./state-store";
import type { Relay, RelayObserver, RelaySource } from "./types";

const MANUAL = 0;
const AUTOMATIC = 1;

export interface RelayOptions {
  readonly settings: Settings;
  readonly output: { readonly io: typeof Digital; readonly pin: number };
  readonly storage: typeof KeyValueStorage;
}

/**
 * The relay on a digital output.
 *
 * Manual: it does what `switch` says. Automatic: it follows the rule of the settings with each telemetry, and holds its state while
 * the BMS is offline. Disabled: off. At start it is off, on, or (manual mode only) what it was; an automatic relay that is to restore
 * starts off, since only the first telemetry says what it has to be.
 *
 * The pin is claimed with the level it is to have and written only when that level changes, so the relay never clicks in between. It
 * is not given back when the setting `fitted` is taken away, but switched off: a freed pin floats.
 */
export class BoardRelay implements Relay {
  private readonly settings: Settings;
  private readonly io: typeof Digital;
  private readonly pin: number;
  private readonly store: StateStore;
  /** Who has the telemetry, once there is any: a new rule is judged by it at once. */
  private source: RelaySource | undefined;
  private digital: Digital | undefined;
  private on: boolean;
  private level: 0 | 1 | undefined;
  private readonly observers = new Observers<RelayObserver>();
  /** What the observers were told last. */
  private told = false;

  constructor({ settings, output, storage }: RelayOptions) {
    this.settings = settings;
    this.io = output.io;
    this.pin = output.pin;
    this.store = new StateStore(storage);
    const { start, mode } = settings.relay;
    this.on = start === "on" || (start === "restore" && mode === MANUAL && this.store.stored === true);
    this.follow();
    this.told = this.on;
    settings.observe(this);
  }

  observe(observer: RelayObserver): void {
    this.observers.add(observer);
  }

  settingsChanged(group: GroupName): void {
    if (group === "relay") this.follow();
  }

  get name(): string {
    return this.settings.relay.name;
  }

  get value(): 0 | 1 {
    return this.on ? 1 : 0;
  }

  get mode(): RelayMode {
    return this.settings.relay.mode;
  }

  switch(on: boolean): boolean {
    if (!this.digital || !this.settings.relay.fitted || this.mode !== MANUAL) return false;
    this.on = on;
    this.follow();
    return true;
  }

  /** To be told with every telemetry, and when the BMS goes offline. */
  evaluate(source: RelaySource): void {
    this.source = source;
    if (this.mode === AUTOMATIC) this.follow();
  }

  /** Brings state, pin and stored state in line with settings and telemetry. */
  private follow(): void {
    const { relay } = this.settings;
    if (relay.mode === AUTOMATIC) {
      if (this.source) this.on = automatic(relay, this.on, this.source.relayTelemetry());
    } else if (relay.mode !== MANUAL) this.on = false;
    if (!relay.fitted) this.on = false;
    this.drive(this.on ? relay.activeLevel : relay.activeLevel ? 0 : 1);
    if (!this.digital) this.on = false;
    else if (relay.fitted && relay.mode === MANUAL && relay.start === "restore") this.store.store(this.on);
    else this.store.forget();
    this.tell();
  }

  private tell(): void {
    if (this.told === this.on) return;
    this.told = this.on;
    this.observers.tell("relaySwitched", this.on);
  }

  private drive(level: 0 | 1): void {
    if (this.digital) {
      if (level !== this.level) this.digital.write(level);
    } else if (this.settings.relay.fitted) {
      const io = this.io;
      try {
        this.digital = new io({ pin: this.pin, mode: io.Output, initialValue: level });
      } catch {
        trace("relay: the pin cannot be claimed\n");
      }
    }
    this.level = level;
  }
}
