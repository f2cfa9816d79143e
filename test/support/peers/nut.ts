/** NUT's snmp-ups driver and its server, with their own folders and port. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../free-port";
import { runProgram } from "../run-program";

const DRIVER = "/usr/lib/nut/snmp-ups";
/** The binary behind Debian's wrapper script, which reads /etc/nut. */
const SERVER = "/lib/nut/upsd";

export class Nut {
  readonly #folder = mkdtempSync(join(tmpdir(), "nut-"));
  readonly #children: ChildProcess[] = [];
  #port = 0;
  #output = "";

  /** `lines`: content of the section in ups.conf. */
  static async start(lines: readonly string[]): Promise<Nut> {
    const nut = new Nut();
    nut.#port = await freePort();
    const write = (name: string, text: string): void => writeFileSync(join(nut.#folder, name), text, { mode: 0o600 });
    write("ups.conf", `pollinterval = 1\n[pack]\n${["driver = snmp-ups", "pollfreq = 1", ...lines].join("\n")}\n`);
    write("upsd.conf", `LISTEN 127.0.0.1 ${nut.#port}\n`);
    write("upsd.users", "");
    nut.#spawn(DRIVER, ["-a", "pack", "-D", "-u", "root"]);
    nut.#spawn(SERVER, ["-D", "-u", "root"]);
    return nut;
  }

  /** Output of driver and server. */
  get output(): string {
    return this.#output;
  }

  /** The variables as reported by upsc; undefined while the server has no fresh ones. */
  async variables(): Promise<Record<string, string> | undefined> {
    const { code, stdout } = await runProgram("upsc", [`pack@127.0.0.1:${this.#port}`]);
    if (code) return undefined;
    return Object.fromEntries([...stdout.matchAll(/^([\w.-]+): (.*)$/gm)].map(([, name, value]) => [name!, value!]));
  }

  stop(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(program: string, parameters: readonly string[]): void {
    const env = {
      ...process.env,
      NUT_CONFPATH: this.#folder,
      NUT_STATEPATH: this.#folder,
      NUT_ALTPIDPATH: this.#folder,
    };
    const child = spawn(program, parameters, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.#output += text));
    child.on("error", (error) => (this.#output += `${error.message}\n`));
    this.#children.push(child);
  }
}
