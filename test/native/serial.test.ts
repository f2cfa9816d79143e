/** The ESP32's UART class (boards/esp32/serial) over a stand-in of ESP-IDF's driver. Under AddressSanitizer. */
import { describe, expect, it } from "vitest";
import type { Said } from "../support/boards/native-program";
import { NativeTests } from "../support/boards/native-tests";

/** As in serial.c; the FIFO is the chip's. */
const RECEIVE_BYTES = 1_024;
const THRESHOLD = 96;
const FIFO_BYTES = 128;
/** What fits the buffer in pieces of the threshold, the piece that no longer does, and the FIFO. */
const MOST = (Math.floor(RECEIVE_BYTES / THRESHOLD) + 1) * THRESHOLD + FIFO_BYTES;
/** The device's queue to XS. */
const QUEUE = 48;
/** A message for each port. */
const MOST_MESSAGES = 3;

const tests = new NativeTests({
  name: "serial",
  sources: ["boards/esp32/serial/serial.c", "test/native/serial/uart.c", "test/native/serial/builtin.c"],
  includes: ["test/native/serial"],
  script: "test/native/serial/device.js",
  modules: { "embedded:io/serial": "boards/esp32/serial/serial.js" },
});

const run = (scenario: string, options: object = {}, mostMessages = MOST_MESSAGES): Promise<Said> =>
  tests.run(scenario, options, mostMessages);

it("reads and writes bytes and buffers, and is closed", async () => {
  expect(await run("walk")).toMatchObject({
    writable: [128, 119],
    counts: [10, true, 1, true],
    reads: [
      3,
      "4,5",
      "Error: invalid",
      "Error: invalid",
      "Error: invalid",
      5,
      null,
      null,
      "1,2,3,6,7,8,9,10,0",
      200,
      null,
      "number",
    ],
    full: ["Error: output full", "Error: output full"],
    early: 1,
    almost: 1,
    sent: 128,
    closed: Array<string>(4).fill("TypeError: closed"),
    installed: 0,
  });
});

it("refuses invalid options, and pins and ports in use", async () => {
  const { result, installed } = await run("refuses");
  expect(result).toEqual([
    "RangeError: port in use",
    "Error: in use",
    "Error: in use",
    "Error: invalid",
    "RangeError: invalid port",
    "RangeError: invalid port",
    "Error: in use",
    "RangeError: invalid baud",
    "RangeError: invalid baud",
    "RangeError: invalid format",
    "Error: not a function",
    "RangeError: invalid format",
  ]);
  expect(installed).toBe(0);
});

it.each([
  "uart_param_config",
  "uart_driver_install",
  "uart_set_mode",
  "uart_set_rx_full_threshold",
  "uart_set_rx_timeout",
  "uart_set_pin",
])("survives a failing %s: nothing is left of it, and the next attempt works", async (where) => {
  expect(await run("fails", { where })).toMatchObject({ error: "Error: uart failed", installed: 0, counts: [50] });
});

it("survives without memory, for itself or its task", async () => {
  const failed = { error: "RangeError: no memory", installed: 0, counts: [50] };
  expect(await run("fails", { where: "xTaskCreate" })).toMatchObject(failed);
  expect(await run("fails", { allocation: 0 })).toMatchObject(failed);
});

it("has the interrupt every 8.3 ms", async () => {
  expect(await run("thresholds", { bauds: [1, 1_200, 9_600, 115_199, 115_200, 20_000_000] })).toMatchObject({
    result: [
      [1, 1, 4],
      [1_200, 1, 4],
      [9_600, 8, 4],
      [115_199, 95, 4],
      [115_200, 96, 4],
      [20_000_000, 96, 4],
    ],
  });
});

describe("while the script is busy", () => {
  it("receives a frame whole, and tells once", async () => {
    expect(await run("busy", { count: 308 })).toMatchObject({ first: 308, length: 309, overflows: 0, isRow: true });
  });

  it.each([
    [RECEIVE_BYTES - 1, 0],
    [RECEIVE_BYTES, 0],
    [RECEIVE_BYTES + 1, 0],
    [MOST - 1, 0],
    [MOST, 0],
    [MOST + 1, FIFO_BYTES + 1],
    [MOST + 5 * (FIFO_BYTES + 1), 5 * (FIFO_BYTES + 1)],
  ])("%i bytes: %i are lost, and it goes on receiving", async (count, lost) => {
    expect(await run("busy", { count })).toMatchObject({ length: count + 1 - lost, overflows: lost, isRow: true });
  });

  it("tells again what was not read, but not to a callback that reads nothing", async () => {
    expect(await run("partly")).toMatchObject({ counts: [90, 50, 10], once: 1 });
  });

  it("nothing is lost while XS's queue is full, and a port may be closed meanwhile", async () => {
    expect(await run("heldQueue", {}, QUEUE)).toMatchObject({
      before: 0,
      counts: [[100], [], [102]],
      isRow: true,
      again: [10],
    });
  });

  it.each([1, 2, 50])("a queue that has no room %i times loses no message", async (posts) => {
    expect(await run("fullQueue", { posts })).toMatchObject({ left: 0, counts: [10, 10], isRow: true });
  });
});

it("calls nothing once it is closed, and may be closed and opened inside its callback", async () => {
  expect(await run("closes")).toMatchObject({
    first: 1,
    gone: [],
    early: 0,
    counts: [20],
    again: [30],
    isClosed: true,
  });
});

it("drives a transceiver's direction pin, which is low from the start, and drops the echo", async () => {
  const { without, withIt, inUse } = await run("direction");
  expect(without).toMatchObject({ mode: 0, rts: -1, heard: [1, 2, 3] });
  expect(withIt).toMatchObject({ mode: 1, rts: 4, hasDriven: 0, heard: [50, 51] });
  expect(inUse).toBe("Error: in use");
});

it("is not told of framing errors", async () => {
  expect(await run("errors")).toMatchObject({ calls: 0, counts: [10] });
});

it("loses nothing of bytes that come while it reads", async () => {
  expect(await run("storm", { count: 100_000 })).toMatchObject({ length: 100_000, overflows: 0, isRow: true });
});

it("may be closed and opened while bytes come", async () => {
  expect(await run("closeInStorm", { times: 200 })).toMatchObject({ works: true });
});

it("has several ports", async () => {
  expect(await run("several")).toMatchObject({ counts: [[10], [11], [12]], isRow: true });
});

it("is collected if nobody closed it", async () => {
  await run("leftOpen");
});
