/** Names in docs and comments of what is not in this repository. */
const PATHS = [
  // The Moddable SDK's.
  /^modules\/(io|network|data|base|crypt|files|drivers)\b/,
  /^examples\/io\b/,
];
const FILES = new Set([
  // ESP-IDF's.
  "esp_image_format.h",
  "esp_netif_lwip.c",
  "idf.py",
  "memory.ld",
  "nvs_tool.py",
  // xsl's and the SDK's.
  "modNet.c",
  "mc.xs.c",
  "mc.resources.c",
  "xsSourceMap.c",
  // The npm package's, @agoric/xsnap
  "xsnap-worker.c",
  // Of another project about the BMS.
  "BMS_JK-PB.md",
  // What web/build.mjs makes.
  "app.js",
  "en.js",
  "pt.js",
  "facts.json",
  // The reader's own.
  "evcc.yaml",
  "write.sh",
]);

const NAMES = [
  // ESP-IDF and lwIP.
  /^(ESP|TCP|MEMP|RXFIFO|TXFIFO)_[A-Z0-9_]+$/,
  /^esp_\w+_t$/,
  // The engine's functions and constants; output files of xsl; SDK manifests.
  /^(fx[A-Z]|XS_[A-Z])\w+$/,
  /^gx[A-Z]\w+$/,
  /^preload$/,
  // BMS models.
  /^JK_PB$/,
  // Programs and standards, and names defined by them.
  /^(AddressSanitizer|ArrayBuffers|ClientHello|DevKit[A-Z]?|FreeRTOS|GitHub|JavaScript|MurmurHash3|OpenAPI|StartupGuard|SunSpec)$/,
  /^(StrykerJS|SubjectAltName|TempSensorAbsent|TimeTicks|TypeScript|TypedArraySetElement|WebSocket|VitePress|prototype|satisfies)$/,
];

export const isForeignName = (name) => NAMES.some((pattern) => pattern.test(name));
export const isForeign = (path) => PATHS.some((pattern) => pattern.test(path));
export const isForeignFile = (name) => FILES.has(name);
