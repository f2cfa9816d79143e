/** Debian's rsyslog and syslog-ng as ordinary processes, each on a UDP port of its own, that write what they have parsed as JSON, a message a line. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freeUdpPort } from "../free-port";

/** What a server found in a message. */
export interface Parsed {
  readonly facility: string;
  readonly severity: string;
  /** "-": the server had to take its own. */
  readonly time: string;
  readonly host: string;
  readonly program: string;
  readonly process: string;
  readonly id: string;
  /** Structured data: parameters by element. Names in lower case, as rsyslog has them. */
  readonly data: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly text: string;
}

interface Daemon {
  readonly package: string;
  readonly program: string;
  readonly libraries: readonly string[];
  readonly parameters: (root: string, folder: string) => readonly string[];
  readonly config: (folder: string, port: number) => string;
  readonly parse: (line: string) => Parsed;
}

/** Where scripts/setup/debian.mjs unpacks them. */
const UNPACKED = "/usr/local/lib/jk-bms-tests";
const LIBRARIES = [
  "usr/lib/x86_64-linux-gnu",
  "usr/lib/aarch64-linux-gnu",
  "lib/x86_64-linux-gnu",
  "lib/aarch64-linux-gnu",
];

const lowered = (data: Record<string, Record<string, string>>): Parsed["data"] =>
  Object.fromEntries(
    Object.entries(data).map(([element, parameters]) => [
      element,
      Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value])),
    ]),
  );

const RSYSLOG: Daemon = {
  package: "rsyslog",
  program: "usr/sbin/rsyslogd",
  libraries: LIBRARIES,
  parameters: (root, folder) => [
    "-n",
    ...["-f", join(folder, "config"), "-i", join(folder, "pid")],
    ...["-M", LIBRARIES.map((path) => join(root, path, "rsyslog")).join(":")],
  ],
  config: (folder, port) => `
module(load="imudp")
module(load="mmpstrucdata")
global(workDirectory="${folder}")
template(name="json" type="string" string="%jsonmesg%\\n")
input(type="imudp" address="127.0.0.1" port="${port}" ruleset="in")
ruleset(name="in") {
  action(type="mmpstrucdata")
  action(type="omfile" file="${join(folder, "out")}" template="json")
}
`,
  parse: (line) => {
    const found = JSON.parse(line) as Record<string, string> & {
      "$!": { "rfc5424-sd": Record<string, Record<string, string>> };
    };
    const [, time = ""] = /^<\d+>1 (\S+) /.exec(found["rawmsg"]!) ?? [];
    const pri = Number(found["pri"]);
    return {
      facility: pri >> 3 >= 16 ? `local${(pri >> 3) - 16}` : String(pri >> 3),
      severity: ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"][
        Number(found["syslogseverity"])
      ]!,
      time: time === "-" ? "-" : new Date(found["timereported"]!).toISOString(),
      host: found["hostname"]!,
      program: found["app-name"]!,
      process: found["procid"]!,
      id: found["msgid"]!,
      data: lowered(found["$!"]["rfc5424-sd"]),
      text: found["msg"]!,
    };
  },
};

/** The recipe of docs/syslog.md that begins so. */
function documented(begin: string): string {
  const page = readFileSync(new URL("../../../docs/syslog.md", import.meta.url), "utf8");
  const from = page.indexOf(`\n${begin}`) + 1;
  if (!from) throw new Error(`docs/syslog.md has no recipe with ${begin}`);
  return page.slice(from, page.indexOf("```", from));
}

const SYSLOG_NG: Daemon = {
  package: "syslog-ng-core",
  program: "usr/sbin/syslog-ng",
  libraries: ["usr/lib/syslog-ng", ...LIBRARIES],
  parameters: (root, folder) => [
    ...["--foreground", "--no-caps", "--stderr"],
    ...["--module-path", join(root, "usr/lib/syslog-ng/3.38"), "--cfgfile", join(folder, "config")],
    ...[
      "--persist-file",
      join(folder, "persist"),
      "--control",
      join(folder, "control"),
      "--pidfile",
      join(folder, "pid"),
    ],
  ],
  config: (folder, port) => `@version: 3.38
options { use-dns(no); dns-cache(no); };
${documented("options {")
  .replace("port(514)", `ip("127.0.0.1") port(${port})`)
  .replace("/var/log/bms.json", join(folder, "out"))
  .replace("--scope sdata", '--scope sdata --key PRI --key ISODATE --pair RECEIVED=\\"$R_ISODATE\\"')}`,
  parse: (line) => {
    const found = JSON.parse(line) as Record<string, string> & { _SDATA: Record<string, Record<string, string>> };
    return {
      facility: found["FACILITY"]!,
      severity: found["PRIORITY"]!,
      time: found["ISODATE"] === found["RECEIVED"] ? "-" : new Date(found["ISODATE"]!).toISOString(),
      host: found["HOST"]!,
      program: found["PROGRAM"]!,
      process: found["PID"]!,
      id: found["MSGID"]!,
      data: lowered(found._SDATA),
      text: found["MESSAGE"]!,
    };
  },
};

export class SyslogServer {
  readonly #daemon: Daemon;
  readonly #folder = mkdtempSync(join(tmpdir(), "syslog-"));
  #child: ChildProcess | undefined;
  output = "";
  port = 0;

  private constructor(daemon: Daemon) {
    this.#daemon = daemon;
  }

  /** @param config in place of its own, which `messages` needs */
  static async start(
    name: "rsyslog" | "syslog-ng-core",
    config?: (folder: string, port: number) => string,
  ): Promise<SyslogServer> {
    const daemon = name === "rsyslog" ? RSYSLOG : SYSLOG_NG;
    const server = new SyslogServer(daemon);
    const folder = server.#folder;
    const root = join(UNPACKED, daemon.package);
    server.port = await freeUdpPort();
    writeFileSync(join(folder, "config"), (config ?? daemon.config)(folder, server.port));
    const child = spawn(join(root, daemon.program), daemon.parameters(root, folder), {
      env: { ...process.env, TZ: "UTC", LD_LIBRARY_PATH: daemon.libraries.map((path) => join(root, path)).join(":") },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (server.output += text));
    child.on("error", (error) => (server.output += `${error.message}\n`));
    server.#child = child;
    const listening = `0100007F:${server.port.toString(16).toUpperCase()} `;
    while (!readFileSync("/proc/net/udp", "utf8").includes(listening)) {
      if (child.exitCode !== null) throw new Error(`${name} has ended: ${server.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return server;
  }

  /** Everything parsed so far, in order of arrival. */
  messages(): Parsed[] {
    const file = join(this.#folder, "out");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n");
    // The last may not be complete.
    return lines.slice(0, -1).map((line) => this.#daemon.parse(line));
  }

  /** The text of a file that it has written; undefined: there is none. */
  file(name: string): string | undefined {
    const path = join(this.#folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
