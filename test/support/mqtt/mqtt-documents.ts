/** The documents published by the MQTT interface, as far as the tests inspect them. */
export interface MqttDocuments {
  telemetry: {
    online: boolean;
    name?: string;
    model?: string;
    soc: number;
    pack: { voltage: number; current: number };
    info: { maxCells: number; totalRuntimeSeconds?: number };
    alarms: string[];
    energy?: Record<string, number | null>;
  };
  cells: { cells: { number: number; voltage: number }[] };
  config: { loaded: boolean; protections: { cellOvpVoltage: number }; commands: Record<string, string> };
  relay: { fitted: boolean; name: string; state: string; mode: string };
  diagnostics: { uptime: number; link: { quality: number | null } };
  discovery: { dev: { name: string }; cmps: Record<string, { p: string }> };
}

export function parsed<Name extends keyof MqttDocuments>(_: Name, text: string | undefined): MqttDocuments[Name] {
  if (text === undefined) throw new Error("not published");
  return JSON.parse(text) as MqttDocuments[Name];
}
