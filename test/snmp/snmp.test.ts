/** The interface on the running firmware's parts, in virtual time; only its socket and its name server are in the test's hand. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type Ambient from "embedded:network/dns/resolver/udp";
import Timer from "../../host-sim/io/timer";
import { LONELY_AFTER } from "../../src/network/limits";
import { Snmp } from "../../src/snmp/snmp";
import type { SnmpSettings } from "../../src/settings/types";
import { parse, request, type Answer } from "../support/peers/snmp";
import { System } from "../support/system/system";
import { conditionsWithAlarms } from "../support/fakes/no-conditions";

type Packet = ArrayBuffer & { address: string; port: number };

class Socket {
  static open: Socket[] = [];
  static failing = false;
  readonly target: unknown;
  readonly #onReadable: (count: number) => void;
  readonly queue: Packet[] = [];
  readonly sent: { to: string; port: number; answer: Answer }[] = [];

  constructor({ target, onReadable }: { target?: unknown; onReadable?: (count: number) => void }) {
    if (Socket.failing) throw new Error("bind failed");
    this.target = target;
    this.#onReadable = onReadable!;
    Socket.open.push(this);
  }

  read(): Packet | undefined {
    return this.queue.shift();
  }

  write(bytes: Uint8Array, to: string, port: number): void {
    this.sent.push({ to, port, answer: parse(bytes) });
  }

  close(): void {
    Socket.open.splice(Socket.open.indexOf(this), 1);
  }

  ask(community: string): Answer | undefined {
    const { buffer } = request(["1.3.6.1.2.1.1.7.0"], { community });
    this.queue.push(Object.assign(buffer as ArrayBuffer, { address: "10.0.0.9", port: 4000 }));
    this.#onReadable.call(this, 1);
    return this.sent.pop()?.answer;
  }
}

const running: System[] = [];
afterEach(() => {
  for (const system of running.splice(0)) system.stop();
  Socket.open = [];
  Socket.failing = false;
  vi.restoreAllMocks();
});

const SECOND = 1000;
const TRAPS = "1.3.6.1.4.1.8072.9999.9999.485.0";
const COLD_START = "1.3.6.1.6.3.1.1.5.1";

class Bench {
  readonly snmp: Snmp;
  /** Names that were asked for, and those that wait for an answer. */
  readonly asked: string[] = [];
  readonly #waiting: { answer(address?: string): void }[] = [];
  /** Names being looked up. */
  readonly looking = new Set<object>();

  constructor(readonly system: System) {
    const { monitor, settings, relay, network } = system.firmware;
    const { asked, looking } = this;
    const waiting = this.#waiting;
    class Resolver {
      #closed = false;
      resolve({ host, onResolved, onError }: Parameters<Ambient["resolve"]>[0]): void {
        asked.push(host);
        looking.add(this);
        if (host === "throws") throw new Error("no memory");
        waiting.push({
          answer: (address) => {
            if (!this.#closed) void (address ? onResolved(host, address) : onError(host));
          },
        });
      }
      close(): void {
        this.#closed = true;
        looking.delete(this);
      }
    }
    this.snmp = new Snmp({
      monitor,
      settings,
      relay,
      network,
      build: {
        softwareName: "monitor",
        version: "1",
        build: "b",
        boardVersion: "board",
        snmpPort: 161,
        snmpTrapPort: 1162,
      },
      centiseconds: () => monitor.centiseconds,
      conditions: conditionsWithAlarms(monitor),
      energy: undefined,
      udp: Socket as unknown as ConstructorParameters<typeof Snmp>[0]["udp"],
      resolver: Resolver,
    });
  }

  /** Its own SNMP is off: the settings are those of the bench's. */
  static async start(snmp: Partial<SnmpSettings> = {}): Promise<Bench> {
    const system = await System.start({
      unpaced: true,
      engine: "node",
      bms: { evolving: false },
      board: { config: { snmpPort: 0, settings: { snmp } } },
    });
    running.push(system);
    return new Bench(system);
  }

  get socket(): Socket {
    return Socket.open[0]!;
  }

  run(seconds: number): void {
    this.system.board.clock.runFor(seconds * SECOND);
  }

  configure(change: Partial<SnmpSettings>): void {
    expect(this.system.probes.configure("snmp", change)).toBeUndefined();
  }

  answer(address?: string): void {
    this.#waiting.shift()?.answer(address);
  }

  /** What was sent since the last time: receiver, trap and values. */
  told(): [to: string, trap: string, ...values: unknown[]][] {
    return this.socket.sent.splice(0).map(({ to, answer }) => {
      const [, trap, ...values] = answer.bindings;
      return [to, String(trap!.value).replace(`${TRAPS}.`, "bms "), ...values.map(({ value }) => value)];
    });
  }
}

