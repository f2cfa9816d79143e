import type { Pass } from "./shrink/passes.mjs";

export interface DeviceBundle {
  readonly missing?: readonly string[];
  readonly without?: readonly string[];
  readonly firmware?: string;
  readonly passes?: readonly Pass[];
}
export function writeDeviceBundle(what?: DeviceBundle): Promise<void>;
export function withConstants(code: string): Promise<string>;
export function bundleDevice(what?: DeviceBundle): Promise<Map<string, string>>;
