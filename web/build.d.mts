/** One file of the page as it goes over the wire. */
export interface Fact {
  readonly name: string;
  /** Content-Type. */
  readonly type: string;
  /** Bytes, gzip-compressed. */
  readonly size: number;
  /** Hexadecimal digits, without quotes. */
  readonly etag: string;
  /** Its name in the folder. */
  readonly file: string;
}

/** Bytes that all files together may have. */
export const MAX_SIZE: number;

/** Builds the page into `out`; throws when it is too large. */
export function buildWeb(options?: { out?: string; log?: (line: string) => void }): Promise<Fact[]>;
