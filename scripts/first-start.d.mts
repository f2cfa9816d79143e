export interface AccessPoint {
  readonly name: string;
  readonly password: string;
}
export function wifiText(found: AccessPoint): string;
export function accessPointOn(path: string, seconds: number): Promise<AccessPoint | undefined>;
export function firstStartText(found: AccessPoint): string;
