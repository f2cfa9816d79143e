/** Reverse proxies with the configurations of docs/security.md, without TLS: Debian's nginx, Caddy and HAProxy. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port";
import { documentedFor, isOpen, Nginx } from "./nginx";

export interface Proxy {
  readonly port: number;
  stop(): Promise<void>;
}

const DEVICE = "192.168.1.20:80";

/** Program, its parameters before the file, and the file. */
type Command = (port: number, device: string) => readonly [program: string, parameters: string[], text: string];

const caddy =
  (site: string): Command =>
  (port, device) => [
    "/usr/bin/caddy",
    ["run", "--adapter", "caddyfile", "--config"],
    `{\n    admin off\n}\n${documentedFor("caddyfile", `${site} {`, [
      [`${site} {`, `http://127.0.0.1:${port} {`],
      [DEVICE, device],
    ])}`,
  ];

const haproxy =
  (frontend: string, bound: number): Command =>
  (port, device) => [
    "/usr/sbin/haproxy",
    ["-db", "-f"],
    documentedFor("haproxy", `frontend ${frontend}\n`, [
      [`bind :${bound} ssl crt /etc/ssl/battery-and-key.pem`, `bind 127.0.0.1:${port}`],
      [DEVICE, device],
    ]),
  ];

const COMMANDS = {
  caddy: [caddy("battery.example.org"), caddy("example.org:8443")],
  haproxy: [haproxy("battery", 443), haproxy("example", 8443)],
} as const;

/** @param isBelow below the path /bms/ */
export async function startProxy(name: "nginx" | "caddy" | "haproxy", isBelow: boolean, url: string): Promise<Proxy> {
  if (name === "nginx") {
    const nginx = new Nginx();
    await (isBelow ? nginx.startBelow(url) : nginx.startPlain(url));
    return nginx;
  }
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const port = await freePort();
  const [program, parameters, text] = COMMANDS[name][isBelow ? 1 : 0](port, new URL(url).host);
  const file = join(folder, "config");
  writeFileSync(file, text);
  const child: ChildProcess = spawn(program, [...parameters, file], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  });
  let words = "";
  child.stderr?.on("data", (bytes) => (words += String(bytes)));
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`${name}: ${words}`)));
  failed.catch(() => undefined);
  while (!(await Promise.race([isOpen(port), failed])));
  return {
    port,
    async stop() {
      // At SIGTERM Caddy waits for the page's event stream to end.
      if (child.exitCode === null && child.kill("SIGKILL")) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
