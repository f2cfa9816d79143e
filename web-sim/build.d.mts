export interface DemoOptions {
  /** Default: build/demo. */
  readonly out?: string;
  /** Folder of the built page. Default: build/web. */
  readonly page?: string;
  /** Another entry point of the dedicated worker. */
  readonly worker?: string;
}

/** Bytes of each file. */
export function buildDemo(options?: DemoOptions): Promise<Record<string, number>>;
