/** One file of the page as served. */
export interface Fact {
  readonly name: string;
  /** Content-Type. */
  readonly type: string;
  /** Bytes, gzip-compressed. */
  readonly size: number;
  /** Hexadecimal digits, without quotes. */
  readonly etag: string;
  /** File name in the output folder. */
  readonly file: string;
}

/** Limit for all files together, bytes. */
export const MAX_SIZE: number;

/** Builds the page into `out`; throws when it exceeds the limit. */
export function buildWeb(options?: { out?: string; log?: (line: string) => void }): Promise<Fact[]>;
