/**
 * A server of Go, as many of the public services are: it ignores max_fragment_length and sends its chain in one record. It is Debian's Prometheus,
 * which answers what it does not know with 404.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port";
import type { ServerFiles } from "../tls/certificates";
import { isOpen } from "./nginx";

export class GoServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "go-server-"));
  #child: ChildProcess | undefined;
  port = 0;

  async serve({ chain, key }: ServerFiles): Promise<void> {
    this.port = await freePort();
    const file = (name: string, text: string): string => {
      const path = join(this.#folder, name);
      writeFileSync(path, text);
      return path;
    };
    const child = spawn(
      "prometheus",
      [
        `--config.file=${file("prometheus.yml", "scrape_configs: []\n")}`,
        `--web.config.file=${file("web.yml", `tls_server_config: { cert_file: ${chain}, key_file: ${key} }\n`)}`,
        `--storage.tsdb.path=${join(this.#folder, "data")}`,
        `--web.listen-address=127.0.0.1:${this.port}`,
        "--log.level=error",
      ],
      // It tells of every handshake that fails.
      { stdio: "ignore" },
    );
    this.#child = child;
    const failed = once(child, "exit").then(() => Promise.reject(new Error("prometheus has ended")));
    failed.catch(() => undefined);
    while (!(await Promise.race([isOpen(this.port), failed])));
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.kill()) await once(child, "exit");
    rmSync(this.#folder, { recursive: true });
  }
}
