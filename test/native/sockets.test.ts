/** The ESP32's socket classes (boards/esp32/sockets) over Debian's lwIP, against peers that do what they like. Under AddressSanitizer. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { NativeProgram, type Said } from "../support/boards/native-program";
import { NativeTests } from "../support/boards/native-tests";

const SOCKETS = "boards/esp32/sockets";
/** As in listener.c and udp.c. */
const MAX_PENDING = 16;
const MAX_REPORTED = 4;
/** As in sockets.h: the receive window. */
const MAX_RECEIVED = 2_872;
const MAX_UNREAD = 8_616;
const MAX_ORPHANED = 4;
const MAX_PACKETS = 8;
const MAX_BYTES = 6_144;
/** The device's queue, and what sockets leave of it to others. */
const QUEUE = 48;
const QUEUE_RESERVE = 4;
/** Of the device's queue, with all the sockets of a scenario at once. */
const MOST_MESSAGES = 12;

const tests = new NativeTests({
  name: "sockets",
  sources: ["sockets", "tcp", "listener", "udp", "dns"]
    .map((name) => `${SOCKETS}/${name}.c`)
    .concat("test/native/sockets/wire.c", "test/native/lwip/idf.c", "test/native/lwip/packets.c"),
  includes: [SOCKETS, "test/native/lwip"],
  system: ["/usr/include/lwip"],
  libraries: ["-l:liblwip.so.0"],
  script: "test/native/sockets/device.js",
  modules: {
    "embedded:io/socket/listener": `${SOCKETS}/listener.js`,
    "embedded:io/socket/tcp": `${SOCKETS}/tcp.js`,
    "embedded:io/socket/udp": `${SOCKETS}/udp.js`,
    net: "boards/esp32/net.js",
  },
});

const run = (scenario: string, options: object = {}, mostMessages = MOST_MESSAGES): Promise<Said> =>
  tests.run(scenario, options, mostMessages);

