/** Names in docs and comments that belong to other projects. */
const PATHS = [
  // The Moddable SDK's.
  /^modules\/(io|network|data|base|crypt|files|drivers)\b/,
  /^examples\/io\b/,
];
const FILES = new Set([
  // ESP-IDF's.
  "esp_image_format.h",
  "memory.ld",
  // xsl's and the SDK's.
  "mc.xs.c",
  "mc.resources.c",
  "xsSourceMap.c",
  // The npm package's, @agoric/xsnap
  "xsnap-worker.c",
]);

const NAMES = [
  // ESP-IDF and lwIP.
  /^(ESP|TCP|MEMP|RXFIFO|TXFIFO)_[A-Z0-9_]+$/,
  /^esp_\w+_t$/,
  // Output files of xsl; SDK manifests.
  /^gx[A-Z]\w+$/,
  /^preload$/,
  // BMS models.
  /^JK_PB$/,
  // Programs and standards, and names defined by them.
  /^(AddressSanitizer|ArrayBuffers|ClientHello|DevKit[A-Z]?|FreeRTOS|GitHub|JavaScript|MurmurHash3|OpenAPI|StartupGuard)$/,
  /^(StrykerJS|SubjectAltName|TempSensorAbsent|TimeTicks|TypeScript|TypedArraySetElement|WebSocket|prototype|satisfies)$/,
];

export const isForeignName = (name) => NAMES.some((pattern) => pattern.test(name));
export const isForeign = (path) => PATHS.some((pattern) => pattern.test(path));
export const isForeignFile = (name) => FILES.has(name);
