import { createSocket, type Socket } from "node:dgram";
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { timeServerAnswer } from "../../host-sim/network/time-server";
import { System, type SystemOptions } from "../support/system/system";

const SECOND = 1_000;
const HOME = { ssid: "Home", password: "correct horse" };

const systems: System[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const system of systems.splice(0)) system.stop();
  for (const socket of sockets.splice(0)) socket.close();
});

async function start({ board, ...options }: SystemOptions = {}): Promise<System> {
  const system = await System.start({ unpaced: true, board: { cable: false, ...board }, ...options });
  system.board.air.add(HOME);
  systems.push(system);
  return system;
}

const chosen = (change: object = {}): SystemOptions => ({
  board: { cable: false, config: { settings: { network: { ...HOME, ...change } } } },
});

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
}

/** On a connection of its own: virtual time runs fast, and what is idle in it is closed. */
function get(system: System, path: string, headers: Record<string, string>): Promise<Answer & { text: string }> {
  return new Promise((resolve, reject) => {
    request({ port: system.probes.port(), path, agent: false, headers }, (response) => {
      let text = "";
      response
        .on("data", (part) => (text += String(part)))
        .once("end", () => resolve({ status: response.statusCode, location: response.headers.location, text }));
    })
      .once("error", reject)
      .end();
  });
}

/** A phone's connectivity probe, with the Host of the site it probes. */
async function probe(system: System, path: string): Promise<Answer> {
  const { status, location } = await get(system, path, { Host: "probe.example" });
  return { status, location };
}

/** `data.network` of GET /api. */
async function published(system: System): Promise<unknown> {
  const { text } = await get(system, "/api", { Authorization: `Bearer ${system.token}` });
  return (JSON.parse(text) as { data: { network: unknown } }).data.network;
}

/** A socket of the test on 127.0.0.1. */
async function udp(): Promise<Socket> {
  const socket = createSocket("udp4");
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return socket;
}

/** Id of a query whose answer shows that all before it have been processed. */
const LAST_ID = 0xffff;

/**
 * Sends `message` to the board's UDP `port` and answers what comes back; undefined when nothing does before the answer to `last`, which
 * was sent after it.
 */
async function ask(system: System, port: number, message: Uint8Array, last: Uint8Array): Promise<Buffer | undefined> {
  const socket = await udp();
  const target = system.board.udpBound.get(port);
  const answer = new Promise<Buffer | undefined>((resolve) =>
    socket.once("message", (bytes) => resolve(bytes.readUInt16BE() === LAST_ID ? undefined : bytes)),
  );
  const marked = Uint8Array.from(last);
  marked.fill(LAST_ID & 0xff, 0, 2);
  for (const bytes of [message, marked])
    await new Promise((resolve) => socket.send(bytes, target, "127.0.0.1", resolve));
  return answer;
}

const nameBytes = (name: string): number[] => [
  ...name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
];

const question = (name: string, { type = 1, flags = 0x0100, count = 1, tail = [] as number[] } = {}): Uint8Array =>
  Uint8Array.from(
    [0x12, 0x34, flags >> 8, flags & 255, 0, count, 0, 0, 0, 0, 0, tail.length ? 1 : 0].concat(
      nameBytes(name),
      [0, type, 0, 1],
      tail,
    ),
  );

const NAME = question("any.example");

/** The simulator's time server, a port for SNMP, and no socket until the test allows it. */
const UTC = Date.UTC(2026, 10, 21, 12, 0, 0);
const closed: SystemOptions = {
  prepare: (board) => (board.refusals.sockets = true),
  board: {
    utc: () => UTC,
    config: { settings: { snmp: { enabled: true, community: "secret" }, time: { server: "192.0.2.123" } } },
  },
};