describe("TCP and its listener", () => {
  it("handle a connection from beginning to end", async () => {
    expect(await run("walk")).toMatchObject({
      address: "10.0.0.2",
      port: true,
      read: 100,
      readable: [100],
      errors: 1,
      length: 1_000,
      hasEnded: true,
      closed: Array<string>(3).fill("TypeError: closed"),
      refused: true,
    });
  });

  it("handle connections one after another, closed by the device or reset by the peer", async () => {
    expect(await run("many", { times: 300 })).toMatchObject({ read: 3_000 });
  });

  it.each([MAX_PENDING - 1, MAX_PENDING, MAX_PENDING + 1, 50])(
    "limit %i unaccepted connections, and forget those that are reset",
    async (connections) => {
      const answered = Math.min(connections, MAX_PENDING);
      expect(await run("resetBeforeAccept", { connections })).toMatchObject({
        answered,
        taken: Math.ceil(answered / 2),
        nothing: true,
        late: true,
      });
    },
  );

  it.each([
    [MAX_REPORTED, [4]],
    [MAX_REPORTED + 1, [4, 1]],
    [2 * MAX_REPORTED, [4, 4]],
  ])(
    "report %i unaccepted connections in parts, as XS's queue has room for what they post",
    async (connections, counts) => {
      expect(await run("reports", { connections })).toMatchObject({ counts, taken: connections });
    },
  );

  it("survive a storm of SYNs and resets", async () => {
    expect(await run("synStorm", { times: 2_000 })).toMatchObject({ taken: 0, works: true });
  });

  it("reset waiting connections when the listener is closed, without further callbacks", async () => {
    expect(await run("closePending")).toMatchObject({ reset: 5, counts: 0 });
  });

  it("store bytes that arrive one by one in few buffers", async () => {
    expect(await run("bytewise", { count: MAX_RECEIVED })).toMatchObject({ isRight: true });
  });

  it("read as much as requested, and refuse more than there is", async () => {
    expect(await run("reads")).toMatchObject({
      result: [10, 120, "ab", "Error: invalid", "Error: invalid", 20, null, "Error: not ready", "10.0.0.2"],
    });
  });

  it("write no more than the window to a peer that stops reading", async () => {
    const { written, full, before } = await run("stops");
    expect(written).toBeGreaterThan(1_000);
    expect(written).toBeLessThanOrEqual(65_535);
    expect(full).toBe("Error: would block");
    expect(before).toBe(0);
  });

  it("tell the room that is left by what onReadable has just written", async () => {
    const { full, left, room } = await run("answerWhileRoomIsTold", { length: 1_000 });
    expect(full).toBeGreaterThan(1_000);
    expect(left).toBeLessThan(full as number);
    expect(room).toBe(left);
  });

  it.each([MAX_ORPHANED - 1, MAX_ORPHANED, MAX_ORPHANED + 1, 2 * MAX_ORPHANED])(
    "keep at most four segments of closed connections: of %i the oldest are reset",
    async (connections) => {
      const reset = Math.max(0, connections - MAX_ORPHANED);
      expect(await run("orphans", { connections })).toMatchObject({
        reset: Array.from({ length: connections }, (_, at) => at < reset),
      });
    },
  );

  it("have a PCB for the device's own connection, and for a client once another has been closed, whoever has them all", async () => {
    expect(await run("fullOfClients", { pcbs: 5 })).toEqual(
      expect.objectContaining({ length: 5, late: false, own: true, reset: 1, next: true }),
    );
  });

  it.each([MAX_UNREAD / 3 - 1, MAX_UNREAD / 3])("keep %i unread bytes of each of three clients", async (length) => {
    expect(await run("unreadAll", { connections: 3, length })).toMatchObject({ reset: [false, false, false] });
  });

  it("reset the client with the most unread bytes once all have too many, and not the others", async () => {
    const { reset } = await run("unreadAll", { connections: 4, length: MAX_RECEIVED });
    expect(reset).toEqual([false, false, false, true]);
  });

  it("report the end once everything before it is read, also after a handover", async () => {
    expect(await run("endAfterData")).toMatchObject({
      before: 0,
      after: 1,
      old: "TypeError: closed",
      answer: "Error: not ready",
    });
  });

  it("may be closed inside their callbacks", async () => {
    expect(await run("closeInCallbacks")).toMatchObject({ order: ["readable"], isClosed: true, ended: true });
  });

  it("connect, and report a refused connection", async () => {
    expect(await run("connects")).toMatchObject({
      early: "Error: not ready",
      room: true,
      target: 7,
      heard: 500,
      read: 20,
      refused: 1,
      given: 0,
      wrong: [
        "RangeError: invalid address",
        "RangeError: invalid port",
        "RangeError: invalid port",
        "RangeError: invalid format",
        "TypeError: not a function",
        expect.stringContaining("Error"),
        "TypeError: closed",
      ],
    });
  });
});

describe("the TCP/IP stack", () => {
  it("opens sockets as soon as it runs, with or without an address, and not before", async () => {
    expect(await run("leases")).toMatchObject({
      before: Array<string>(3).fill("Error: no network"),
      unaddressed: ["opened", "opened", "Error: no connection", "Error: UDP send failed"],
      first: { isConnected: true, read: 10, datagram: 5 },
      lost: ["opened", "Error: UDP send failed"],
      second: { isConnected: true, read: 10, datagram: 5 },
      moved: { isConnected: true, read: 10, datagram: 5, wasConnected: true, errors: 1 },
    });
  });

  it("tells the name servers of each lease, read in lwIP's task", async () => {
    expect(await run("nameServers")).toMatchObject({
      told: [[], [], ["192.0.2.1", "192.0.2.2"], ["192.0.2.3"], []],
    });
  });

  it("tells the time server of each lease, DHCP's option 42", async () => {
    expect(await run("timeServers")).toMatchObject({ told: [null, null, "192.0.2.1", "192.0.2.3", null] });
  });

  it("tells the network mask of a lease", async () => {
    expect(await run("masks")).toMatchObject({ told: [null, null, "255.255.255.0", null] });
  });

  it.each([
    ["outside lwIP's task", { run: "rawCall", what: 0 }, "Required to run in TCPIP context!"],
    ["for its name servers outside lwIP's task", { run: "rawCall", what: 1 }, "Required to run in TCPIP context!"],
    ["before it runs", { run: "earlyCall" }, "Invalid mbox"],
    [
      "while its task waits for room in XS's queue",
      { run: "rawCall", what: 2 },
      "XS's task waits for lwIP's, which waits for room in XS's queue",
    ],
  ])("ends the program of a call %s, as ESP-IDF would", async (_, order, words) => {
    const bad = new NativeProgram(tests.built);
    bad.send(order);
    expect(await bad.stop()).toMatchObject({ status: null, words: expect.stringContaining(words) as string });
  });
});

