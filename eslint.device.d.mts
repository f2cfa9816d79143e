import type { Linter } from "eslint";

export interface Restriction {
  readonly name: string;
  readonly lacks: "engine" | "platform" | "build" | "flash" | "sense";
  readonly message: string;
  /** A program that does what is not allowed. */
  readonly example: string;
}
export const RESTRICTIONS: readonly Restriction[];
export function rulesFor(restrictions: readonly Restriction[]): Linter.RulesRecord;
export const deviceRules: Linter.RulesRecord;