describe("without sockets at the start", () => {
  it("the firmware runs, logs each refusal once, and opens them all within a minute of their becoming available", async () => {
    const system = await start(closed);
    const { board, probes, console } = system;
    await system.pass(300 * SECOND);
    // It has not been restarted.
    expect(board.uptime).toBeGreaterThanOrEqual(300 * SECOND);
    expect([probes.monitor().online, board.radio.accessPoint === undefined]).toEqual([true, false]);
    expect(console.filter((line) => line.includes("no memory")).map((line) => line.trimEnd().split(":")[0])).toEqual([
      "http",
      "snmp",
      "captive DNS",
      // It is in the log too, now that there is an access point through which somebody could reach it.
      "part-failed listener no memory",
    ]);
    expect(probes.parts().log).toContain("part-failed\tlistener\tno memory");
    board.refusals.sockets = false;
    await system.pass(61 * SECOND);
    expect((await get(system, "/api", { Authorization: `Bearer ${system.token}` })).status).toBe(200);
    expect(probes.parts().log).toContain("part-works\tlistener");
    expect(probes.snmpPort()).toBeGreaterThan(0);
    expect(await ask(system, 53, NAME, NAME)).toBeDefined();
  });

  it("mDNS and the time follow on a network with an address", async () => {
    const system = await start({ ...closed, board: { ...closed.board, cable: true } });
    const { board, probes } = system;
    await system.pass(300 * SECOND);
    expect([probes.network().ip, probes.network().mdns, probes.utc()]).toEqual(["127.0.0.1", "", undefined]);
    board.refusals.sockets = false;
    await system.skipUntil("the name is claimed", () => probes.network().mdns !== "", 70);
    // SNTP backs off for up to 1,024 s.
    await system.skipUntil("the time is set", () => probes.utc() !== undefined, 1_100);
    expect((await get(system, "/api", { Authorization: `Bearer ${system.token}` })).status).toBe(200);
  });

  it("close ends the attempts", async () => {
    const system = await start(closed);
    system.probes.close();
    system.board.refusals.sockets = false;
    await system.pass(120 * SECOND);
    expect([...system.board.udpBound.keys()]).toEqual([]);
    await expect(get(system, "/api", {})).rejects.toThrow();
  });
});

describe("the first start", () => {
  it("opens the access point, lists the networks found, and joins the chosen one", async () => {
    const system = await start();
    const { clock, radio } = system.board;
    clock.runFor(8 * SECOND);
    expect(radio.accessPoint?.ssid).toBe("JK-BMS-100001");
    expect(system.console.join("")).toContain(`access point JK-BMS-100001, password ${radio.accessPoint!.password}`);
    expect(await published(system)).toMatchObject({
      mode: "AP",
      ip: "127.0.0.1",
      networkType: "Wi-Fi",
      subnetMask: "255.255.255.0",
      cable: false,
    });
    // Nobody has changed anything: the device has made the password.
    expect(system.probes.parts().log.filter((text) => text.startsWith("settings-changed"))).toEqual([]);
    system.probes.startScan();
    clock.runFor(3 * SECOND);
    expect(system.probes.scan()).toEqual({
      scanning: false,
      networks: [{ ssid: "Home", rssi: -60, open: false }],
    });
    expect(system.probes.configure("network", HOME)).toBeUndefined();
    expect(system.probes.parts().log.at(-1)).toBe("settings-changed\tnetwork");
    clock.runFor(4 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "STA", type: "Wi-Fi", ssid: "Home", rssi: -60, reason: "" });
    expect(await published(system)).toMatchObject({ mode: "STA", networkType: "Wi-Fi" });
    clock.runFor(70 * SECOND);
    expect(radio.accessPoint).toBeUndefined();
    expect(system.monitor().online).toBe(true);
  });

  it.each([
    { ssid: "Casa do João \u{1f468}\u200d\u{1f469}\u200d\u{1f467}", password: "correct horse" },
    { ssid: "Key", password: "0123456789abcdefABCDEF0123456789abcdefABCDEF0123456789abcdefABCD" },
  ])("joins $ssid", async (network) => {
    const system = await start();
    const { clock, air } = system.board;
    air.add(network);
    clock.runFor(8 * SECOND);
    system.probes.startScan();
    clock.runFor(3 * SECOND);
    expect(system.probes.scan().networks.map(({ ssid }) => ssid)).toContain(network.ssid);
    expect(system.probes.configure("network", network)).toBeUndefined();
    clock.runFor(4 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "STA", ssid: network.ssid, reason: "", online: true });
  });

  it("returns to the access point with the reason when the password is wrong", async () => {
    const system = await start();
    const { clock } = system.board;
    clock.runFor(8 * SECOND);
    system.probes.configure("network", { ...HOME, password: "wrong horse" });
    clock.runFor(10 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "AP", reason: "wrong-password", online: false });
    system.probes.configure("network", HOME);
    clock.runFor(4 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "STA", reason: "", online: true });
  });

  it("prints no secret but the access point's password", async () => {
    const system = await start(chosen({ password: "wrong horse" }));
    system.board.clock.runFor(300 * SECOND);
    expect(system.console.join("")).not.toContain("wrong horse");
  });
});

