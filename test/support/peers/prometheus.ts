import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port";

/** Debian's Prometheus. */
export class Prometheus {
  readonly #folder: string;
  readonly #port: number;
  readonly #process: ChildProcess;
  readonly #gone: Promise<unknown>;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#process = spawn(
      "prometheus",
      [
        `--config.file=${join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=error",
      ],
      { stdio: ["ignore", "inherit", "inherit"] },
    );
    this.#gone = new Promise((resolve) => this.#process.once("exit", resolve));
  }

  /** Scrapes one device twice a second. `target`: host and port of the device; `token`: its API's. */
  static async start(target: string, token: string): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), "prometheus-"));
    writeFileSync(join(folder, "token"), token);
    writeFileSync(
      join(folder, "prometheus.yml"),
      `scrape_configs:
  - job_name: bms
    scrape_interval: 500ms
    scrape_timeout: 500ms
    authorization:
      credentials_file: ${join(folder, "token")}
    static_configs:
      - targets: ["${target}"]
`,
    );
    return new Prometheus(folder, await freePort());
  }

  /** With the configuration `prometheus.yml` of a folder, which is removed in the end. */
  static async startIn(folder: string): Promise<Prometheus> {
    return new Prometheus(folder, await freePort());
  }

  /** Alerts that are pending or firing, by name and instance. */
  async alerts(): Promise<string[]> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/alerts`);
    const { data } = (await response.json()) as {
      data: { alerts: { labels: { alertname: string; site?: string; name?: string } }[] };
    };
    return data.alerts.map(({ labels }) => [labels.alertname, labels.site, labels.name].filter(Boolean).join(" "));
  }

  /** First value of the result; undefined if empty or while Prometheus is starting. */
  async query(query: string): Promise<number | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/query?query=${encodeURIComponent(query)}`);
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } };
      const value = data.result[0]?.value[1];
      return value === undefined ? undefined : Number(value);
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
