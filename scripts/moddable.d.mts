import type { Pass } from "./shrink/passes.mjs";

export const BOARDS: readonly string[];
export function sdkEnvironment(device?: boolean, passes?: readonly Pass[]): Record<string, string>;
export function missingModules(board: string): string[];
export function slotBytes(): number;
export function checkFit(path: string): void;
export function checkGenerator(map: string): void;
export function linkBoard(board: string, passes?: readonly Pass[], without?: readonly string[]): Promise<string>;

/** What `bundleDevice` of device-bundle.mjs takes; null: no firmware. */
type Bundle = import("./device-bundle.mjs").DeviceBundle | null;
export interface Options {
  readonly parameters?: readonly string[];
  readonly device?: boolean;
  readonly manifest?: string;
  readonly bundle?: Bundle;
  readonly passes?: readonly Pass[];
  readonly output?: string;
  /** Parts to leave out, parts.mjs; default: those of the board's manifest. */
  readonly without?: readonly string[];
}
export function boardOf(words: readonly string[]): [board: string, rest: string[]];
/** The linker's map of an image. */
export function mapOf(image: string): string;
export function imageFolder(board: string): string;
export function buildBoard(board: string, parameters: readonly string[], passes?: readonly Pass[]): Promise<string>;
export function buildLinux(manifest?: string, bundle?: Bundle, passes?: readonly Pass[]): Promise<string>;
export function mcconfigBoard(board: string, options?: Options): Promise<Record<string, string>>;
export function checkTypes(env?: Record<string, string>): void;