describe("changing links", () => {
  it("the cable takes precedence over Wi-Fi", async () => {
    const system = await start({ board: { cable: true, config: { settings: { network: HOME } } } });
    const { clock, ethernet, radio } = system.board;
    clock.runFor(30 * SECOND);
    expect([system.probes.network().type, radio.joins.length]).toEqual(["Ethernet", 0]);
    ethernet.cable = false;
    clock.runFor(3 * SECOND);
    expect(system.probes.network()).toMatchObject({ type: "Wi-Fi", ssid: "Home", online: true });
    ethernet.cable = true;
    clock.runFor(SECOND);
    expect(system.probes.network()).toMatchObject({ type: "Ethernet", ssid: "", online: true });
  });

  it("rejoins a lost network; the access point opens after a while without one", async () => {
    const system = await start(chosen());
    const { clock, air, radio } = system.board;
    clock.runFor(30 * SECOND);
    expect(system.probes.network()).toMatchObject({ online: true, mdns: "jk-bms-100001" });
    air.remove("Home");
    clock.runFor(60 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "STA", online: false, reason: "not-found", accessPoint: "" });
    clock.runFor(130 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "AP", accessPoint: "JK-BMS-100001" });
    air.add(HOME);
    clock.runFor(70 * SECOND);
    expect(system.probes.network()).toMatchObject({ mode: "STA", online: true, ssid: "Home" });
    clock.runFor(60 * SECOND);
    expect(radio.accessPoint).toBeUndefined();
  });

  const answers = async (system: System): Promise<void> => {
    expect(await published(system)).toHaveProperty("mode");
    expect(system.monitor().online).toBe(true);
  };

  it("the server and the BMS are unaffected", async () => {
    const system = await start();
    const { clock, air } = system.board;
    for (const change of [HOME, { ssid: "Gone" }, HOME]) {
      system.probes.configure("network", change);
      clock.runFor(20 * SECOND);
      await answers(system);
    }
    air.remove("Home");
    clock.runFor(20 * SECOND);
    await answers(system);
  });
});

describe("what the network needs to start", () => {
  it("without a cable the BMS is polled and the page answers while Ethernet starts", async () => {
    const system = await start({ board: { cable: false, ethernetStart: 4_530 } });
    const { clock, ethernet } = system.board;
    clock.runFor(3 * SECOND);
    expect([ethernet.isStarted, system.monitor().online]).toEqual([undefined, true]);
    expect(system.monitor().statistics).toMatchObject({ timeouts: 0, crcErrors: 0 });
    expect((await get(system, "/", {})).status).not.toBe(503);
    expect(await published(system)).toMatchObject({ networkType: "Ethernet", cable: false });
    clock.runFor(4 * SECOND);
    expect([ethernet.isStarted, system.probes.network().accessPoint]).toEqual([true, "JK-BMS-100001"]);
  });

  it("an Ethernet that never starts leaves the rest at work, and the router never learns another name", async () => {
    const system = await start({ board: { cable: true, ethernetStart: 620 } });
    const { clock, ethernet } = system.board;
    ethernet.fails = true;
    clock.runFor(600 * SECOND);
    expect(system.monitor()).toMatchObject({ online: true, statistics: { timeouts: 0 } });
    expect(system.probes.network().accessPoint).toBe("JK-BMS-100001");
    expect(ethernet.starts.length).toBeLessThan(8);
    ethernet.fails = false;
    clock.runFor(310 * SECOND);
    expect(system.probes.network()).toMatchObject({ type: "Ethernet", online: true });
    expect(ethernet.requested).toEqual(["jk-bms-100001"]);
  });

  it("without memory for Wi-Fi the device goes on, says why, and joins later", async () => {
    const system = await start({ board: { cable: true, config: { settings: { network: HOME } } } });
    const { board } = system;
    board.heap = [30_000, 30_000, 30_000];
    board.ethernet.cable = false;
    board.clock.runFor(30 * SECOND);
    expect(system.probes.network()).toMatchObject({ reason: "no-memory", online: false, accessPoint: "" });
    expect(system.console.join("")).toContain("no memory for Wi-Fi: 30000 bytes free, the largest block 30000");
    expect(system.monitor().online).toBe(true);
    board.heap = [90_000, 30_000, 60_000];
    board.clock.runFor(20 * SECOND);
    expect(system.probes.network()).toMatchObject({ reason: "", online: true, ssid: "Home" });
  });
});

