/** HTTP load from a process of its own. */
import { spawn } from "node:child_process";
import { TOKEN } from "../support/system/system";

const AUTOCANNON = "node_modules/autocannon/autocannon.js";

export interface LoadResult {
  readonly requests: { readonly average: number };
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
}

export interface Load {
  readonly result: Promise<LoadResult>;
  stop(): void;
}

/** Keep-alive clients that ask again as soon as they are answered. */
export function load(url: string, connections: number, seconds: number): Load {
  const child = spawn(
    process.execPath,
    [AUTOCANNON, "-j", "-c", `${connections}`, "-d", `${seconds}`, "-H", `Authorization=Bearer ${TOKEN}`, url],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let json = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (json += text));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { result: ended.then(() => JSON.parse(json) as LoadResult), stop: () => child.kill("SIGKILL") };
}
