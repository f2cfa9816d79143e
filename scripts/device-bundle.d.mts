export interface DeviceBundle {
  readonly without?: readonly string[];
  readonly firmware?: string;
}
export function writeDeviceBundle(what?: DeviceBundle): Promise<void>;
export function bundleDevice(what?: DeviceBundle): Promise<Map<string, string>>;
export function forFlash(code: string): Promise<string>;
export function foldConstants(code: string, map?: string): Promise<{ code: string; map?: string }>;