const ON = { enabled: true, community: "secret" } as const;

describe("enabling and disabling", () => {
  it("is disabled by default, with nothing open", async () => {
    const bench = await Bench.start();
    expect([Socket.open.length, bench.snmp.port]).toEqual([0, undefined]);
    bench.run(10);
    bench.snmp.close();
    expect(Socket.open).toEqual([]);
  });

  it("follows the settings at run time", async () => {
    const bench = await Bench.start();
    bench.configure(ON);
    expect(bench.socket.ask("secret")?.bindings).toMatchObject([{ value: 72 }]);
    bench.configure({ community: "other" });
    expect(bench.socket.ask("secret")).toBeUndefined();
    expect(bench.socket.ask("other")?.status).toBe(0);
    expect(Socket.open).toHaveLength(1);
    bench.configure({ community: "" });
    expect(bench.socket.ask("")).toBeUndefined();
    bench.configure({ enabled: false });
    expect(Socket.open).toEqual([]);
    bench.run(10);
    bench.configure(ON);
    expect(bench.socket.ask("secret")?.status).toBe(0);
    bench.snmp.close();
    expect(Socket.open).toEqual([]);
  });

  it("reports a missing socket, and retries at the next change", async () => {
    const bench = await Bench.start();
    Socket.failing = true;
    bench.configure(ON);
    expect(bench.system.console.join("")).toContain("snmp: no socket, trying again: Error: bind failed");
    expect(bench.system.console.join("")).not.toContain("secret");
    Socket.failing = false;
    bench.configure({ location: "Garage" });
    expect(bench.socket.ask("secret")?.status).toBe(0);
  });

  it("leaves no socket open without memory for its timer, and opens one later", async () => {
    const bench = await Bench.start();
    const repeat = vi.spyOn(Timer, "repeat").mockImplementation(() => {
      throw new Error("no memory");
    });
    bench.configure(ON);
    expect([bench.snmp.running, Socket.open.length]).toEqual([false, 0]);
    repeat.mockRestore();
    bench.run(60);
    expect([bench.snmp.running, Socket.open.length]).toEqual([true, 1]);
  });

  it("opens a missing socket by itself once the platform allows it, unless it is switched off", async () => {
    const bench = await Bench.start();
    Socket.failing = true;
    bench.configure(ON);
    bench.run(600);
    Socket.failing = false;
    bench.run(60);
    expect(bench.snmp.running).toBe(true);
    expect(bench.socket.ask("secret")?.status).toBe(0);
    bench.configure({ enabled: false });
    Socket.failing = true;
    bench.configure({ enabled: true });
    bench.configure({ enabled: false });
    Socket.failing = false;
    bench.run(120);
    expect(Socket.open).toEqual([]);
  });
});

