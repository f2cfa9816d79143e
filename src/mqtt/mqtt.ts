import type { GroupName } from "../settings/types";
import { BMS, CELLS, CONFIG, DIAGNOSTICS, TELEMETRY } from "./outbox";
import { Session, tell } from "./session";
import type { MqttOptions } from "./types";

/** The MQTT interface: publishes the states, takes commands and settings, and tells Home Assistant what there is. Nothing while it is off. */
export class Mqtt {
  private readonly parts: MqttOptions;
  private session: Session | undefined;
  /** Why no connection is tried: a code, or empty. */
  private refusal = "";
  private paused = false;

  constructor(options: MqttOptions) {
    this.parts = options;
    options.settings.observe(this);
    options.monitor.observe(this);
    this.start();
  }

  get state(): "off" | "connecting" | "connected" {
    if (!this.session) return "off";
    return this.session.broker.connected ? "connected" : "connecting";
  }

  /** Why there is no connection (MqttProblem); empty: there is one, or nobody knows yet. */
  get problem(): string {
    return this.session?.problem ?? this.refusal;
  }

  /** Seconds since the connection was made; undefined without one. */
  get connectedFor(): number | undefined {
    return this.state === "connected" ? this.session?.connectedFor : undefined;
  }

  /** Messages since the settings changed. */
  get published(): number {
    return this.session?.outbox.published ?? 0;
  }

  get received(): number {
    return this.session?.requests.received ?? 0;
  }

  /** Makes the connection anew. */
  reconnect(): void {
    this.close();
    this.start();
  }

  settingsChanged(group: GroupName): void {
    if (group === "mqtt") this.reconnect();
    else if (group === "device" || group === "relay") this.session?.announce();
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
    this.refusal = "";
    if (!enabled || !host) return;
    if (tls && !this.parts.tls) this.refusal = "no-tls";
    else if (tls && !ca) this.refusal = "no-ca";
    if (this.refusal) return tell(this.refusal, this.parts);
    this.session = new Session({ parts: this.parts, paused: this.paused });
  }
}
