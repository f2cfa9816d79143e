export interface StaticFiles {
  /** Of the folder's index, without the slash at its end. */
  readonly url: string;
  readonly close: () => Promise<unknown>;
}

/** The file at a path below the folder; undefined: there is none, or it is elsewhere. */
export function fileAt(folder: string, path: string): string | undefined;

/** `below`: such as "/a/b", outside of which everything is 404. `port`: default any. */
export function serveFolder(folder: string, options?: { below?: string; port?: number }): Promise<StaticFiles>;
