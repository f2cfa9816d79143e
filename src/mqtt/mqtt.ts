import type { GroupName } from "../settings/types";
import { BMS, CELLS, CONFIG, DIAGNOSTICS, TELEMETRY } from "./outbox";
import { Session, tell } from "./session";
import type { MqttOptions } from "./types";

/** The MQTT face: publishes the states, takes commands and settings, and tells Home Assistant what there is. Nothing while it is off. */
export class Mqtt {
  private readonly parts: MqttOptions;
  private session: Session | undefined;
  private paused = false;

  constructor(options: MqttOptions) {
    this.parts = options;
    options.settings.observe(this);
    options.monitor.observe(this);
    this.start();
  }

  settingsChanged(group: GroupName): void {
    if (group === "mqtt") {
      this.close();
      this.start();
    } else if (group === "device" || group === "relay") this.session?.announce();
  }

  bmsUpdated(): void {
    this.session?.polled();
  }

  bmsOnlineChanged(): void {
    this.session?.outbox.look(BMS | TELEMETRY | CELLS | CONFIG | DIAGNOSTICS);
  }

  /** Nothing is written until `resume`: the BMS is sending what must not wait. */
  pause(): void {
    this.paused = true;
    this.session?.outbox.pause();
  }

  resume(): void {
    this.paused = false;
    this.session?.outbox.resume();
  }

  /** The broker is told that the device goes. */
  close(): void {
    this.session?.close();
    this.session = undefined;
  }

  private start(): void {
    const { ca, enabled, host, tls } = this.parts.settings.mqtt;
    if (!enabled || !host) return;
    if (tls && !this.parts.tls)
      return tell("This device has no TLS: nothing is sent in the clear instead.", this.parts);
    if (tls && !ca) return tell("TLS needs the CA certificate of the broker: nothing is sent without.", this.parts);
    this.session = new Session({ parts: this.parts, paused: this.paused });
  }
}
