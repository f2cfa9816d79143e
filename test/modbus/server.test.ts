/** The server of Modbus TCP: what it does with any bytes, and whose connections there are; on sockets in memory and virtual time. */
import Ethernet from "embedded:network/interface/ethernet";
import { HttpServer } from "http-server/server";
import { MAX_CONNECTIONS } from "http-server/limits";
import { beforeEach, describe, expect, it, test } from "vitest";
import { IDLE_MS, MAX_CLIENTS, POLL_MS, REPLY_MS, REQUEST_MS, TICK_MS } from "../../src/modbus/limits";
import { Modbus } from "../../src/modbus/modbus";
import { Wired } from "../../src/network/ethernet/wired";
import { BoardNetwork } from "../../src/network/network";
import type { ModbusSettings } from "../../src/settings/types";
import { FakeMonitor } from "../support/fakes/fake-monitor";
import { startSettings } from "../support/fakes/settings";
import { FaultyStorage } from "../support/fakes/storage";
import { unhex } from "../support/hex";
import { app } from "../support/http/http-app";
import { MemoryNetwork, type MemoryClient } from "../support/http/memory-sockets";
import { poweredBoard } from "../support/system/simulated-board";
import { NO_CONDITIONS } from "../support/fakes/no-conditions";

const SUNS = unhex("15 01 00 00 00 06 01 03 9C 40 00 02");
const REPLY = "15 01 00 00 00 07 01 03 04 53 75 6E 53".replaceAll(" ", "").toLowerCase();

let board: ReturnType<typeof poweredBoard>;
let network: MemoryNetwork;
let web: MemoryNetwork;
let http: HttpServer;
let modbus: Modbus;
/** The port at each time that mDNS was told of a change. */
let announced: (number | undefined)[];
let settings: { modbus: ModbusSettings; observe: () => void };

const ms = (time: number): void => board.clock.runFor(time);
const taken = (client: MemoryClient): string => Buffer.from(client.take(), "latin1").toString("hex");
const connect = (address = "192.0.2.7"): MemoryClient => network.connect(address);
const ask = (client: MemoryClient, frame = SUNS): string => taken(client.send(frame));
const frame = (unit: number, ...pdu: number[]): Uint8Array =>
  Uint8Array.of(0x15, 1, 0, 0, 0, pdu.length + 1, unit, ...pdu);

beforeEach(() => {
  board = poweredBoard({ ticks: 0x7fff_ffff - 5_000, network: { ip: "192.0.2.1" } });
  network = new MemoryNetwork(board);
  web = new MemoryNetwork(board);
  http = new HttpServer({
    listener: { io: web.Listener, port: 80 },
    socket: { io: web.TCP },
    handler: app,
    taken: () => modbus.connections,
  });
  const port = { enabled: true, port: 502, clients: "" };
  settings = { modbus: port, observe: () => undefined };
  announced = [];
  modbus = new Modbus({
    settings,
    build: { softwareName: "jk-bms-monitor", version: "1.2.3" },
    monitor: new FakeMonitor(),
    conditions: NO_CONDITIONS,
    energy: undefined,
    network: { ip: "192.0.2.1", mac: "24:6F:28:01:02:03", subnetMask: "255.255.255.0" },
    tcp: network.TCP,
    listener: network.Listener,
    server: http,
    mdns: { networkChanged: () => void announced.push(modbus?.port) },
    uptime: () => 77,
  });
});

