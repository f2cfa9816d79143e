/** One file of the page as served. */
export interface Fact {
  readonly name: string;
  /** Content-Type. */
  readonly type: string;
  /** Bytes, gzip-compressed. */
  readonly size: number;
  /** Hexadecimal digits, without quotes: CRC-32 and length of the content. */
  readonly etag: string;
  /** File name in the output folder. */
  readonly file: string;
}

/** Names of the files that a browser loads before the page shows anything. */
export function firstFiles(language: string): string[];

/** Builds the page into `out`, however large it is. */
export function buildWeb(options?: {
  out?: string;
  log?: (line: string) => void;
  /** Parts to leave out, scripts/parts.mjs. */
  without?: readonly string[];
}): Promise<Fact[]>;