describe("the captive portal", () => {
  const PROBES = ["/generate_204", "/hotspot-detect.html", "/connecttest.txt", "/ncsi.txt", "/canonical.html"];

  it("redirects the probes of phones and computers to the device, in access-point mode only", async () => {
    const system = await start();
    system.board.clock.runFor(8 * SECOND);
    for (const path of PROBES)
      expect(await probe(system, path)).toEqual({ status: 302, location: `http://127.0.0.1:${system.probes.port()}/` });
    expect((await probe(system, "/elsewhere")).status).toBe(404);
    system.probes.configure("network", HOME);
    system.board.clock.runFor(80 * SECOND);
    for (const path of PROBES) expect(await probe(system, path)).toEqual({ status: 404, location: undefined });
  });

  it("resolves every name to the device while the access point is open", async () => {
    const system = await start();
    const { clock } = system.board;
    expect(system.board.udpBound.has(53)).toBe(false);
    clock.runFor(8 * SECOND);
    await system.board.ready();
    const answer = await ask(system, 53, question("captive.apple.com"), NAME);
    expect(answer?.subarray(0, 12).toString("hex")).toBe("123485800001000100000000");
    expect(answer?.subarray(-16).toString("hex")).toBe("c00c000100010000000100047f000001");
    const empty = await ask(system, 53, question("captive.apple.com", { type: 28 }), NAME);
    expect(empty?.readUInt16BE(6)).toBe(0);
    // EDNS(0), which every resolver uses today: its record is not returned.
    const extended = await ask(system, 53, question("a.b", { tail: [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0] }), NAME);
    expect([extended?.readUInt16BE(6), extended?.readUInt16BE(10)]).toEqual([1, 0]);
    system.probes.configure("network", HOME);
    clock.runFor(80 * SECOND);
    await expect.poll(() => system.board.udpBound.has(53)).toBe(false);
  });

  const SILENT: readonly [string, Uint8Array][] = [
    ["nothing", Uint8Array.of()],
    ["half a header", question("a").subarray(0, 11)],
    ["an answer", question("a", { flags: 0x8180 })],
  ];
  const REFUSED: readonly [string, Uint8Array, number][] = [
    ["no question", question("a", { count: 0 }), 1],
    ["two questions", question("a", { count: 2 }), 1],
    ["a name without an end", question("abcdefgh").subarray(0, 17), 1],
    ["a label that is too long", Uint8Array.from([...question("a").subarray(0, 12), 0x50, ...Buffer.alloc(90)]), 1],
    ["a name that is too long", question(Array.from({ length: 40 }, () => "abcdefg").join(".")), 1],
    ["an update", question("a", { flags: 0x2800 }), 4],
  ];

  it("ignores what is not a query, and answers a bad query with an error only", async () => {
    const system = await start();
    system.board.clock.runFor(8 * SECOND);
    await system.board.ready();
    for (const [name, message] of SILENT) expect(await ask(system, 53, message, NAME), name).toBeUndefined();
    for (const [name, message, code] of REFUSED) {
      const answer = await ask(system, 53, message, NAME);
      expect(answer, name).toHaveLength(12);
      expect(answer!.readUInt16BE(2) & 15, name).toBe(code);
    }
    expect(await ask(system, 53, question("a"), NAME)).toBeDefined();
  });
});

