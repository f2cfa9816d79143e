import type Digital from "embedded:io/digital";
import type KeyValueStorage from "embedded:storage/key-value";
import Time from "time";
import Timer from "timer";
import { Observers } from "../runtime/observers";
import { later } from "../runtime/timers";
import type { GroupName, RelayMode, Settings } from "../settings/types";
import { AUTOMATIC, MANUAL } from "./modes";
import { automatic, isKnown, type RelayTelemetry } from "./rule";
import { StateStore } from "./state-store";
import type { Relay, RelayObserver, RelaySource } from "./types";

export interface RelayOptions {
  readonly settings: Pick<Settings, "relay" | "observe" | "noteStored">;
  /** `pin`: undefined on a board without a relay. */
  readonly output: { readonly io: typeof Digital; readonly pin: number | undefined };
  readonly storage: typeof KeyValueStorage;
  /** The device is in a restart loop: the relay stays off until `release` or a manual switch. */
  readonly restrained?: boolean;
  /** The device is in safe mode: the relay stays off on every interface. */
  readonly locked?: boolean;
}

/**
 * The relay on a digital output.
 *
 * Manual: it follows `switch`. Automatic: it applies the rule of the settings to each telemetry reply; once the BMS, the pack that it follows, or for a rule by charge or voltage
 * of the bank any pack, has been offline for `failSafeAfter` it takes its fail-safe state; minimum on and off times are respected. Disabled: off. At start it is off,
 * on, or (manual mode only) restored; an automatic relay with `restore` starts off, since only the first telemetry determines its
 * state.
 *
 * The pin is claimed at its target level and written only when that changes, so the relay never clicks in between. It is not released
 * when `fitted` is cleared, but switched off: a released pin floats.
 */
export class BoardRelay implements Relay {
  private readonly settings: RelayOptions["settings"];
  private readonly io: typeof Digital;
  private readonly pin: number | undefined;
  private readonly store: StateStore;
  /** Source of the telemetry, once there is any: a changed rule is evaluated at once. */
  private source: RelaySource | undefined;
  private digital: Digital | undefined;
  private on: boolean;
  private level: 0 | 1 | undefined;
  /** Why the pin could not be claimed, or a timer not be set. */
  private refusal: unknown;
  private restrained: boolean;
  private readonly locked: boolean;
  /** Runs from the loss of the BMS to the fail-safe state. */
  private silence: Timer | undefined;
  /** The BMS has been offline for too long. */
  private lost = false;
  /** Runs during a minimum on or off time. */
  private pause: Timer | undefined;
  /** Time of the last switch, or of the start, ticks. */
  private switchedAt = Time.ticks;
  private readonly observers = new Observers<RelayObserver>();
  /** The state last reported to observers. */
  private notified = false;

  constructor({ settings, output, storage, restrained = false, locked = false }: RelayOptions) {
    this.settings = settings;
    this.io = output.io;
    this.pin = output.pin;
    this.store = new StateStore(storage, settings);
    this.restrained = restrained || locked;
    this.locked = locked;
    this.on = this.initial;
    this.follow();
    this.notified = this.on;
    this.rest();
    settings.observe(this);
  }

  /** Whether `start` has something to do: the platform refused the pin or a timer. */
  get lacks(): boolean {
    return this.refusal !== undefined;
  }

  /** Claims what the platform refused: the pin, if the relay is fitted, or a timer. Throws if it still does. */
  start(): void {
    if (!this.lacks) return;
    this.refusal = undefined;
    if (!this.digital) this.on = this.initial;
    this.follow();
    if (!this.pause) this.rest();
    if (this.lacks) throw this.refusal;
  }

  observe(observer: RelayObserver): void {
    this.observers.add(observer);
  }

  settingsChanged(group: GroupName): void {
    if (group !== "relay") return;
    // The delay of the fail-safe state and the minimum times may have changed.
    this.heard(this.lost);
    if (this.pause) this.rest();
    this.follow();
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
    if (this.locked || !this.digital || !this.settings.relay.fitted || this.mode !== MANUAL) return false;
    this.restrained = false;
    this.on = on;
    this.follow();
    return true;
  }

  /** Call at each telemetry reply and when the BMS goes offline. */
  evaluate(source: RelaySource): void {
    this.source = source;
    if (this.mode === AUTOMATIC) this.follow();
  }