describe("notifications", () => {
  const receivers = { ...ON, receiver1: "10.0.0.1", receiver2: "" };

  it("report the start, the BMS, its alarms and the relay as they occur", async () => {
    const bench = await Bench.start(receivers);
    expect(bench.told()).toEqual([["10.0.0.1", COLD_START]]);
    bench.run(3);
    expect(bench.told()).toEqual([["10.0.0.1", "bms 1"]]);
    const { registers } = bench.system.bms;
    registers.write("Alarms", (1 << 11) | (1 << 5));
    bench.run(2);
    expect(bench.told()).toEqual([
      ["10.0.0.1", "bms 3", "battery_overvoltage", "Battery over-voltage"],
      ["10.0.0.1", "bms 3", "cell_undervoltage", "Cell under-voltage"],
    ]);
    registers.write("Alarms", 1 << 5);
    bench.run(2);
    expect(bench.told()).toEqual([["10.0.0.1", "bms 4", "cell_undervoltage", "Cell under-voltage"]]);
    bench.system.probes.switchRelay(true);
    bench.run(2);
    expect(bench.told()).toEqual([["10.0.0.1", "bms 5", "Relay", 1]]);
    bench.system.bms.setOnline(false);
    registers.write("Alarms", 0);
    bench.run(10);
    expect(bench.told()).toEqual([["10.0.0.1", "bms 2"]]);
    bench.system.bms.setOnline(true);
    bench.run(5);
    expect(bench.told()).toEqual([
      ["10.0.0.1", "bms 1"],
      ["10.0.0.1", "bms 4", "battery_overvoltage", "Battery over-voltage"],
    ]);
    bench.run(60);
    expect(bench.told()).toEqual([]);
  });

  it("are v2c, with community, sysUpTime.0 and the names of the values", async () => {
    const bench = await Bench.start(receivers);
    bench.run(3);
    bench.told();
    bench.system.bms.registers.write("Alarms", 1 << 14);
    bench.run(2);
    const object = "1.3.6.1.4.1.8072.9999.9999.485.1.3.1";
    expect(bench.socket.sent).toMatchObject([
      {
        port: 1162,
        answer: {
          version: 1,
          community: "secret",
          pdu: 0xa7,
          bindings: [
            { name: "1.3.6.1.2.1.1.3.0", tag: 0x43 },
            { name: "1.3.6.1.6.3.1.1.4.1.0", value: `${TRAPS}.3` },
            { name: `${object}.2.15`, value: "discharge_short_circuit" },
            { name: `${object}.3.15`, value: "Discharge short circuit" },
          ],
        },
      },
    ]);
  });

  it("go to both receivers; one added later gets only new ones", async () => {
    const bench = await Bench.start({ ...ON, receiver2: "10.0.0.2" });
    bench.run(3);
    expect(bench.told()).toEqual([
      ["10.0.0.2", COLD_START],
      ["10.0.0.2", "bms 1"],
    ]);
    bench.configure({ receiver1: "10.0.0.1" });
    bench.system.probes.switchRelay(true);
    bench.run(2);
    expect(bench.told()).toEqual([
      ["10.0.0.1", "bms 5", "Relay", 1],
      ["10.0.0.2", "bms 5", "Relay", 1],
    ]);
    bench.configure({ receiver1: "", receiver2: "" });
    bench.system.probes.switchRelay(false);
    bench.run(2);
    expect(bench.told()).toEqual([]);
  });

  it("wait for the network; what has cleared by then is not sent", async () => {
    const bench = await Bench.start({ ...receivers, enabled: false });
    bench.run(3);
    const { bms } = bench.system;
    const { ethernet } = bench.system.board;
    ethernet.cable = false;
    bench.run(2);
    bench.configure({ enabled: true });
    bms.registers.write("Alarms", (1 << 5) | (1 << 6));
    bench.run(2);
    bms.registers.write("Alarms", 1 << 5);
    bench.run(LONELY_AFTER / SECOND);
    // The access point is open by now; nobody there receives notifications.
    expect(bench.system.firmware.network.accessPoint).not.toBe("");
    expect(bench.told()).toEqual([]);
    ethernet.cable = true;
    bench.run(2);
    expect(bench.told()).toEqual([
      ["10.0.0.1", COLD_START],
      ["10.0.0.1", "bms 3", "battery_overvoltage", "Battery over-voltage"],
    ]);
  });

  it("do not mention a relay that is not fitted", async () => {
    const bench = await Bench.start(receivers);
    bench.run(3);
    bench.system.probes.switchRelay(true);
    bench.run(2);
    bench.told();
    bench.system.probes.configure("relay", { fitted: false });
    bench.run(2);
    expect(bench.told()).toEqual([]);
  });
});

