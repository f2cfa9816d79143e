/** The program of the TLS tests: the socket and its C over Debian's mbedTLS, under AddressSanitizer. */
import { buildNative } from "../../support/boards/native-program";

export const buildClient = (): ReturnType<typeof buildNative> =>
  buildNative({
    name: "tls",
    sources: ["test/native/harness/posix-tcp.c", "modules/tls-socket/session.c", "modules/tls-socket/tls-problems.c"],
    includes: ["modules/tls-socket"],
    libraries: ["-lmbedtls", "-lmbedx509", "-lmbedcrypto"],
    script: "test/native/tls/client.js",
    modules: { timer: "test/native/harness/timer.js", "tls/session": "modules/tls-socket/session.js" },
  });
