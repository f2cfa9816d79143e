import type { Linter } from "eslint";

export interface Restriction {
  readonly name: string;
  readonly lacks: "engine" | "platform" | "build" | "flash" | "sense";
  readonly message: string;
  /** A program that violates the restriction. */
  readonly example: string;
}
export const RESTRICTIONS: readonly Restriction[];
export function rulesFor(restrictions: readonly Restriction[]): Linter.RulesRecord;
export const deviceRules: Linter.RulesRecord;