  /** The device runs stably: lifts `restrained`. */
  release(): void {
    if (!this.restrained || this.locked) return;
    this.restrained = false;
    // Not against rule or fail-safe state, which a pause would keep from correcting it.
    this.on = this.initial && (this.mode !== AUTOMATIC || this.decide(true, this.source?.relayTelemetry()));
    this.follow();
  }

  /** Stores a state that is to be restored: call before a planned restart. */
  flush(): void {
    this.store.flush();
  }

  private get initial(): boolean {
    const { start, mode } = this.settings.relay;
    return start === "on" || (start === "restore" && mode === MANUAL && this.store.stored === true);
  }

  /** Brings state, pin and stored state in line with settings and telemetry. */
  private follow(): void {
    if (this.mode === AUTOMATIC) this.on = this.automatic();
    else this.heard();
    this.settle();
  }

  /** What decides has thrown: the fail-safe state, without asking it. The next reply asks it again. */
  failSafe(): void {
    const { failSafe } = this.settings.relay;
    this.lost = true;
    // When the pause is over it is asked again.
    if (this.mode !== AUTOMATIC || failSafe === "hold" || this.pause) return;
    this.on = failSafe === "on";
    this.settle();
  }

  /** Drives, stores and reports `on`, as far as the relay may be on. */
  private settle(): void {
    const { relay } = this.settings;
    if (this.restrained || !relay.fitted || relay.mode > AUTOMATIC) this.on = false;
    this.drive(this.on ? relay.activeLevel : relay.activeLevel ? 0 : 1);
    if (!this.digital) this.on = false;
    else if (relay.fitted && relay.mode === MANUAL && relay.start === "restore" && !this.restrained)
      this.store.store(this.on);
    else this.store.forget();
    this.report();
  }

  private automatic(): boolean {
    const telemetry = this.source?.relayTelemetry();
    if (telemetry && isKnown(this.settings.relay, telemetry)) this.heard();
    else if (!this.lost) this.silence ??= this.after(() => this.lose(), this.settings.relay.failSafeAfter * 1000);
    // Evaluated again when the pause is over.
    return this.pause ? this.on : this.decide(this.on, telemetry);
  }

  /** The state that an automatic relay, now `on`, should have by fail-safe state and rule. */
  private decide(on: boolean, telemetry: RelayTelemetry | undefined): boolean {
    const { relay } = this.settings;
    if (this.lost && relay.failSafe !== "hold") return relay.failSafe === "on";
    return telemetry ? automatic(relay, on, telemetry) : on;
  }

  private lose(): void {
    this.silence = undefined;
    this.lost = true;
    this.follow();
  }

  /** Restarts the fail-safe delay, unless the BMS is already `lost`. */
  private heard(lost = false): void {
    this.lost = lost;
    Timer.clear(this.silence);
    this.silence = undefined;
  }

  private report(): void {
    if (this.notified === this.on) return;
    this.notified = this.on;
    this.switchedAt = Time.ticks;
    this.rest();
    this.observers.report("relaySwitched", this.on);
  }

  /** Waits for what is left of the minimum time since the last switch. */
  private rest(): void {
    const { minimumOn, minimumOff } = this.settings.relay;
    const left = (this.on ? minimumOn : minimumOff) * 1000 - ((Time.ticks - this.switchedAt) | 0);
    Timer.clear(this.pause);
    this.pause =
      left > 0
        ? this.after(() => {
            this.pause = undefined;
            if (this.mode === AUTOMATIC) this.follow();
          }, left)
        : undefined;
  }

  /** Undefined without memory for a timer: `start` tries again, and the pin is driven all the same. */
  private after(callback: () => void, delay: number): Timer | undefined {
    try {
      return later("relay", callback, delay);
    } catch (error) {
      this.refusal = error;
      return undefined;
    }
  }

  private drive(level: 0 | 1): void {
    if (this.digital) {
      if (level !== this.level) this.digital.write(level);
    } else if (this.settings.relay.fitted && this.pin !== undefined) {
      const io = this.io;
      try {
        this.digital = new io({ pin: this.pin, mode: io.Output, initialValue: level });
      } catch (error) {
        this.refusal = error;
      }
    }
    this.level = level;
  }
}
