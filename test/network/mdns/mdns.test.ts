import { beforeEach, describe, expect, it } from "vitest";
import type UDP from "embedded:io/socket/udp";
import { MAX_NAMES } from "../../../src/network/limits";
import { Mdns } from "../../../src/network/mdns/mdns";
import type { NetworkObserver } from "../../../src/network/types";
import { MessageWriter, nameOf } from "../../../src/network/dns-message";
import DEFAULTS from "../../../src/settings/defaults";
import type { DeviceSettings } from "../../../src/settings/types";
import type { SimulatedBoard } from "../../../host-sim/board";
import { poweredBoard } from "../../support/system/simulated-board";

const SECOND = 1_000;
const GROUP = "224.0.0.251";

interface Sent {
  readonly at: number;
  readonly bytes: Buffer;
  readonly address: string;
  readonly port: number;
}

let board: SimulatedBoard;
let sent: Sent[];
let wire: TestSocket | undefined;
let changed: () => void;
let network: { online: boolean; ip: string; observe(observer: NetworkObserver): void };
let settings: { device: DeviceSettings };
let mdns: Mdns;
let modbus: { port: number | undefined };
let multicast: boolean;
let reachable: boolean;

/** A socket that the test is the network of. */
class TestSocket {
  readonly target: unknown;
  readonly #onReadable: (packets: number) => void;
  #packet: (ArrayBuffer & { address: string; port: number }) | undefined;
  joined = "";

  constructor({ target, onReadable }: { target?: unknown; onReadable?: (packets: number) => void }) {
    this.target = target;
    this.#onReadable = onReadable!;
    show(this);
  }

  add(group: string): void {
    if (!multicast) throw new TypeError("add: no function");
    this.joined = group;
  }

  write(bytes: Uint8Array, address: string, port: number): void {
    if (!reachable) throw new Error("UDP send failed");
    sent.push({ at: board.clock.now, bytes: Buffer.from(bytes), address, port });
  }

  read(): unknown {
    const packet = this.#packet;
    this.#packet = undefined;
    return packet;
  }

  close(): void {
    if (wire === this) wire = undefined;
  }

  /** `told`: how many packets the platform says there are. */
  deliver(bytes: Uint8Array, address = "192.0.2.50", port = 5353, told = 1): void {
    this.#packet = Object.assign(Uint8Array.from(bytes).buffer, { address, port });
    this.#onReadable(told);
  }
}

const show = (socket: TestSocket): void => void (wire = socket);

beforeEach(() => {
  modbus = { port: undefined };
  board = poweredBoard();
  sent = [];
  multicast = reachable = true;
  settings = { device: { ...DEFAULTS.device, name: "" } };
  network = { online: true, ip: "192.0.2.7", observe: (observer) => (changed = () => observer.networkChanged()) };
  mdns = new Mdns({
    modbus,
    settings,
    network,
    udp: TestSocket as unknown as typeof UDP,
    server: { port: 80 },
  });
});

const pass = (ms: number): void => board.clock.runFor(ms);
const query = (name = nameOf("jk-bms", "local"), type = 1, questionClass = 1): Uint8Array => {
  const writer = new MessageWriter(new Uint8Array(300));
  writer.header(7, 0, 1);
  writer.bytes(name);
  writer.word(type);
  writer.word(questionClass);
  return writer.message;
};
const claim = (ip: string, { name = "jk-bms", response = true } = {}): Uint8Array => {
  const writer = new MessageWriter(new Uint8Array(300));
  writer.header(0, response ? 0x8400 : 0, response ? 0 : 1);
  if (!response) {
    writer.bytes(nameOf(name, "local"));
    writer.word(255);
    writer.word(1);
  }
  writer.count(response ? 0 : 1);
  writer.name(nameOf(name, "local"));
  writer.record(1, 1, 120, 4);
  writer.address(ip);
  return writer.message;
};

