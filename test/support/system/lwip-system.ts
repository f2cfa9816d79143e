/**
 * The whole firmware in one program under AddressSanitizer, on XS: its sockets are the device's own classes (boards/esp32/sockets) on
 * Debian's lwIP; the rest of the platform is the simulator's. Clients and servers are the host's (test/native/firmware/gateway.c).
 */
import { get } from "node:http";
import { resolve } from "node:path";
import type { Plugin } from "esbuild";
import { root } from "../../../host-sim/specifiers.mjs";
import { bundleForXs, type Bundle } from "../../../host-sim/xs/bundle";
import type { XsMachine } from "../../../host-sim/xs/machine";
import { buildNative } from "../boards/native-program";
import { System, TOKEN, type SystemOptions } from "./system";

const SOCKETS = "boards/esp32/sockets";
const PART = "test/native/firmware";
/** Same as in gateway.c: the address at which the device reaches servers of this host. */
export const SERVER = "10.0.0.100";
const DEVICE_PORT = 80;

/** Platform modules that replace the simulator's here. */
const OWN: Readonly<Record<string, string>> = {
  "embedded:io/socket/listener": `${SOCKETS}/listener.js`,
  "embedded:io/socket/tcp": `${SOCKETS}/tcp.js`,
  "embedded:io/socket/udp": `${SOCKETS}/udp.js`,
};

const ownModules = (modules: Readonly<Record<string, string>>): Plugin => ({
  name: "the device's own modules",
  setup(build) {
    for (const [name, path] of Object.entries(modules))
      build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: resolve(root, path) }));
  },
});

let built: Promise<readonly [string, string]> | undefined;

async function buildProgram(): Promise<readonly [string, string]> {
  const { file, script } = await buildNative({
    name: "firmware",
    sources: ["sockets", "tcp", "listener", "udp"]
      .map((name) => `${SOCKETS}/${name}.c`)
      .concat(`${PART}/worker.c`, `${PART}/gateway.c`, "test/native/lwip/idf.c", "test/native/lwip/packets.c"),
    includes: [SOCKETS, "test/native/lwip", PART],
    system: ["/usr/include/lwip"],
    libraries: ["-l:liblwip.so.0"],
    script: `${PART}/device.js`,
    modules: {},
  });
  return [file, script];
}

const bundles = new Map<string, Promise<Bundle>>();

/** Once for the same modules: a test may start many. */
function bundleWith(modules: Readonly<Record<string, string>>): Promise<Bundle> {
  const key = JSON.stringify(modules);
  let bundle = bundles.get(key);
  if (!bundle) bundles.set(key, (bundle = bundleForXs(`${PART}/entry.ts`, [ownModules(modules)])));
  return bundle;
}

export class LwipSystem {
  private constructor(
    readonly system: System,
    readonly machine: XsMachine,
  ) {}

  /** `modules`: files that replace further modules of the simulator, by name. */
  static async start(
    { board = {}, ...options }: SystemOptions = {},
    modules: Readonly<Record<string, string>> = {},
  ): Promise<LwipSystem> {
    const program = await (built ??= buildProgram());
    const bundle = await bundleWith({ ...OWN, ...modules });
    let machine: XsMachine | undefined;
    const system = await System.start({
      ...options,
      board: { ...board, config: { ...board.config, httpPort: DEVICE_PORT } },
      engine: "xs",
      xs: { program, bundle, onLoaded: (loaded) => void (machine = loaded) },
    });
    // Tests see no more than a broken pipe.
    void machine!.worker.ended.then((code) => {
      if (code) console.error(`The program ended with ${code}:\n${system.console.slice(-10).join("")}`);
    });
    return new LwipSystem(system, machine!);
  }

  /** Port on this host that leads to the device's HTTP server. */
  get port(): number {
    return this.machine.ask("hostPort") as number;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Peak number of messages waiting for the firmware. */
  get mostMessages(): number {
    return this.machine.ask("mostMessages") as number;
  }

  /** The device's C gets so many allocations, and none after them; -1: as many as it wants. */
  failAllocations(after: number): void {
    this.machine.ask("failAllocations", after);
  }

  /** Sends a request on a new connection from `localAddress`; resolves to its status, 0 without a response. */
  ask(path: string, localAddress: string): Promise<number> {
    return new Promise((resolve) =>
      get(
        {
          ...{ host: "127.0.0.1", port: this.port, path, localAddress, agent: false },
          headers: { Authorization: `Bearer ${TOKEN}` },
        },
        (response) =>
          response
            .resume()
            .on("end", () => resolve(response.statusCode ?? 0))
            .on("error", () => resolve(0)),
      ).on("error", () => resolve(0)),
    );
  }

  /** Forwards port `inside` of SERVER to the host's port `outside`. */
  forward(inside: number, outside: number): void {
    this.machine.ask("forward", inside, outside);
  }

  /** Sends the device this many segments that belong to no connection or start one that is never completed. */
  storm(segments: number): void {
    this.machine.ask("storm", segments);
  }

  /** Cuts the power. Rejects with the program's output if it exited abnormally or AddressSanitizer reported an error. */
  async stop(): Promise<void> {
    const { system, machine } = this;
    system.stop();
    const status = await machine.worker.ended;
    if (status !== 0) throw new Error(`the program has ended with ${status}: ${system.console.join("")}`);
  }
}
