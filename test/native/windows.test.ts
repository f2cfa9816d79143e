/** The windows of all connections in a heap as small as the ESP32-C3's: the HTTP server over the device's sockets and Debian's lwIP. */
import { beforeAll, expect, it } from "vitest";
import { buildNative, NativeProgram } from "../support/boards/native-program";

const SOCKETS = "boards/esp32/sockets";
const TEST = "test/native";
/** About what the C3 has for windows and TLS: docs/emulator.md. */
const HEAP = 72_000;
/** Of a TLS handshake: about the block of TLS_NEED (src/network). */
const BLOCK = 9_200;
const BLOCKS = 4;
/** CONFIG_LWIP_MAX_ACTIVE_TCP. */
const PCBS = 16;
const CONNECTIONS = 60;
const ROUNDS = 200;

let built: Awaited<ReturnType<typeof buildNative>>;

beforeAll(async () => {
  built = await buildNative({
    name: "windows",
    // wire.c offers servers to dns.c, which this program does not ask.
    sources: ["sockets", "tcp", "listener", "udp", "dns"]
      .map((name) => `${SOCKETS}/${name}.c`)
      .concat(`${TEST}/sockets/wire.c`, `${TEST}/lwip/idf.c`, `${TEST}/lwip/packets.c`),
    includes: [SOCKETS, `${TEST}/lwip`],
    system: ["/usr/include/lwip"],
    libraries: ["-l:liblwip.so.0"],
    script: `${TEST}/sockets/windows.js`,
    modules: {
      "embedded:io/socket/listener": `${SOCKETS}/listener.js`,
      "embedded:io/socket/tcp": `${SOCKETS}/tcp.js`,
      time: `${TEST}/harness/virtual-time.js`,
      timer: `${TEST}/harness/virtual-time.js`,
      "text/decoder": `${TEST}/harness/text-decoder.js`,
      "text/encoder": `${TEST}/harness/text-encoder.js`,
    },
  });
});

it.each([
  ["never read rendered responses", ["rendered"]],
  ["never read files", ["file"]],
  ["never read the responses to pipelined requests", ["pipelined"]],
  ["send what nobody reads", ["sending"]],
  ["do all of it", ["rendered", "file", "pipelined", "sending"]],
])("60 connections of 30 addresses that %s: no allocation fails", async (_, kinds) => {
  const program = new NativeProgram(built);
  const order = {
    heap: HEAP,
    pcbs: PCBS,
    kinds,
    connections: CONNECTIONS,
    rounds: ROUNDS,
    blocks: BLOCKS,
    block: BLOCK,
  };
  const { result } = await program.ask(order, "the result", ({ result }) => result !== undefined);
  expect(result).toMatchObject({ refused: 0, handshakes: 0 });
  expect(await program.stop()).toEqual({ status: 0, words: "" });
});
