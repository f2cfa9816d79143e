export interface DeviceBundle {
  readonly without?: readonly string[];
  readonly firmware?: string;
}
export function bundleDevice(what?: DeviceBundle): Promise<Map<string, string>>;
export function withConstants(code: string): Promise<string>;
