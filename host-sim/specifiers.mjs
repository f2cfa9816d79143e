import { existsSync, readdirSync } from "node:fs";
import { root } from "./root.mjs";

export { root };

/** The platform's module specifiers with the simulator's file for each, shared by esbuild, vitest and the XS host. */
export const PLATFORM = {
  "embedded:io/serial": "host-sim/io/serial.ts",
  "embedded:io/digital": "host-sim/io/digital.ts",
  "embedded:io/analog": "host-sim/io/analog.ts",
  "embedded:io/socket/tcp": "host-sim/io/tcp.ts",
  "embedded:io/socket/tcp/tls": "host-sim/io/tls.ts",
  "embedded:io/socket/listener": "host-sim/io/listener.ts",
  "embedded:io/socket/udp": "host-sim/io/udp.ts",
  "embedded:network/dns/resolver/udp": "host-sim/io/dns-resolver.ts",
  "embedded:network/mqtt/client": "host-sim/io/mqtt-client.ts",
  "embedded:network/interface/ethernet": "host-sim/io/ethernet.ts",
  "ethernet-driver": "host-sim/io/ethernet-driver.ts",
  "embedded:network/interface/wifi": "host-sim/io/wifi-station.ts",
  wifi: "host-sim/io/wifi.ts",
  "embedded:storage/key-value": "host-sim/io/key-value.ts",
  "embedded:storage/flash": "host-sim/io/flash.ts",
  "embedded:update": "host-sim/io/update.ts",
  Resource: "host-sim/io/resource.ts",
  application: "host-sim/io/application.ts",
  "name-server": "host-sim/io/name-server.ts",
  crypt: "host-sim/io/crypt.ts",
  signature: "host-sim/io/signature.ts",
  timer: "host-sim/io/timer.ts",
  time: "host-sim/io/time.ts",
  net: "host-sim/io/net.ts",
  rng: "host-sim/io/rng.ts",
  instrumentation: "host-sim/io/instrumentation.ts",
  "mc/config": "host-sim/io/config.ts",
  "text/decoder": "host-sim/io/text-decoder.ts",
  "text/encoder": "host-sim/io/text-encoder.ts",
};

/** The firmware's own modules (`modbus/bus` → modules/modbus/bus.ts). */
const moduleAliases = readdirSync(`${root}modules`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ find: new RegExp(`^${name}\\/`), replacement: `${root}modules/${name}/` }));

/** Aliases for vite and esbuild: the platform's specifiers and the firmware's own modules. */
export const aliases = [
  ...Object.entries(PLATFORM).map(([specifier, file]) => ({
    find: new RegExp(`^${specifier.replaceAll("/", "\\/")}$`),
    replacement: root + file,
  })),
  ...moduleAliases,
];

function aliasPlugin(name, list, place = (path) => path) {
  return {
    name,
    setup(build) {
      for (const { find, replacement } of list) {
        build.onResolve({ filter: find }, ({ path }) => ({
          path: place(path.replace(find, replacement).replace(/(?<!\.ts)$/, ".ts")),
        }));
      }
    },
  };
}

/** The same list as an esbuild plugin. */
export const esbuildPlatform = aliasPlugin("platform", aliases);

/** For the firmware on XS, where each file replaces its namesake in host-sim/io and works across a pipe. */
export const esbuildPlatformOnXs = aliasPlugin("platform on XS", aliases, (path) =>
  path.replace(`${root}host-sim/io/`, `${root}host-sim/xs/device/`),
);

/** In a browser, where a file of web-sim/io replaces its namesake in host-sim/io. */
export const esbuildPlatformInBrowser = aliasPlugin("platform in a browser", aliases, (path) => {
  const own = path.replace(`${root}host-sim/io/`, `${root}web-sim/io/`);
  return existsSync(own) ? own : path;
});

/** Only the firmware's own modules: for the device, which provides the platform's. */
export const esbuildModules = aliasPlugin("modules", moduleAliases);
