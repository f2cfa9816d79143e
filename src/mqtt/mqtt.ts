import type { BusPack } from "../packs/types";
import type { GroupName } from "../settings/types";
import { BMS, CELLS, CONFIG, DIAGNOSTICS, TELEMETRY } from "./outbox";
import { report, Session } from "./session";
import type { MqttOptions } from "./types";

/** The MQTT interface: publishes states, accepts commands and parameters, announces the device to Home Assistant. Idle while disabled. */
export class Mqtt {
  private readonly parts: MqttOptions;
  private session: Session | undefined;
  /** Why the settings allow no connection (MqttProblem), or empty. */
  private refusal = "";

  constructor(options: MqttOptions) {
    this.parts = options;
    // Observes last: a failed start leaves nothing behind.
    this.start();
    options.settings.observe(this);
    options.monitor.observe(this);
  }

  get state(): "off" | "connecting" | "connected" {
    if (!this.session) return "off";
    return this.session.broker.connected ? "connected" : "connecting";
  }

  /** Why there is no connection (MqttProblem); empty: connected, or not known yet. */
  get problem(): string {
    return this.session?.problem ?? this.refusal;
  }

  /** Seconds since connecting; undefined while disconnected. */
  get connectedFor(): number | undefined {
    return this.state === "connected" ? this.session?.connectedFor : undefined;
  }

  /** Messages published since the settings changed. */
  get published(): number {
    return this.session?.outbox.published ?? 0;
  }

  get received(): number {
    return this.session?.requests.received ?? 0;
  }

  /** Drops the connection and opens a new one. */
  reconnect(): void {
    this.close();
    this.start();
  }

  settingsChanged(group: GroupName): void {
    if (group === "mqtt" || group === "packs") this.reconnect();
    else if (group === "device" || group === "relay") this.session?.announce();
  }

  packUpdated(pack: BusPack): void {
    this.session?.polled(pack);
  }

  packOnlineChanged({ index }: BusPack): void {
    this.session?.outbox.check(BMS | TELEMETRY | CELLS | CONFIG | DIAGNOSTICS, index);
    // With the verdict on all packs.
    this.session?.outbox.check(TELEMETRY);
    this.session?.checkBank();
  }

  otherMasterChanged(): void {
    for (const pack of this.parts.monitor.packs) this.packOnlineChanged(pack);
  }

  /** Publishes "offline" and disconnects. */
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
    if (this.refusal) return report(this.refusal, this.parts);
    this.session = new Session(this.parts);
  }
}
