/** What an image was linked from, by the linker's map: bytes in flash and in RAM by part. */

/**
 * Parts of an image, by the archive that an object is from, or in the script's own archive by the object. What is of none is the last.
 * @type {readonly (readonly [part: string, names: RegExp])[]}
 */
const PARTS = [
  ["`mc.xs.c`", /^mc\.xs\.c\.o$/],
  ["the page and the roots", /^mc\.resources\.c\.o$/],
  ["the XS engine", /^xs(?:[A-Z]\w*|dtoa|mc)\.c\.o$/],
  ["natives of the SDK and this project", /\.c\.o$/],
  [
    "Wi-Fi with its WPA supplicant",
    /^lib(?:net80211|pp|phy|core|mesh|espnow|wapi|wpa_supplicant|esp_wifi|esp_phy|esp_coex|coexist)\.a$/,
  ],
  ["lwIP and esp_netif", /^lib(?:lwip|esp_netif)\.a$/],
  ["Mbed TLS and PSA", /^lib(?:mbed\w*|tfpsacrypto|everest|p256m)\.a$/],
  ["libc, libm, libgcc", /^lib(?:c|m|gcc|esp_libc|pthread|stdc\+\+|cxx)\.a$/],
  ["FreeRTOS", /^libfreertos\.a$/],
  ["NVS and core dump", /^lib(?:nvs_flash|espcoredump)\.a$/],
  ["Ethernet", /^lib(?:esp_eth|eth\w*)\.a$/],
  ["ESP-IDF's other parts, and gaps", /^/],
];

/** Output sections by where they are: flash, code in RAM, data, zeroed. */
const PLACES = [
  [".flash.text", ".flash.rodata", ".flash.appdesc"],
  [".iram0.text", ".iram0.vectors"],
  [".dram0.data"],
  [".dram0.bss"],
];

/** A piece of an output section: its size, and the file that it is from; a gap has none. */
const PIECE = /^ (?:\S+)?\s+0x[\da-f]+\s+0x([\da-f]+)(?: (.*))?$/;

/** "libc.a" of "lib/libc.a(memcpy.o)", but the object of the archive that the SDK makes of the script and all natives. */
function sourceOf(file) {
  const [, archive = "", object = ""] = /([^/(]+)(?:\((.*)\))?$/.exec(file) ?? [];
  return archive.startsWith("xs_esp32") ? object : archive;
}

/** @returns `[part, flash, code in RAM, data, zeroed]` of each part that there is, the largest first, and of all together */
export function linkedParts(map) {
  const found = new Map(PARTS.map(([part]) => [part, PLACES.map(() => 0)]));
  const together = PLACES.map(() => 0);
  let place = -1;
  for (const line of map.slice(map.indexOf("\nLinker script and memory map")).split("\n")) {
    const [section] = /^\.\S+/.exec(line) ?? [];
    if (section) place = PLACES.findIndex((sections) => sections.includes(section));
    const [, size, file = ""] = (place >= 0 && PIECE.exec(line)) || [];
    if (size === undefined) continue;
    const source = sourceOf(file);
    const [part = ""] = PARTS.find(([, names]) => names.test(source)) ?? [];
    for (const bytes of [found.get(part), together]) if (bytes) bytes[place] = (bytes[place] ?? 0) + parseInt(size, 16);
  }
  const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
  /** @type {[string, number[]][]} */
  const rows = [...found].filter(([, bytes]) => sum(bytes)).sort(([, one], [, other]) => sum(other) - sum(one));
  rows.push(["together", together]);
  return rows.map(([part, bytes]) => [part, ...bytes]);
}
