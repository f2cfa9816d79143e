import type { ObservedMonitor } from "../bms/types";
import type { Device } from "../runtime/device";

/** Sources of the published data. */
export interface Sources
  extends
    Pick<Device, "monitor" | "settings" | "relay" | "network" | "build" | "uptime" | "statistics">,
    Partial<Pick<Device, "energy" | "start" | "memory">> {}

export interface MqttOptions
  extends
    Sources,
    Pick<Device, "json" | "time" | "mqttClient" | "resolver" | "tcp" | "tls" | "udp" | "random" | "storage">,
    Partial<Pick<Device, "events">> {
  readonly monitor: ObservedMonitor;
}
