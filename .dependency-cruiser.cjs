/**
 * The folders of src from the bottom up: a folder imports those of lower rows only, types included. The folders of a row do not know each
 * other. Above them is the composition root: the files of src itself.
 */
const LAYERS = [
  ["runtime"],
  ["catalogue", "settings"],
  ["conditions"],
  ["packs"],
  ["auth", "bms", "energy", "network", "relay", "sensors"],
  ["events", "history"],
  ["health", "update"],
  ["endpoints"],
  ["api", "metrics", "modbus", "mqtt", "notify", "snmp", "syslog", "web"],
];
const IMPORTS_POINT_DOWNWARDS = LAYERS.map((row, at) => ({
  name: `${row.join("-or-")}-imports-only-what-is-below`,
  severity: "error",
  from: { path: `^src/(${row.join("|")})/` },
  to: {
    path: "^src/",
    pathNot: `^src/($1${LAYERS.slice(0, at)
      .flatMap((below) => `|${below.join("|")}`)
      .join("")})/`,
  },
}));

/** What the Moddable SDK supplies, and the natives of modules/tls-socket. */
const PLATFORM =
  "embedded:|timer$|time$|net$|rng$|mc/config$|text/decoder$|text/encoder$|Resource$|wifi$|dns/|mdns$|sntp$|crypt$|signature$|tls/session$|application$|name-server$|ethernet-driver$|restart$|instrumentation$";

module.exports = {
  forbidden: [
    { name: "no-circular", comment: "Types count as well.", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-circular-folders",
      comment: "Two folders that need each other are one.",
      scope: "folder",
      severity: "error",
      from: { path: "^(src|modules)" },
      to: { circular: true },
    },
    ...IMPORTS_POINT_DOWNWARDS,
    {
      name: "every-folder-has-its-place",
      comment: "A new folder of src belongs into LAYERS.",
      severity: "error",
      from: { path: "^src/[^/]+/", pathNot: `^src/(${LAYERS.flat().join("|")})/` },
      to: {},
    },
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
      name: "only-main-knows-all",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(main|firmware)\\.ts" },
      to: { path: "^src/(main|firmware|platform)\\.ts" },
    },
    {
      name: "firmware-knows-no-host",
      severity: "error",
      from: { path: "^(src|modules)/" },
      to: { path: "^(host-sim|web-sim|test|scripts)/" },
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
    {
      name: "host-sim-knows-no-test",
      severity: "error",
      from: { path: "^host-sim/" },
      to: { path: "^(test|web-sim)/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { extensions: [".ts", ".tsx", ".mjs", ".js"] },
  },
};