describe("the time", () => {
  const UTC = Date.UTC(2026, 10, 21, 12, 0, 0);

  it("comes from an SNTP server, which is queried until it answers", async () => {
    const server = await udp();
    const asked: Buffer[] = [];
    let answers: (request: Buffer) => Uint8Array | undefined = () => undefined;
    server.on("message", (message, { port, address }) => {
      asked.push(message);
      const answer = answers(message);
      if (answer) server.send(answer, port, address);
    });
    const system = await start({
      board: {
        cable: true,
        udpPorts: { 123: server.address().port },
        config: { settings: { time: { server: "127.0.0.1" } } },
      },
    });
    const { clock } = system.board;
    const askedAfter = async (count: number): Promise<void> => {
      for (let turn = 0; asked.length < count && turn < 1_000; turn++) {
        clock.runFor(SECOND / 2);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(asked).toHaveLength(count);
    };
    await askedAfter(1);
    expect(asked[0]).toHaveLength(48);
    expect(asked[0]![0]).toBe(0x23);
    expect(system.probes.utc()).toBeUndefined();

    // From somebody who has not seen the request.
    answers = (message) => timeServerAnswer(Buffer.concat([message.subarray(0, 40), Buffer.alloc(8, 1)]), UTC);
    await askedAfter(2);
    expect(system.probes.utc()).toBeUndefined();
    // A server that does not know the time.
    answers = (message) => timeServerAnswer(message, UTC)?.with(0, 0xe4);
    await askedAfter(3);
    expect(system.probes.utc()).toBeUndefined();

    answers = (message) => timeServerAnswer(message, UTC);
    await askedAfter(4);
    await system.until("the time is known", () => system.probes.utc() !== undefined);
    expect(Math.abs(system.probes.utc()! - UTC / SECOND)).toBeLessThan(3);
    expect(Math.abs(system.board.utcSet! - UTC / SECOND)).toBeLessThan(3);
    const before = system.probes.utc()!;
    clock.runFor(100 * SECOND);
    expect(system.probes.utc()).toBe(before + 100);
  });

  it("is not requested when no server is set", async () => {
    const system = await start({
      board: { cable: true, utc: () => UTC, config: { settings: { time: { server: "" } } } },
    });
    const { clock } = system.board;
    clock.runFor(20 * SECOND);
    expect(system.probes.utc()).toBeUndefined();
    system.probes.configure("time", { server: "127.0.0.1" });
    clock.runFor(3 * SECOND);
    expect(system.probes.utc()).toBeDefined();
  });
});

describe("mDNS", () => {
  it("answers direct queries for the name and the web service", async () => {
    const system = await start({ board: { cable: true } });
    await system.board.ready();
    system.board.clock.runFor(5 * SECOND);
    expect(system.probes.network().mdns).toBe("jk-bms-100001");
    const own = question("JK-BMS-100001.local", { flags: 0 });
    const host = await ask(system, 5353, own, own);
    expect(host?.readUInt16BE(6)).toBe(1);
    expect(host?.subarray(-4)).toEqual(Buffer.of(127, 0, 0, 1));
    const service = await ask(system, 5353, question("_http._tcp.local", { type: 12, flags: 0 }), own);
    expect([service?.readUInt16BE(6), service?.readUInt16BE(10)]).toEqual([1, 3]);
    expect(service?.includes(Buffer.from(nameBytes("jk-bms-100001._http._tcp.local")))).toBe(true);
    const port = Buffer.alloc(2);
    port.writeUInt16BE(system.probes.port());
    expect(service?.includes(Buffer.from([0, 0, 0, 0, ...port, ...nameBytes("jk-bms-100001.local")]))).toBe(true);
    expect(await ask(system, 5353, question("somebody-else.local", { flags: 0 }), own)).toBeUndefined();
  });

  it("withdraws its records when the firmware ends", async () => {
    const system = await start({ board: { cable: true } });
    system.board.clock.runFor(10 * SECOND);
    expect(system.probes.network().mdns).toBe("jk-bms-100001");
    expect(() => system.probes.close()).not.toThrow();
  });
});