describe("mDNS", () => {
  it("probes three times, then announces twice, by multicast", () => {
    pass(10 * SECOND);
    expect(sent.map(({ at }) => at)).toEqual([250, 500, 750, 1000, 2000]);
    expect(sent.every(({ address, port }) => address === GROUP && port === 5353)).toBe(true);
    expect(sent.map(({ bytes }) => [bytes.readUInt16BE(2), bytes.readUInt16BE(4), bytes.readUInt16BE(6)])).toEqual([
      [0, 1, 0],
      [0, 1, 0],
      [0, 1, 0],
      [0x8400, 0, 5],
      [0x8400, 0, 5],
    ]);
    expect(sent[0]!.bytes.readUInt16BE(8)).toBe(1);
    expect(wire?.joined).toBe(GROUP);
    expect(mdns.hostname).toBe("jk-bms");
  });

  it("announces Modbus TCP while it runs, answers for it, and withdraws it", () => {
    const service = Buffer.from(nameOf("_modbus", "_tcp", "local"));
    pass(10 * SECOND);
    expect(sent.some(({ bytes }) => bytes.includes(service))).toBe(false);
    wire!.deliver(query(nameOf("_modbus", "_tcp", "local"), 12), undefined, 40_000);
    expect(sent.some(({ bytes }) => bytes.includes(service))).toBe(false);

    sent.length = 0;
    modbus.port = 0x1234;
    changed();
    pass(10 * SECOND);
    // The goodbye of what was, probes, two announcements.
    expect(sent).toHaveLength(6);
    const [announced] = sent.slice(-1);
    expect(announced!.bytes.readUInt16BE(6)).toBe(9);
    expect(
      announced!.bytes.includes(Buffer.concat([Buffer.of(0, 0, 0, 0, 0x12, 0x34), nameOf("jk-bms", "local")])),
    ).toBe(true);
    sent.length = 0;
    wire!.deliver(query(nameOf("_modbus", "_tcp", "local"), 12), undefined, 40_000);
    // The service with its port, its text and the address beside it.
    expect([6, 10].map((at) => sent[0]!.bytes.readUInt16BE(at))).toEqual([1, 3]);
    expect(sent[0]!.bytes.includes(Buffer.from(nameOf("jk-bms", "_modbus", "_tcp", "local")))).toBe(true);

    sent.length = 0;
    modbus.port = undefined;
    changed();
    expect(sent[0]!.bytes.readUInt16BE(6)).toBe(9);
    pass(10 * SECOND);
    expect(sent.at(-1)!.bytes.readUInt16BE(6)).toBe(5);
  });

  it("answers no query before the name is claimed", () => {
    pass(800);
    wire!.deliver(query());
    expect(sent).toHaveLength(3);
    expect(mdns.hostname).toBe("");
  });

  it("answers every query, but not the same more than once a second, and by unicast on request", () => {
    pass(10 * SECOND);
    sent.length = 0;
    wire!.deliver(query());
    wire!.deliver(query());
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ address: GROUP, port: 5353 });
    expect(sent[0]!.bytes.readUInt16BE(0)).toBe(0);
    wire!.deliver(query(undefined, 1, 0x8001));
    expect(sent[1]).toMatchObject({ address: "192.0.2.50", port: 5353 });
    pass(SECOND);
    wire!.deliver(query());
    expect(sent).toHaveLength(3);
  });

  it("answers legacy queries with their id, their question and a short TTL", () => {
    pass(10 * SECOND);
    sent.length = 0;
    const asked = query();
    wire!.deliver(asked, "192.0.2.50", 40_000);
    const { bytes, address, port } = sent[0]!;
    expect([address, port]).toEqual(["192.0.2.50", 40_000]);
    expect([bytes.readUInt16BE(0), bytes.readUInt16BE(4), bytes.readUInt16BE(6)]).toEqual([7, 1, 1]);
    expect(bytes.subarray(12, asked.length)).toEqual(Buffer.from(asked.subarray(12)));
    // Class IN without the flush bit, 10 s, 4 bytes.
    expect(bytes.subarray(-12).toString("hex")).toBe("00010000000a0004c0000207");
  });

  it("tries other names, one after the other, when its own is taken", () => {
    pass(600);
    wire!.deliver(claim("192.0.2.9"));
    pass(3 * SECOND);
    expect(mdns.hostname).toBe("jk-bms-2");
    settings.device = { ...DEFAULTS.device, hostname: "shed" };
    changed();
    pass(3 * SECOND);
    expect(mdns.hostname).toBe("shed");
  });

  it("probes again when another host answers to its name later, and yields only then", () => {
    pass(10 * SECOND);
    wire!.deliver(claim("192.0.2.9"));
    expect(mdns.hostname).toBe("");
    pass(3 * SECOND);
    expect(mdns.hostname).toBe("jk-bms");
    wire!.deliver(claim("192.0.2.9"));
    pass(300);
    wire!.deliver(claim("192.0.2.9"));
    pass(3 * SECOND);
    expect(mdns.hostname).toBe("jk-bms-2");
  });

  it("ignores its own looped-back packets", () => {
    pass(400);
    wire!.deliver(sent[0]!.bytes, "192.0.2.7");
    pass(3 * SECOND);
    wire!.deliver(sent[3]!.bytes, "192.0.2.7");
    pass(SECOND);
    expect(mdns.hostname).toBe("jk-bms");
    expect(sent).toHaveLength(5);
  });

  it("the later address wins when two probe at once", () => {
    pass(300);
    wire!.deliver(claim("192.0.2.6", { response: false }));
    pass(800);
    expect(mdns.hostname).toBe("jk-bms");
    settings.device = { ...DEFAULTS.device, hostname: "other" };
    changed();
    pass(300);
    wire!.deliver(claim("192.0.2.10", { response: false, name: "other" }));
    pass(1_200);
    expect(mdns.hostname).toBe("");
    pass(SECOND);
    expect(mdns.hostname).toBe("other");
  });

  it("defends its name against probes", () => {
    pass(10 * SECOND);
    sent.length = 0;
    wire!.deliver(claim("192.0.2.10", { response: false }));
    expect(sent).toHaveLength(1);
    expect(sent[0]!.bytes.subarray(-4)).toEqual(Buffer.of(192, 0, 2, 7));
    expect(mdns.hostname).toBe("jk-bms");
  });

  it("answers a querier that remembers another address, and takes no goodbye for a host with its name", () => {
    pass(10 * SECOND);
    sent.length = 0;
    const remembered = Uint8Array.from(claim("192.0.2.6").subarray(12));
    wire!.deliver(Uint8Array.from([...query(), ...remembered]).with(7, 1));
    expect(sent).toHaveLength(1);
    expect(sent[0]!.bytes.subarray(-4)).toEqual(Buffer.of(192, 0, 2, 7));
    const goodbye = claim("192.0.2.6");
    goodbye[goodbye.length - 7] = 0;
    wire!.deliver(goodbye);
    expect(mdns.hostname).toBe("jk-bms");
  });

  it("says goodbye when the address changes, and starts over", () => {
    pass(10 * SECOND);
    sent.length = 0;
    network.ip = "192.0.2.8";
    changed();
    changed();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.bytes.subarray(-8).toString("hex")).toBe("00000004c0000207");
    pass(3 * SECOND);
    expect(sent.at(-1)!.bytes.subarray(-4)).toEqual(Buffer.of(192, 0, 2, 8));
    network.online = false;
    changed();
    expect(wire).toBeUndefined();
    expect(mdns.hostname).toBe("");
    const count = sent.length;
    pass(10 * SECOND);
    expect(sent).toHaveLength(count);
  });

  it("adds location and address to a service answer to save further queries", () => {
    pass(10 * SECOND);
    sent.length = 0;
    wire!.deliver(query(nameOf("_http", "_tcp", "local"), 12), undefined, 40_000);
    wire!.deliver(query(nameOf("jk-bms", "_http", "_tcp", "local"), 33), undefined, 40_000);
    const counts = sent.map(({ bytes }) => [bytes.readUInt16BE(6), bytes.readUInt16BE(10)]);
    expect(counts).toEqual([
      [1, 3],
      [1, 1],
    ]);
  });

  it("does not repeat the questions of a legacy query with several", () => {
    pass(10 * SECOND);
    sent.length = 0;
    const one = query();
    const two = Uint8Array.from([...one, ...one.subarray(12)]).with(5, 2);
    wire!.deliver(two, "192.0.2.50", 40_000);
    const { bytes } = sent[0]!;
    expect([bytes.readUInt16BE(0), bytes.readUInt16BE(4), bytes.readUInt16BE(6)]).toEqual([7, 0, 1]);
  });

  it("survives malformed messages, missing packets, and a network that refuses to send", () => {
    pass(10 * SECOND);
    sent.length = 0;
    wire!.deliver(Uint8Array.of(1, 2, 3));
    wire!.deliver(query().with(2, 0x28));
    reachable = false;
    wire!.deliver(query());
    pass(SECOND);
    expect(sent).toEqual([]);
    reachable = true;
    wire!.deliver(query(), undefined, undefined, 3);
    expect(sent).toHaveLength(1);
  });

  it("starts again with the first name after a while when all are taken", () => {
    for (let n = 1; n <= MAX_NAMES; n++) {
      pass(300);
      wire!.deliver(claim("192.0.2.9", { name: n === 1 ? "jk-bms" : `jk-bms-${n}` }));
    }
    sent.length = 0;
    pass(MAX_NAMES * SECOND);
    expect(sent).toEqual([]);
    pass(2 * SECOND);
    expect(mdns.hostname).toBe("jk-bms");
  });

  it("keeps no socket on a platform without multicast", () => {
    mdns.close();
    multicast = false;
    network.ip = "192.0.2.8";
    changed();
    expect(wire).toBeUndefined();
    pass(10 * SECOND);
    expect(mdns.hostname).toBe("");
  });

  it("appears once the platform allows it, and not on a network that has gone meanwhile", () => {
    mdns.close();
    multicast = false;
    network.ip = "192.0.2.8";
    changed();
    pass(600 * SECOND);
    expect(sent).toEqual([]);
    multicast = true;
    pass(62 * SECOND);
    expect([mdns.hostname, wire?.joined]).toEqual(["jk-bms", "224.0.0.251"]);
    multicast = false;
    network.ip = "192.0.2.9";
    changed();
    network.online = false;
    changed();
    multicast = true;
    pass(120 * SECOND);
    expect([mdns.hostname, wire]).toEqual(["", undefined]);
  });
});
