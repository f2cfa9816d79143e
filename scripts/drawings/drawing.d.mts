/** In the light, in the dark. */
export const COLOURS: Readonly<
  Record<
    | "paper"
    | "ink"
    | "never"
    | "pack"
    | "part"
    | "board"
    | "other"
    | "edge"
    | "plus"
    | "minus"
    | "orange"
    | "green"
    | "blue"
    | "brown"
    | "white",
    readonly [light: string, dark: string]
  >
>;

type TextOptions = { kind?: string; bold?: boolean; size?: number; anchor?: "start" | "middle" | "end" };
export class Drawing {
  constructor(title: string);
  text(x: number, y: number, words: string, options?: TextOptions): this;
  lines(x: number, y: number, all: readonly string[], options?: TextOptions): this;
  box(x: number, y: number, width: number, height: number, kind: string, lines?: readonly string[]): this;
  terminal(x: number, y: number, width: number, height: number, ...lines: readonly string[]): this;
  wire(kind: string, points: string, thickness?: number): this;
  svg(height: number): string;
}
