/** Debian's nginx: with the server block of docs/security.md, or as a service that is called. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port";
import type { ServerFiles } from "../tls/certificates";

/** Debian installs it outside a user's PATH. */
const NGINX = "/usr/sbin/nginx";

export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .on("connect", () => resolve(!!socket.destroy()))
      .on("error", () => resolve(false));
  });

/** The documented configuration with this server name, with each text replaced. Throws if one is missing. */
function documented(name: string, replacements: readonly (readonly [string, string])[]): string {
  const blocks = [...readFileSync("docs/security.md", "utf8").matchAll(/```nginx\n([^`]*)```/g)].map(
    ([, text = ""]) => text,
  );
  const text = blocks.find((block) => block.includes(`server_name ${name};`)) ?? "";
  return replacements.reduce((config, [from, to]) => {
    if (!config.includes(from)) throw new Error(`docs/security.md: no ${from}`);
    return config.replaceAll(from, to);
  }, text);
}

export class Nginx {
  readonly #folder = mkdtempSync(join(tmpdir(), "nginx-"));
  #child: ChildProcess | undefined;
  #words = "";
  port = 0;

  /** Reverse proxy for the device at `url`. */
  start(url: string, { chain, key }: ServerFiles): Promise<void> {
    return this.#run((listen) =>
      documented("battery.example.org", [
        ["listen 443 ssl", `${listen} ssl`],
        ["/etc/ssl/battery.pem", chain],
        ["/etc/ssl/battery.key", key],
        ["http://192.168.1.20", url],
      ]),
    );
  }

  /** Reverse proxy below the path /bms/, without TLS. */
  startBelow(url: string): Promise<void> {
    return this.#run((listen) =>
      documented("example.org", [
        ["listen 8443 ssl", listen],
        ["    ssl_certificate     /etc/ssl/battery.pem;\n", ""],
        ["    ssl_certificate_key /etc/ssl/battery.key;\n", ""],
        ["http://192.168.1.20", url],
      ]),
    );
  }

  /** A service that answers every request with 200 and `answer`. */
  serve({ chain, key }: ServerFiles, answer: string): Promise<void> {
    return this.#run(
      (listen) =>
        `server { ${listen} ssl; ssl_certificate ${chain}; ssl_certificate_key ${key}; location / { return 200 "${answer}"; } }\n`,
    );
  }

  async #run(serverOf: (listen: string) => string): Promise<void> {
    this.port = await freePort();
    const server = serverOf(`listen 127.0.0.1:${this.port}`);
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${this.#folder}/${name};`,
    );
    const config = join(this.#folder, "nginx.conf");
    writeFileSync(
      config,
      `daemon off; master_process off; pid ${this.#folder}/pid; error_log stderr;\n` +
        `events {}\nhttp { access_log off; ${paths.join(" ")}\n${server}}\n`,
    );
    const child = spawn(NGINX, ["-c", config, "-p", this.#folder, "-e", "stderr"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    child.stderr.on("data", (bytes) => (this.#words += String(bytes)));
    const failed = once(child, "exit").then(() => Promise.reject(new Error(`nginx: ${this.#words}`)));
    failed.catch(() => undefined);
    while (!(await Promise.race([isOpen(this.port), failed])));
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.kill()) await once(child, "exit");
    rmSync(this.#folder, { recursive: true });
  }
}