describe("receivers that are host names", () => {
  const named = { ...ON, receiver1: "traps.lan", receiver2: "10.0.0.2" };

  it("are looked up first, and nothing is lost meanwhile", async () => {
    const bench = await Bench.start(named);
    bench.run(3);
    expect([bench.asked, bench.told()]).toEqual([["traps.lan"], []]);
    bench.answer("10.0.0.7");
    bench.run(1);
    expect(bench.told()).toEqual([
      ["10.0.0.7", COLD_START],
      ["10.0.0.2", COLD_START],
      ["10.0.0.7", "bms 1"],
      ["10.0.0.2", "bms 1"],
    ]);
  });

  it("are looked up again after five minutes; the old address stays if there is no answer", async () => {
    const bench = await Bench.start(named);
    bench.answer("10.0.0.7");
    bench.run(299);
    expect(bench.asked).toHaveLength(1);
    bench.run(2);
    expect(bench.asked).toHaveLength(2);
    bench.answer(undefined);
    bench.told();
    bench.system.probes.switchRelay(true);
    bench.run(2);
    expect(bench.told().map(([to]) => to)).toEqual(["10.0.0.7", "10.0.0.2"]);
    bench.run(30);
    expect(bench.asked).toHaveLength(3);
    bench.answer("10.0.0.8");
    bench.system.probes.switchRelay(false);
    bench.run(2);
    expect(bench.told().map(([to]) => to)).toEqual(["10.0.0.8", "10.0.0.2"]);
  });

  it.each([
    ["is not known", (bench: Bench) => bench.answer(undefined), "nowhere.lan", 1],
    ["cannot be asked for", () => undefined, "throws", 1],
    ["gets no answer", () => undefined, "silent.lan", 31],
  ])("one that %s does not affect the other, and is looked up again", async (_name, act, receiver1, seconds) => {
    const bench = await Bench.start({ ...named, receiver1 });
    act(bench);
    bench.run(seconds);
    expect(bench.told()[0]).toEqual(["10.0.0.2", COLD_START]);
    const { length } = bench.asked;
    bench.run(31);
    expect(bench.asked).toHaveLength(length + 1);
  });

  it("an answer for a changed setting is dropped", async () => {
    const bench = await Bench.start(named);
    bench.configure({ receiver1: "other.lan" });
    expect(bench.asked).toEqual(["traps.lan", "other.lan"]);
    bench.answer("10.0.0.7");
    bench.run(2);
    expect(bench.told()).toEqual([]);
    bench.answer("10.0.0.8");
    bench.run(2);
    expect(bench.told()[0]).toEqual(["10.0.0.8", COLD_START]);
  });

  it("a look-up is cancelled when it takes too long, its receiver is removed, SNMP is switched off or closed", async () => {
    const bench = await Bench.start(named);
    bench.run(31);
    expect([bench.asked.length, bench.looking.size]).toEqual([2, 1]);
    for (const change of [{ receiver1: "" }, { enabled: false }]) {
      bench.configure(change);
      expect(bench.looking.size).toBe(0);
      bench.configure({ enabled: true, receiver1: "traps.lan" });
      bench.run(1);
      expect(bench.looking.size).toBe(1);
    }
    bench.snmp.close();
    expect(bench.looking.size).toBe(0);
  });

  it("are not looked up without a network", async () => {
    const bench = await Bench.start({ ...named, enabled: false });
    bench.system.board.ethernet.cable = false;
    bench.run(2);
    bench.configure({ enabled: true });
    bench.run(5);
    expect(bench.asked).toEqual([]);
    bench.system.board.ethernet.cable = true;
    bench.run(2);
    expect(bench.asked).toEqual(["traps.lan"]);
  });
});