describe("a request", () => {
  it("is answered with its transaction and unit", () => {
    expect(ask(connect())).toBe(REPLY);
  });

  it("may come byte by byte", () => {
    const client = connect();
    for (const byte of SUNS.subarray(0, -1)) {
      client.send(Uint8Array.of(byte));
      expect(taken(client)).toBe("");
    }
    expect(ask(client, SUNS.subarray(-1))).toBe(REPLY);
  });

  it("of which only the header has come keeps its transaction and unit while another client asks", () => {
    const client = connect();
    expect(ask(client, SUNS.subarray(0, 8))).toBe("");
    expect(ask(connect(), Uint8Array.of(0x77, 9, 0, 0, 0, 6, 0, 4, ...SUNS.subarray(8)))).toBe(
      `770900000007000404${REPLY.slice(18)}`,
    );
    expect(ask(client, SUNS.subarray(8))).toBe(REPLY);
  });

  it("waits until the reply before it is acknowledged", () => {
    const client = connect();
    client.autoAck = false;
    expect(ask(client, Buffer.concat([SUNS, SUNS, SUNS.subarray(0, 9)]))).toBe(REPLY);
    client.ack(13);
    expect(taken(client)).toBe(REPLY);
    client.ack(13);
    client.send(SUNS.subarray(9));
    expect(taken(client)).toBe(REPLY);
  });

  it("waits while others have all memory for sending, and is answered within a tick of its end", () => {
    const client = connect();
    http.sending.sent += 8;
    expect(ask(client)).toBe("");
    ms(REQUEST_MS * 3);
    expect(client.ended).toBe(false);
    http.sending.sent -= 8;
    ms(TICK_MS);
    expect(taken(client)).toBe(REPLY);
    expect(http.sending.sent).toBe(0);
  });

  test.each([
    ["of an unknown unit", frame(2, 3, 0x9c, 0x40, 0, 2), "83 0b"],
    ["of a pack that there is not", frame(115, 3, 0x9c, 0x40, 0, 2), "83 0b"],
    ["of registers at 0, where clients look too", frame(1, 3, 0, 0, 0, 3), "83 02"],
    ["of registers at 50000", frame(1, 3, 0xc3, 0x50, 0, 3), "83 02"],
    ["before the map", frame(1, 3, 0x9c, 0x3f, 0, 2), "83 02"],
    ["of the end of the map and one more", frame(1, 4, 0x9d, 0x1f, 0, 3), "84 02"],
    ["of the end's length and one more", frame(1, 3, 0x9d, 0x20, 0, 2), "83 02"],
    ["behind the map", frame(1, 3, 0x9d, 0x21, 0, 1), "83 02"],
    ["of the last register", frame(1, 3, 0xff, 0xff, 0, 1), "83 02"],
    ["that begins before the own block", frame(1, 3, 0x03, 0xe7, 0, 2), "83 02"],
    ["that ends behind the own block", frame(1, 3, 0x04, 0x0f, 0, 2), "83 02"],
    ["behind the last register", frame(1, 3, 0xff, 0xff, 0, 2), "83 02"],
    ["of no register", frame(1, 3, 0x9c, 0x40, 0, 0), "83 03"],
    ["of 126 registers", frame(1, 3, 0x9c, 0x40, 0, 126), "83 03"],
    ["that is too long", frame(1, 3, 0x9c, 0x40, 0, 2, 0), "83 03"],
    ["that is too long by all that a frame can hold", frame(1, 3, ...Array<number>(252).fill(0)), "83 03"],
    ["that writes all that a frame can hold", frame(1, 16, ...Array<number>(252).fill(0)), "90 01"],
    ["that is a function code alone", frame(1, 3), "83 03"],
    ["that writes a register, as evcc would SoCRsvMin", frame(1, 6, 0x9c, 0x90, 0, 0xc8), "86 01"],
    ["that writes registers", frame(1, 16, 0x9c, 0x90, 0, 1, 2, 0, 0xc8), "90 01"],
    ["of coils", frame(1, 1, 0, 0, 0, 1), "81 01"],
    ["of device identification", frame(1, 0x2b, 0x0e, 1, 0), "ab 01"],
    ["of function 0", frame(1, 0), "80 01"],
  ])("%s gets its exception, and the connection goes on", (_, request, pdu) => {
    const client = connect();
    const unit = (request[6] as number).toString(16).padStart(2, "0");
    expect(ask(client, request)).toBe(`150100000003${unit}${pdu.replace(" ", "")}`);
    expect(ask(client)).toBe(REPLY);
  });

  it("of the end of the map has ID and length of no model", () => {
    expect(ask(connect(), frame(1, 3, 0x9d, 0x1f, 0, 2))).toBe("150100000007010304ffff0000");
    expect(ask(connect(), frame(1, 4, 0x9d, 0x20, 0, 1))).toBe("1501000000050104020000");
  });

  it("that writes is counted", () => {
    const client = connect();
    ask(client, frame(1, 6, 0x9c, 0x90, 0, 0xc8));
    ask(client, frame(1, 16, 0x9c, 0x90, 0, 1, 2, 0, 0xc8));
    ask(client);
    expect([modbus.writes, modbus.requests]).toEqual([2, 3]);
  });

  test.each([
    ["of another protocol", unhex("15 01 00 01 00 06 01 03 9C 40 00 02")],
    ["without a function code", unhex("15 01 00 00 00 01 01 03 9C 40 00 02")],
    ["of 255 bytes", unhex("15 01 00 00 00 FF 01 03 9C 40 00 02")],
    ["of HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ])("%s closes the connection without a reply", (_, bytes) => {
    const client = connect();
    expect(ask(client, bytes)).toBe("");
    expect(client.ended).toBe(true);
  });

  it("whose length says less than it has is answered, and what follows is the next header", () => {
    const client = connect();
    expect(ask(client, unhex("15 01 00 00 00 05 01 03 9C 40 00 02"))).toBe("1501000000030183" + "03");
    expect(client.ended).toBe(false);
    // The byte left over shifts the header behind it: no protocol 0.
    client.send(SUNS);
    expect(client.ended).toBe(true);
  });

  it("of a battery that the firmware cannot read is a failure of the server, and no end of the script", () => {
    (modbus.device as { uptime: () => number }).uptime = () => 0;
    const { packs } = modbus.device.monitor;
    Object.defineProperty(packs[0], "telemetry", {
      get: () => {
        throw new Error("no memory");
      },
    });
    const client = connect();
    expect(ask(client, frame(1, 3, 3, 0xe8, 0, 2))).toBe("1501000000030183" + "04");
    expect(ask(client)).toBe(REPLY);
  });
});

describe("time", () => {
  it(`half a request is given up after ${REQUEST_MS} ms, whenever its bytes came`, () => {
    const client = connect();
    client.send(SUNS.subarray(0, 4));
    ms(REQUEST_MS - 200);
    client.send(SUNS.subarray(4, 11));
    expect(client.ended).toBe(false);
    ms(200 + TICK_MS);
    expect(client.ended).toBe(true);
  });

  it(`an idle client is kept for ${IDLE_MS} ms, and no longer`, () => {
    const client = connect();
    ask(client);
    ms(IDLE_MS - TICK_MS);
    expect(client.ended).toBe(false);
    expect(ask(client)).toBe(REPLY);
    ms(IDLE_MS - TICK_MS);
    expect(client.ended).toBe(false);
    ms(2 * TICK_MS);
    expect(client.ended).toBe(true);
  });

  it(`a client that acknowledges nothing is closed after ${REPLY_MS} ms, and holds no memory`, () => {
    const client = connect();
    client.autoAck = false;
    ask(client);
    ms(REPLY_MS - TICK_MS);
    expect([client.ended, http.sending.sent]).toEqual([false, 1]);
    ms(2 * TICK_MS);
    expect([client.ended, http.sending.sent]).toEqual([true, 0]);
  });
});

describe("places", () => {
  const others = (count: number): MemoryClient[] =>
    Array.from({ length: count }, (_, index) => {
      const client = connect(`192.0.2.${index + 10}`);
      ask(client);
      return client;
    });

  it(`${MAX_CLIENTS} clients are served, one more is closed`, () => {
    const clients = others(MAX_CLIENTS);
    const late = connect("192.0.2.99");
    expect([late.ended, modbus.refused, modbus.connections]).toEqual([true, 1, MAX_CLIENTS]);
    expect(clients.map((client) => ask(client))).toEqual(clients.map(() => REPLY));
    clients[0]?.fin();
    expect(ask(connect("192.0.2.99"))).toBe(REPLY);
  });

  it("one that never asked anything gives way to a new one", () => {
    others(MAX_CLIENTS - 1);
    const silent = connect("192.0.2.50");
    expect(connect("192.0.2.99").ended).toBe(true);
    ms(REQUEST_MS);
    expect(ask(connect("192.0.2.99"))).toBe(REPLY);
    expect(silent.ended).toBe(true);
  });

  it("the idlest of an address with several gives way to an address with none, and to none of its own", () => {
    const clients = Array.from({ length: MAX_CLIENTS }, () => connect());
    for (const client of clients) {
      ask(client);
      ms(TICK_MS);
    }
    expect(connect().ended).toBe(true);
    expect(ask(connect("192.0.2.99"))).toBe(REPLY);
    expect(clients.map(({ ended }) => ended)).toEqual([true, false, false]);
  });

  it.each([1, 2, MAX_CLIENTS])(
    "%i dead connections of an address give way to it once they have missed a poll",
    (count) => {
      const dead = Array.from({ length: count }, () => connect());
      for (const client of dead) {
        ask(client);
        ms(TICK_MS);
      }
      const alive = others(MAX_CLIENTS - count);
      const keep = (): void => {
        for (const client of alive) ask(client);
      };
      ms(POLL_MS - count * TICK_MS - 1);
      keep();
      expect(connect().ended).toBe(true);
      ms(1);
      expect(ask(connect())).toBe(REPLY);
      expect(dead.map(({ ended }) => ended)).toEqual(dead.map((_, at) => at === 0));
      expect(alive.every(({ ended }) => !ended)).toBe(true);
      // Nobody else's.
      expect(modbus.connections).toBe(MAX_CLIENTS);
    },
  );

  it("are those of HTTP, which always keeps five", () => {
    const pages = Array.from({ length: MAX_CONNECTIONS }, (_, at) => web.connect(`192.0.2.${at + 100}`));
    for (const page of pages) page.send("GET /about HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(http.connections).toBe(MAX_CONNECTIONS);
    const clients = others(MAX_CLIENTS);
    expect(clients.every(({ ended }) => !ended)).toBe(true);
    expect(http.connections).toBe(MAX_CONNECTIONS - MAX_CLIENTS);
    others(2);
    expect(http.connections).toBe(MAX_CONNECTIONS - MAX_CLIENTS);
    // HTTP makes room among its own.
    web.connect("192.0.2.200").send("GET /about HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(http.connections).toBe(MAX_CONNECTIONS - MAX_CLIENTS);
    expect(modbus.connections).toBe(MAX_CLIENTS);
    for (const client of clients) client.fin();
    for (let at = 0; at < MAX_CLIENTS; at++) web.connect(`192.0.2.${at + 210}`);
    expect(http.connections).toBe(MAX_CONNECTIONS);
  });

  it("are taken from no HTTP client in the middle of its request", () => {
    for (let at = 0; at < MAX_CONNECTIONS; at++) web.connect(`192.0.2.${at + 100}`).send("GET /about HT");
    expect(connect().ended).toBe(true);
    expect(http.connections).toBe(MAX_CONNECTIONS);
  });
});

describe("who is allowed", () => {
  const allow = (clients: string): void => {
    settings.modbus = { ...settings.modbus, clients };
    modbus.settingsChanged("modbus");
  };
  const served = (address: string): boolean => ask(connect(address)) === REPLY;

  it("is the own subnet", () => {
    expect(["192.0.2.255", "192.0.3.1", "10.0.2.7"].map(served)).toEqual([true, false, false]);
  });

  it("is the list alone, if there is one", () => {
    for (const list of ["10.0.2.7 192.0.2.8", "10.0.2.7,192.0.2.8", "10.0.2.7, 192.0.2.8"]) {
      allow(list);
      expect(["192.0.2.7", "10.0.2.7", "192.0.2.8", "192.0.2.80"].map(served)).toEqual([false, true, true, false]);
    }
    // Not the subnet after all.
    allow("evcc.local");
    expect(["192.0.2.7", "192.0.2.1"].map(served)).toEqual([false, false]);
  });

  it.each([
    ["255.255.254.0", "192.0.1.255", "192.0.2.0", "192.0.3.255", "192.0.4.0"],
    ["255.255.255.128", "192.0.1.255", "192.0.2.0", "192.0.2.127", "192.0.2.128"],
    ["255.0.0.0", "191.255.255.255", "192.0.0.0", "192.255.255.255", "193.0.0.0"],
    // With these everybody, or a stranger, would be of the own subnet: at least 24 bits.
    ["0.0.0.0", "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
    ["255.0.255.0", "191.0.2.5", "192.0.2.0", "192.0.2.255", "192.9.2.1"],
    // A platform that tells none: 24 bits.
    [undefined, "192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
  ])("is by DHCP's mask %s from its first address to its last", (mask, under, first, last, over) => {
    if (mask !== undefined) board.network.mask = mask;
    const stored = startSettings(new FaultyStorage(board));
    const wired = new BoardNetwork({ settings: stored, wired: new Wired(Ethernet) });
    wired.start();
    Object.assign(modbus.device, { network: wired });
    expect([stored.network.addressing, wired.online, wired.subnetMask]).toEqual(["dhcp", true, mask ?? ""]);
    expect([under, first, last, over].map(served)).toEqual([false, true, true, false]);
    wired.close();
  });

  it("a change closes who is no longer", () => {
    const client = connect();
    ask(client);
    allow("10.0.2.7");
    expect(client.ended).toBe(true);
    settings.modbus = { ...settings.modbus, enabled: false };
    modbus.settingsChanged("modbus");
    expect(modbus.port).toBeUndefined();
    expect(announced).toEqual([502, undefined]);
  });

  it("mDNS is told of another port, once, and of nothing else", () => {
    const told = (change: Partial<ModbusSettings>): (number | undefined)[] => {
      announced = [];
      settings.modbus = { ...settings.modbus, ...change };
      modbus.settingsChanged("modbus");
      return announced;
    };
    expect(told({ clients: "10.0.2.7" })).toEqual([]);
    expect(told({ port: 1_502 })).toEqual([1_502]);
    expect(told({ enabled: false })).toEqual([undefined]);
    expect(told({ port: 502 })).toEqual([]);
    expect(told({ enabled: true })).toEqual([502]);
    modbus.close();
    expect(announced).toEqual([502, undefined]);
  });
});
