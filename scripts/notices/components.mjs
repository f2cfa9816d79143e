/**
 * What the images contain of others, apart from npm packages: reviewed by hand, for the versions of the Moddable SDK and ESP-IDF that
 * scripts/ci/versions names. check-linked.mjs fails a build that links something else.
 */

/** What THIRD-PARTY-NOTICES says of `SDK_WITHOUT_HEADER`. */
export const WITHOUT_HEADER_TEXT = [
  "These files of the Moddable SDK name no licence:",
  "The SDK's licenses/readme.md puts runtime software under the LGPL 3.0 as a general rule, but",
  "implies no licence for a file that names none. They are passed on here under",
  "LGPL-3.0-or-later, like the runtime that they are part of. Moddable has not confirmed this:",
  "if you need certainty, ask Moddable (https://www.moddable.com).",
];

/** Texts: files of LICENSES without their ending. */
export const COMPONENTS = [
  {
    name: "Moddable SDK, the XS engine included",
    of: "MODDABLE_VERSION",
    licence: "LGPL-3.0-or-later AND Apache-2.0",
    notice: [
      "Copyright (c) 2016-2026 Moddable Tech, Inc.",
      "It incorporates work covered by the Apache License, version 2.0:",
      "Copyright (C) 2010-2016 Marvell International Ltd.",
      "Copyright (C) 2002-2010 Kinoma, Inc.",
    ],
    texts: ["LGPL-3.0-or-later", "GPL-3.0-or-later", "Apache-2.0"],
  },
  { name: "dtoa, in XS (xs/sources/xsdtoa.c)", of: "MODDABLE_VERSION", licence: "dtoa", texts: ["parts/dtoa"] },
  {
    name: "fdlibm's pow, in the Moddable SDK (build/devices/esp32/lib/pow/e_pow.c)",
    of: "MODDABLE_VERSION",
    licence: "fdlibm",
    texts: ["parts/fdlibm"],
  },
  {
    name: "ESP-IDF, its Wi-Fi, coexistence and PHY libraries included",
    of: "IDF_VERSION",
    licence: "Apache-2.0",
    notice: ["Copyright (c) 2015-2026 Espressif Systems (Shanghai) CO LTD"],
    texts: ["Apache-2.0"],
  },
  {
    name: "Mbed TLS",
    of: "IDF_VERSION",
    licence: "Apache-2.0",
    notice: ["Copyright The Mbed TLS Contributors"],
    texts: ["Apache-2.0"],
  },
  { name: "FreeRTOS", of: "IDF_VERSION", licence: "MIT", texts: ["parts/freertos"] },
  { name: "lwIP", of: "IDF_VERSION", licence: "BSD-3-Clause", texts: ["parts/lwip"] },
  { name: "wpa_supplicant", of: "IDF_VERSION", licence: "BSD-3-Clause", texts: ["parts/wpa_supplicant"] },
  { name: "TLSF", of: "IDF_VERSION", licence: "BSD-3-Clause", texts: ["parts/tlsf"] },
  { name: "Xtensa HAL (ESP32, ESP32-S3)", of: "IDF_VERSION", licence: "MIT", texts: ["parts/xtensa"] },
  { name: "Picolibc", of: "IDF_VERSION", licence: "BSD and similar", texts: ["parts/picolibc"] },
  {
    name: "GCC's runtime libraries (libgcc, libstdc++)",
    of: "IDF_VERSION",
    licence: "GPL-3.0-or-later WITH GCC-exception-3.1",
    notice: ["Copyright (C) Free Software Foundation, Inc."],
    texts: ["GPL-3.0-or-later", "GCC-exception-3.1"],
  },
];

/** What the SDK's own files say at their beginning. */
export const SDK_HEADER = /Moddable SDK Runtime is free software/;

/** Files of the SDK that say something else. */
const OTHER_HEADER = ["build/devices/esp32/lib/pow/e_pow.c"];

/** Files of the SDK that name no licence. THIRD-PARTY-NOTICES lists them, and says under which they are passed on. */
export const SDK_WITHOUT_HEADER = [
  "modules/io/flash/esp32/flash-esp32.c",
  "modules/io/flash/esp32/flash-esp32.h",
  "modules/io/flash/esp32/flash-esp32.js",
  "modules/io/storage/esp32/storage-esp32.js",
  "modules/io/update/esp32/update-esp32.c",
  "modules/io/update/esp32/update-esp32.js",
  "xs/sources/xsffi.c",
];

/** Files of the SDK that were reviewed one by one. */
export const SDK_REVIEWED = [...OTHER_HEADER, ...SDK_WITHOUT_HEADER];

/** Static libraries of ESP-IDF's build: whose they are. */
export const ARCHIVES = [
  [/^lib(freertos)\.a$/, "FreeRTOS"],
  [/^liblwip\.a$/, "lwIP"],
  [/^lib(mbedtls|mbedcrypto|mbedx509|tfpsacrypto)\.a$/, "Mbed TLS"],
  [/^libwpa_supplicant\.a$/, "wpa_supplicant"],
  [/^libheap\.a$/, "TLSF"],
  [/^lib(c|m|nosys|g)\.a$/, "Picolibc"],
  [/^lib(gcc|stdc\+\+|supc\+\+|gcov)\.a$/, "GCC's runtime libraries (libgcc, libstdc++)"],
  [/^libxt_hal\.a$/, "Xtensa HAL (ESP32, ESP32-S3)"],
  [
    /^lib(esp(_[a-z0-9_]+|coredump|32[a-z0-9]*)?|app_update|bootloader_support|cxx|driver|efuse|hal|log|main)\.a$/,
    "ESP-IDF",
  ],
  [
    /^lib(nvs_flash|nvs_sec_provider|partition_table|pthread|riscv|rt|soc|spi_flash|vfs|xtensa|sdmmc|linux)\.a$/,
    "ESP-IDF",
  ],
  [/^lib(core|net80211|pp|phy|rtc|mesh|espnow|smartconfig|wapi|coexist|btbb|printf)\.a$/, "ESP-IDF"],
  [/^libxs_esp32[a-z0-9]*\.a$|^xs_esp32[a-z0-9]*\.a$/, "Moddable SDK, the XS engine included"],
];