describe("XS's queue", () => {
  it.each([0, 1, QUEUE_RESERVE, QUEUE_RESERVE + 1, QUEUE_RESERVE + 2])(
    "may have only %i places for all sockets' messages: nothing is lost, and lwIP does not wait for the script",
    async (left) => {
      const [connections, segments, length] = [9, 6, 20];
      expect(await run("fullQueue", { connections, segments, length, left }, QUEUE)).toMatchObject({
        before: 0,
        answered: 2,
        room: Math.min(left, QUEUE_RESERVE),
        closed: [[], []],
        errors: [0, 0, 1, 1, ...Array<number>(connections - 4).fill(0)],
        ports: [1_000, 1_001, 1_002],
        own: length,
        written: length,
        late: [length, length],
      });
    },
  );
});

describe("the driver's receive buffers", () => {
  it.each([
    ["two connections of full segments", 2, 2, 1_436],
    ["a connection of small segments", 1, 1_000, 1],
    ["eight connections of small segments", 8, 100, 10],
  ])("that %s hold unread are at most %i times two", async (_, connections, segments, length) => {
    const { held, isRight, free } = await run("unread", { connections, segments, length });
    expect(held).toBeLessThanOrEqual(2 * connections);
    expect([isRight, free]).toEqual([true, true]);
  });
});

describe("memory", () => {
  it.each([
    ["the classes'", false],
    ["lwIP's", true],
  ])("may run out in any of %s allocations", async (_, ofLwip) => {
    const most = ofLwip ? 60 : 12;
    const { complete } = await run("memory", { most, ofLwip });
    // The last ones have not failed any more.
    expect(complete).toBeGreaterThan(0);
    expect(complete).toBeLessThan(most);
  });

  it("of sockets that were never closed is freed", async () => {
    expect(await run("leftOpen")).toMatchObject({ taken: 1 });
  });
});

describe("UDP", () => {
  it.each([
    [MAX_PACKETS - 1, 10],
    [MAX_PACKETS, 10],
    [MAX_PACKETS + 1, 10],
    [1_000, 10],
    [10, MAX_BYTES / 6],
    [10, MAX_BYTES / 6 + 1],
  ])("keeps the first of %i datagrams of %i bytes, as many as fit", async (times, length) => {
    const kept = Math.min(times, MAX_PACKETS, Math.floor(MAX_BYTES / length));
    const said = await run("flood", { times, length });
    expect(said).toMatchObject({
      ports: Array.from({ length: kept }, (_, at) => 1_000 + at),
      isRight: true,
      next: [3, 0],
      sent: [{ port: 162, length: 1_000 }],
      wrong: [
        "RangeError: invalid IP address",
        "RangeError: invalid port",
        "RangeError: not a multicast address",
        "Error: port in use",
        "RangeError: invalid port",
        "RangeError: invalid timeToLive",
      ],
      closed: "TypeError: closed",
    });
    expect((said["counts"] as number[])[0]).toBe(kept);
  });
});

describe("what the linker takes of ESP-IDF", () => {
  it("is its BSD sockets only if it meets them first: the stand-in is weak, so both can be in its archives", () => {
    expect(execFileSync("nm", ["-P", tests.built.file], { encoding: "utf8" })).toMatch(
      /^esp_vfs_lwip_sockets_register W /m,
    );
  });
});
