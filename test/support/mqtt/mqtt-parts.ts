import type { Sources } from "../../../src/mqtt/types";
import { StillMonitor } from "../bms/still-monitor";
import { conditionsWithAlarms } from "../fakes/no-conditions";
import { fakeParts, type FakeSettings, type FakeRelay } from "../fakes/fake-parts";

export interface MqttParts extends Sources {
  readonly monitor: StillMonitor;
  readonly settings: FakeSettings;
  readonly relay: FakeRelay;
  readonly restarts: string[];
  restartFor(cause: string): void;
}

/** The sources of the MQTT interface, without hardware; nothing has been read from the BMS yet. */
export function mqttParts(): MqttParts {
  const { settings, relay, network, build, ...parts } = fakeParts();
  settings.mqtt = { ...settings.mqtt, enabled: true, host: "192.168.1.2" };
  const restarts: string[] = [];
  const monitor = new StillMonitor();
  return {
    restarts,
    restartFor: (cause) => void restarts.push(cause),
    monitor,
    settings,
    relay,
    network,
    build,
    conditions: conditionsWithAlarms(monitor),
    uptime: () => parts.uptime(),
    statistics: () => undefined,
  };
}

/** Every field of every block at its longest text: all bits set, negative where longer. */
export function fillToTheBrim({ monitor: { pack } }: MqttParts): void {
  for (const image of [pack.telemetry, pack.setup, pack.deviceInfo]) {
    new Uint8Array(image.view.buffer).fill(0x99);
    image.valid = true;
  }
  pack.telemetry.setCells(Array<number>(32).fill(65_535), Array<number>(32).fill(65_535));
  pack.telemetry.view.setUint32(0xe6, 0xffffffff);
}
