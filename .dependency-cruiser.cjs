/**
 * Imports point one way: interfaces import components, components import modules/, nothing imports an interface, except firmware.ts and
 * main.ts, which starts it.
 */
const INTERFACES = "^src/(api|web|mqtt|snmp|metrics)/";
const PARTS =
  "^src/(auth|catalogue|endpoints|bms|relay|sensors|settings|network|energy|events|health|history|update|runtime)/";
/** What the Moddable SDK supplies, and the natives of modules/tls-socket. */
const PLATFORM =
  "embedded:|timer$|time$|net$|rng$|mc/config$|text/decoder$|text/encoder$|Resource$|wifi$|dns/|mdns$|sntp$|crypt$|signature$|tls/session$|application$|name-server$|ethernet-driver$|restart$|instrumentation$";

module.exports = {
  forbidden: [
    { name: "no-circular", comment: "Types count as well.", severity: "error", from: {}, to: { circular: true } },
    {
      name: "firmware-knows-no-page",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { path: "^web/" },
    },
    {
      name: "the-page-knows-only-the-firmware",
      severity: "error",
      from: { path: "^web/", pathNot: "\\.mjs$" },
      to: { path: "^(host-sim|test|scripts)/" },
    },
    {
      name: "modules-know-no-product",
      severity: "error",
      from: { path: "^modules/" },
      to: { path: "^(src|host-sim|test|scripts)/" },
    },
    {
      name: "parts-know-no-interface",
      severity: "error",
      from: { path: PARTS },
      to: { path: `${INTERFACES}|^src/[^/]+$` },
    },
    {
      name: "interfaces-know-no-interface",
      severity: "error",
      from: { path: INTERFACES },
      to: { path: INTERFACES, pathNot: "^src/$1/" },
    },
    {
      name: "the-catalogue-knows-no-part",
      severity: "error",
      from: { path: "^src/catalogue/" },
      to: { path: "^src/", pathNot: "^src/catalogue/" },
    },
    {
      name: "only-main-knows-all",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(main|firmware)\\.ts" },
      to: { path: "^src/(main|firmware|platform)\\.ts" },
    },
    {
      name: "firmware-knows-no-host",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { path: "^(host-sim|test|scripts)/" },
    },
    {
      name: "firmware-knows-no-node",
      comment: "The platform has a module of its own called net.",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { dependencyTypes: ["core"], pathNot: "^net$" },
    },
    {
      name: "firmware-knows-no-npm",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { path: "node_modules", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "firmware-knows-only-the-platform",
      comment: "What does not resolve must be a module that the Moddable SDK supplies.",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { couldNotResolve: true, pathNot: `^(${PLATFORM})` },
    },
    { name: "host-sim-knows-no-test", severity: "error", from: { path: "^host-sim/" }, to: { path: "^test/" } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};
