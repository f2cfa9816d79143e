import { spawn, type ChildProcess } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { random } from "../../host-sim/bms/random";
import { parseCommandLine } from "../../host-sim/command-line";
import { parts } from "../../host-sim/firmware";
import { run, type Running } from "../../host-sim/run";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { freePort, freeUdpPort } from "../support/free-port";
import { Nut } from "../support/peers/nut";
import { runProgram } from "../support/run-program";
import { GET, GET_BULK, GET_NEXT, parse, request, SET, type Answer } from "../support/peers/snmp";
import { isLong } from "../support/property";
import { System } from "../support/system/system";

const COMMUNITY = "let-me in";
const MIBS = ["-M", "docs:test/fixtures/mibs", "-m", "BMS-MONITOR-MIB"];

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const start = async (snmp: object = {}, config: object = {}): Promise<System> =>
  System.start({
    bms: { evolving: false },
    board: { config: { ...config, settings: { snmp: { enabled: true, community: COMMUNITY, ...snmp } } } },
  });

/** Packs at the addresses from 1 to `count`. */
const startBank = async (count: number, snmp: object = {}, config: object = {}): Promise<System> =>
  System.start({
    bank: { count, evolving: false, timeFactor: 0 },
    board: {
      config: {
        ...config,
        settings: {
          snmp: { enabled: true, community: COMMUNITY, ...snmp },
          packs: {
            first: "Top",
            further: Array.from({ length: count - 1 }, (_, index) => ({
              address: index + 2,
              name: `Shelf ${index + 2}`,
            })),
          },
        },
      },
    },
  });

const startForOne = async (...parameters: Parameters<typeof start>): Promise<System> => {
  const system = await start(...parameters);
  cleanups.push(() => system.stop());
  return system;
};

const host = (system: System): string => `127.0.0.1:${system.probes.snmpPort()}`;

/** Runs a tool of Debian's `snmp`; `-Oq` leaves the types out. */
async function runTool(system: System, name: string, options: readonly string[], ...rest: string[]): Promise<string> {
  // Until the test's own time is over.
  const { stdout } = await runProgram(name, ["-c", COMMUNITY, "-r", "100", ...options, host(system), ...rest]);
  return stdout;
}

class Receiver {
  output = "";
  readonly #child: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), "snmptrapd-"));

  constructor(port: number) {
    const options = ["-f", "-C", "-n", "-Lo", "-Oq", "--disableAuthorization=yes", ...MIBS];
    this.#child = spawn("snmptrapd", [...options, `udp:127.0.0.1:${port}`], {
      env: { ...process.env, SNMP_PERSISTENT_DIR: this.#folder },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    cleanups.push(() => {
      this.#child.kill("SIGKILL");
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }
}

/** Names and numbers of the objects and columns that the MIB defines below bmsMonitorObjects. */
async function definedObjects(): Promise<[name: string, place: string][]> {
  const { output } = await runProgram("snmptranslate", [...MIBS, "-Tz"]);
  return (
    [...output.matchAll(/"(bms\w+)"\s+"1\.3\.6\.1\.4\.1\.8072\.9999\.9999\.485\.1\.(\d+\.\d+(?:\.\d+)?)"/g)]
      .map(([, name, place]): [string, string] => [name!, place!])
      // The tables' entries and indices.
      .filter(([, place]) => !/^([23]|9|10|11)\.1(\.1)?$/.test(place))
  );
}
/** The simulated pack has none: its register repeats the MOSFETs'. */
const THIRD_PROBE = /^bms(Packs)?TemperatureBattery3$/;
const isOfBank = ([, place]: [name: string, place: string]): boolean => /^(8|9|10|11)\./.test(place);

/** The tools of Debian's `snmp` against one running device. */
describe("Net-SNMP's tools", () => {
  let system: System;
  beforeAll(async () => {
    system = await start({ contact: "Ann", location: "Garage" });
    await system.untilLoaded();
    // The objects of the last write exist only after one.
    system.probes.writeCommand("balance", true);
    await system.outcome();
  });
  afterAll(() => system.stop());

  const tool = (name: string, options: readonly string[], ...rest: string[]): Promise<string> =>
    runTool(system, name, options, ...rest);
  const lines = (text: string): string[] =>
    text.split("\n").filter((line) => line.startsWith(".") && !line.includes("No more variables"));

  it.each(["-v1", "-v2c"])("snmpget %s reads the system group", async (version) => {
    const get = async (object: number): Promise<string> =>
      (await tool("snmpget", [version, "-Oqvn", "-m", ""], `.1.3.6.1.2.1.1.${object}.0`)).trim();
    expect(await get(1)).toMatch(/^"jk-bms-monitor \S+ \(\w+\) on host-sim"$/);
    expect(await get(2)).toBe(".1.3.6.1.2.1.33");
    expect([await get(4), await get(6)]).toEqual(['"Ann"', '"Garage"']);
    expect(Number((await get(3)).replace(/\D/g, ""))).toBeGreaterThan(0);
  });

  it("snmpget shows a value with its unit from our MIB", async () => {
    expect(
      await tool("snmpget", ["-v2c", ...MIBS], "bmsPackVoltage.0", "bmsOnline.0", "bmsTemperatureBattery1.0"),
    ).toBe(
      [
        "BMS-MONITOR-MIB::bmsPackVoltage.0 = INTEGER: 52695 mV",
        "BMS-MONITOR-MIB::bmsOnline.0 = INTEGER: true(1)",
        "BMS-MONITOR-MIB::bmsTemperatureBattery1.0 = INTEGER: 195 0.1 degrees Celsius",
        "",
      ].join("\n"),
    );
  });

  it("snmpwalk in v1 and v2c and snmpbulkwalk return the same objects in order", async () => {
    const quiet = ["-m", "", "-On", "-Oq"];
    const names = (text: string): string[] => lines(text).map((line) => line.split(" ")[0]!);
    const v2c = names(await tool("snmpwalk", ["-v2c", ...quiet], ".1"));
    expect(v2c.length).toBeGreaterThan(200);
    expect(names(await tool("snmpwalk", ["-v1", ...quiet], ".1"))).toEqual(v2c);
    for (const repetitions of ["1", "7", "100"])
      expect(names(await tool("snmpbulkwalk", ["-v2c", `-Cr${repetitions}`, ...quiet], ".1"))).toEqual(v2c);
  });

  it("every object below our arc has a name and the right type in the MIB", async () => {
    const walked = await tool("snmpwalk", ["-v2c", ...MIBS], ".1.3.6.1.4.1.8072");
    const found = walked.trim().split("\n");
    for (const line of found) {
      expect(line).toMatch(/^BMS-MONITOR-MIB::bms[A-Za-z0-9]+\.\d+ = /);
      expect(line).not.toContain("Wrong Type");
    }
    const objects = new Set(found.map((line) => line.split(/[:.]+/)[1]));
    const defined = (await definedObjects()).filter((object) => !isOfBank(object) && !THIRD_PROBE.test(object[0]));
    expect(defined.length).toBeGreaterThan(40);
    expect([...objects].sort()).toEqual(defined.map(([name]) => name).sort());
  });

  it("snmptable shows the cells and the alarms", async () => {
    const cells = await tool("snmptable", ["-v2c", ...MIBS, "-Cf", "|", "-Ci", "-CH"], "bmsCellTable");
    const rows = cells
      .trim()
      .split("\n")
      .map((row) => row.split("|"));
    expect(rows).toHaveLength(16);
    const { data } = (await system.get("/api/bms/status")).json as {
      data: { cells: { number: number; voltage: number; wireResistanceMilliOhm: number }[] };
    };
    expect(rows.map((row) => row.map((cell) => Number.parseInt(cell)))).toEqual(
      data.cells.map(({ number, voltage, wireResistanceMilliOhm }) => [
        number,
        Math.round(voltage * 1000),
        wireResistanceMilliOhm,
      ]),
    );
    const alarms = await tool("snmptable", ["-v2c", ...MIBS, "-Cf", "|", "-Ci", "-CH"], "bmsAlarmTable");
    expect(
      alarms
        .trim()
        .split("\n")
        .map((row) => row.split("|")[1]),
    ).toEqual(ALARMS_TABLE.map(({ name }) => name));
  });

  it.each([
    ["-v1", "noSuchName"],
    ["-v2c", "notWritable"],
  ])("snmpset %s is refused", async (version, error) => {
    const { code, output } = await runProgram("snmpset", [
      ...[version, "-c", COMMUNITY, "-m", "", host(system), ".1.3.6.1.2.1.1.5.0", "s", "mine"],
    ]);
    expect(code).not.toBe(0);
    expect(output).toContain(error);
  });

  it("a wrong community and SNMPv3 get no answer", async () => {
    const before = (await tool("snmpget", ["-v2c", "-Oqv", "-m", ""], ".1.3.6.1.2.1.11.4.0")).trim();
    const { code, output } = await runProgram("snmpget", [
      ...["-v2c", "-c", "public", "-r", "1", "-t", "0.3", "-m", "", host(system), ".1.3.6.1.2.1.1.5.0"],
    ]);
    expect([code, output]).toEqual([1, expect.stringContaining("Timeout")]);
    const after = (await tool("snmpget", ["-v2c", "-Oqv", "-m", ""], ".1.3.6.1.2.1.11.4.0")).trim();
    expect(Number(after) - Number(before)).toBe(2);
    const v3 = await runProgram("snmpget", [
      ...[
        "-v3",
        "-u",
        "ann",
        "-l",
        "noAuthNoPriv",
        "-r",
        "0",
        "-t",
        "0.3",
        "-m",
        "",
        host(system),
        ".1.3.6.1.2.1.1.5.0",
      ],
    ]);
    expect(v3.code).toBe(1);
  });
});

describe("notifications", () => {
  it("reach snmptrapd: the start, the BMS, its alarms and the relay", async () => {
    const port = await freeUdpPort();
    const receiver = new Receiver(port);
    const system = await startForOne({}, { snmpTrapPort: port });
    await system.untilLoaded();
    await system.until("snmptrapd listens", () => receiver.output.includes("NET-SNMP version"));
    system.board.clock.start(10);
    const heard = (text: string): Promise<void> => system.until(text, () => receiver.output.includes(text));
    system.probes.configure("snmp", { enabled: false });
    system.probes.configure("snmp", { enabled: true, receiver1: "127.0.0.1" });
    await heard("snmpModules.1.1.5.1\n");
    system.bms.registers.write("Alarms", 1 << 11);
    await heard("BMS-MONITOR-MIB::bmsAlarmRaised\tBMS-MONITOR-MIB::bmsAlarmName.12 cell_undervoltage");
    system.bms.registers.write("Alarms", 0);
    await heard("BMS-MONITOR-MIB::bmsAlarmCleared\tBMS-MONITOR-MIB::bmsAlarmName.12 cell_undervoltage");
    system.probes.switchRelay(true);
    await heard(
      "BMS-MONITOR-MIB::bmsRelayChanged\tBMS-MONITOR-MIB::bmsRelayName.0 Relay\tBMS-MONITOR-MIB::bmsRelayOn.0 true",
    );
    system.bms.setOnline(false);
    await heard("BMS-MONITOR-MIB::bmsWentOffline");
    system.bms.setOnline(true);
    await heard("BMS-MONITOR-MIB::bmsCameOnline");
    expect(system.console.filter((line) => !line.includes("set-up code"))).toEqual([]);
  });
});

describe("several packs", () => {
  it("are tables by address with Net-SNMP's tools, every object with its name and type", async () => {
    const system = await startBank(3);
    cleanups.push(() => system.stop());
    const tool = (name: string, options: readonly string[], ...rest: string[]): Promise<string> =>
      runTool(system, name, ["-v2c", ...MIBS, ...options], ...rest);
    await system.skipUntil(
      "all are known",
      async () => (await tool("snmpget", ["-OqvU"], "bmsPacksInfoSerialNumber.3")).includes("SIM"),
      120,
    );
    const walked = (await tool("snmpbulkwalk", ["-Cr64"], ".1.3.6.1.4.1.8072"))
      .trim()
      .split("\n")
      .filter((line) => !line.includes("No more variables"));
    const objects = new Set<string>();
    for (const line of walked) {
      const [, name] = /^BMS-MONITOR-MIB::(bms[A-Za-z0-9]+)\.\d+(?:\.\d+)? = (?!Wrong Type)/.exec(line) ?? [];
      expect([line, name]).not.toEqual([line, undefined]);
      objects.add(name!);
    }
    // No write has ended, and in a bank the protocols are asked for later.
    const later = /(?:Uart\d|Can)Protocol$/;
    const defined = (await definedObjects())
      .map(([name]) => name)
      .filter((name) => name !== "bmsLastWriteOk" && !THIRD_PROBE.test(name) && !later.test(name));
    expect([...objects].sort()).toEqual(defined.sort());

    const table = async (name: string): Promise<string[][]> =>
      (await tool("snmptable", ["-OU", "-Cf", "|", "-Ci", "-CH"], name))
        .trim()
        .split("\n")
        .map((row) => row.split("|"));
    const { data } = (await system.get("/api/packs")).json as {
      data: { packs: { address: number; name: string; serialNumber: string; voltage: number; soc: number }[] };
    };
    const shown = (await table("bmsPacksTable")).map((row) => [row[0], row[1], row[25], row[29], row[10]]);
    expect(shown).toEqual(
      data.packs.map(({ address, name, serialNumber, voltage, soc }) =>
        [address, name, serialNumber, Math.round(voltage * 1000), soc].map(String),
      ),
    );
    expect((await table("bmsPacksCellTable")).map(([index]) => index)).toEqual(
      [1, 2, 3].flatMap((address) => Array.from({ length: 16 }, (_, cell) => `${address}.${cell + 1}`)),
    );
    expect((await table("bmsPacksAlarmTable")).map(([, name]) => name)).toEqual(
      [1, 2, 3].flatMap(() => ALARMS_TABLE.map(({ name }) => name)),
    );
    for (const version of ["-v1", "-v2c"]) {
      const names = async (name: string, ...options: string[]): Promise<string[]> =>
        (await runTool(system, name, [version, "-m", "", "-Onq", ...options], ".1.3.6.1.4.1.8072.9999.9999.485.1.10"))
          .split("\n")
          .filter((line) => line.startsWith("."))
          .map((line) => line.split(" ")[0]!);
      const one = await names("snmpwalk");
      expect(one).toHaveLength(2 * 3 * 16);
      if (version === "-v2c") expect(await names("snmpbulkwalk", "-Cr64")).toEqual(one);
    }
  });

  it("tell receivers of further packs too", async () => {
    const port = await freeUdpPort();
    const receiver = new Receiver(port);
    const system = await startBank(2, {}, { snmpTrapPort: port });
    cleanups.push(() => system.stop());
    await system.until("snmptrapd listens", () => receiver.output.includes("NET-SNMP version"));
    system.board.clock.start(10);
    system.probes.configure("snmp", { receiver1: "127.0.0.1" });
    const heard = (text: string): Promise<void> =>
      system.until(text, () => receiver.output.includes(`BMS-MONITOR-MIB::${text}`));
    const named = "BMS-MONITOR-MIB::bmsPacksGivenName.2 Shelf 2";
    await heard(`bmsPackCameOnline\t${named}`);
    const other = system.bank!.packs[1]!;
    other.registers.write("Alarms", 1 << 11);
    await heard("bmsPackAlarmRaised\tBMS-MONITOR-MIB::bmsPacksAlarmName.2.12 cell_undervoltage");
    other.registers.write("Alarms", 0);
    await heard("bmsPackAlarmCleared\tBMS-MONITOR-MIB::bmsPacksAlarmName.2.12 cell_undervoltage");
    other.registers.write("TimeEmergency", 600);
    await heard(`bmsPackConcernsChanged\t${named}\tBMS-MONITOR-MIB::bmsPacksConcerns.2 emergency`);
    other.registers.write("TimeEmergency", 0);
    await heard(`bmsPackConcernsChanged\t${named}\tBMS-MONITOR-MIB::bmsPacksConcerns.2 \n`);
    expect(receiver.output).not.toContain("bmsConcernsChanged");
    system.bank!.packs[0]!.registers.write("TimeEmergency", 600);
    await heard("bmsConcernsChanged\tBMS-MONITOR-MIB::bmsConcerns.0 emergency");
    other.setOnline(false);
    await heard(`bmsPackWentOffline\t${named}`);
    expect(receiver.output).not.toMatch(/bmsAlarmRaised|bmsWentOffline/);
  });

  it("are one battery to NUT, the others while one does not answer", async () => {
    const system = await startBank(2);
    cleanups.push(() => system.stop());
    system.bank!.packs.forEach(({ registers }, index) => {
      registers.write("SOC", 40 + 20 * index);
      registers.write("BatCurrent", -10_000);
    });
    await system.skipUntil(
      "the bank is known",
      async () =>
        (await runTool(system, "snmpget", ["-v2c", "-OqvU", ...MIBS], "bmsBankCurrent.0")).trim() === "-20000",
      120,
    );
    const nut = await Nut.start([`port = ${host(system)}`, `community = "${COMMUNITY}"`, "snmp_version = v1"]);
    cleanups.push(() => nut.stop());
    await system.until("the bank's charge", async () => (await nut.variables())?.["battery.charge"] === "50");
    expect(await nut.variables()).toMatchObject({ "ups.status": "OB", "battery.current": "-20" });
    system.bank!.packs[1]!.setOnline(false);
    await system.until("the other pack's charge", async () => (await nut.variables())?.["battery.charge"] === "40");
  });
});

/** The driver's setting for the MIB, and its SNMP version. */
const NUTS = [
  ["auto", "v1"],
  ["ietf", "v2c"],
] as const;

describe("NUT's snmp-ups", () => {
  it("detects the UPS MIB, automatically in v1 and as configured in v2c, and shows the battery; stale while the BMS is offline", async () => {
    const system = await startForOne();
    await system.untilLoaded();
    const { registers } = system.bms;
    registers.write("BatCurrent", -13_250);
    // The driver checks only at its start whether there is a runtime.
    await system.skipUntil("it is known that the pack is discharged", async () => {
      const { data } = (await system.get("/api/bms/status")).json as { data: { pack: { current: number } } };
      return data.pack.current === -13.25;
    });
    const nuts = await Promise.all(
      NUTS.map(([mibs, version]) =>
        Nut.start([
          `port = ${host(system)}`,
          `community = "${COMMUNITY}"`,
          `snmp_version = ${version}`,
          `mibs = ${mibs}`,
        ]),
      ),
    );
    cleanups.push(() => nuts.forEach((nut) => nut.stop()));
    /** Until both show it; all that they show then. */
    const shown = (name: string, value: string): Promise<Record<string, string>[]> =>
      Promise.all(
        nuts.map(async (nut) => {
          let variables: Record<string, string> | undefined;
          await system.until(`${name} is ${value}: ${nut.output.slice(-2000)}`, async () => {
            variables = await nut.variables();
            return variables?.[name] === value;
          });
          return variables!;
        }),
      );
    for (const variables of await shown("ups.status", "OB"))
      expect(variables).toMatchObject({
        "driver.version.data": expect.stringMatching(/^ietf MIB/) as string,
        "device.mfr": "JIKONG",
        "device.model": "JK_PB2A16S20P",
        "battery.charge": "55",
        "battery.voltage": "52.70",
        "battery.current": "-13.30",
        "battery.temperature": "20",
        "battery.runtime": String(Math.floor((155_219 * 60) / 13_250) * 60),
        "device.location": "",
      });
    registers.write("SOC", 9);
    for (const variables of await shown("ups.status", "LB OB")) expect(variables["battery.charge"]).toBe("9");
    registers.write("BatCurrent", 5_000);
    registers.write("SOC", 60);
    await shown("ups.status", "OL");
    system.bms.setOnline(false);
    await system.untilOffline();
    for (const nut of nuts) await system.until("the data is stale", async () => (await nut.variables()) === undefined);
    system.bms.setOnline(true);
    await shown("battery.charge", "60");
  });
});

describe("malformed packets", () => {
  class Manager {
    readonly #socket: Socket = createSocket("udp4");
    readonly #port: number;
    #waiting: ((bytes: Uint8Array) => void) | undefined;
    /** Everything that came back, well-formed or not. */
    readonly received: Uint8Array[] = [];

    constructor(port: number) {
      this.#port = port;
      this.#socket.on("message", (bytes: Uint8Array) => {
        this.received.push(bytes);
        this.#waiting?.(bytes);
      });
      cleanups.push(() => this.#socket.close());
    }

    send(bytes: Uint8Array): Promise<void> {
      return new Promise((resolve, reject) =>
        this.#socket.send(bytes, this.#port, "127.0.0.1", (error) => (error ? reject(error) : resolve())),
      );
    }

    /** The answer to a request with its own id, which is repeated if it is lost among the others. */
    async ask(id: number): Promise<Answer> {
      for (let attempt = 0; attempt < 100; attempt++) {
        const answered = new Promise<Answer | undefined>((resolve) => {
          const timer = setTimeout(() => resolve(undefined), 1000);
          this.#waiting = (bytes) => {
            const answer = parse(bytes);
            if (answer.id !== id) return;
            clearTimeout(timer);
            resolve(answer);
          };
        });
        await this.send(request(["1.3.6.1.2.1.1.7.0"], { community: COMMUNITY, id }));
        const answer = await answered;
        if (answer) return answer;
      }
      throw new Error("the agent does not answer any more");
    }
  }

  const DAMAGED = isLong ? 3_000 : 500;
  const names = ["1.3", "1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.33.1.2", "1.3.6.1.4.1.8072.9999.9999.485.1.2.1.2.16"];

  it(`${DAMAGED} damaged ones leave the agent intact and cause no log lines`, async () => {
    const system = await startForOne();
    await system.untilLoaded();
    const manager = new Manager(system.probes.snmpPort()!);
    const next = random(485);
    const below = (limit: number): number => Math.floor(next() * limit);
    const packets = [GET, GET_NEXT, GET_BULK, SET].flatMap((pdu) =>
      [0, 1].map((version) => [
        ...request(names.slice(0, 1 + below(4)), { community: COMMUNITY, pdu, version, second: 20, id: 1 }),
      ]),
    );
    for (let count = 1; count <= DAMAGED; count++) {
      const bytes = [...packets[below(packets.length)]!];
      for (let spoils = 1 + below(4); spoils; spoils--) {
        const at = below(bytes.length + 1);
        const kind = below(5);
        if (kind === 0) bytes.splice(at);
        else if (kind === 1) bytes.splice(at, 1 + below(4));
        else if (kind === 2) bytes.splice(at, 0, ...Array.from({ length: 1 + below(8) }, () => below(256)));
        else if (kind === 3 && at < bytes.length) bytes[at] = [0, 0x7f, 0x80, 0x81, 0x84, 0xff][below(6)]!;
        else if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << below(8));
      }
      await manager.send(Uint8Array.from(bytes));
      if (count % 100 === 0) expect((await manager.ask(1_000_000 + count)).bindings).toMatchObject([{ value: 72 }]);
    }
    await manager.send(new Uint8Array(0));
    await manager.send(new Uint8Array(9000).fill(0x30));
    expect((await manager.ask(7)).status).toBe(0);
    for (const bytes of manager.received) expect(parse(bytes).pdu).toBe(0xa2);
    expect(system.console.filter((line) => !line.includes("set-up code"))).toEqual([]);
    expect(system.monitor().online).toBe(true);
  });
});

describe("npm start", () => {
  const begin = (...words: string[]): Promise<Running> =>
    run(parseCommandLine(words)!, parts, () => undefined).then((running) => {
      cleanups.push(() => void running.close());
      return running;
    });

  it("--snmp-community enables SNMP on --snmp-port; the commands in the docs work", async () => {
    const port = await freeUdpPort();
    await begin(
      "--port",
      `${await freePort()}`,
      "--snmp-port",
      `${port}`,
      "--snmp-community",
      "let-me-in",
      "--time-factor",
      "0.001",
    );
    const [, ...blocks] = readFileSync("docs/snmp.md", "utf8").split("```sh\n");
    const script = blocks.map((block) => block.split("```")[0]!).find((block) => block.includes("bmsCellTable"))!;
    const environment = /^export (.*)$/m.exec(script)![1]!;
    const commands = [...blocks.join("").matchAll(/^(snmp\w+ .*?) +#=> (.*)$/gm)];
    expect(commands).toHaveLength(7);
    // Until the first reply of the BMS there is nothing to read.
    const deadline = Date.now() + 100_000;
    for (const [, command, remark] of commands) {
      let output = "";
      do {
        const line = `${environment} ${command!.replace("1161", `${port}`)}`;
        ({ output } = await runProgram("sh", ["-c", line]));
      } while (!output.includes(remark!) && Date.now() < deadline);
      expect(output).toContain(remark);
    }
  });

  it("reports a port in use", async () => {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    cleanups.push(() => socket.close());
    const { port } = socket.address();
    await expect(
      begin("--port", `${await freePort()}`, "--snmp-port", `${port}`, "--snmp-community", "x"),
    ).rejects.toThrow(`UDP port ${port} on 127.0.0.1 cannot be had`);
  });
});

describe("GET /api", () => {
  it("reports the community and whether SNMP is enabled, only with the token", async () => {
    const system = await startForOne();
    const connectivity = async (): Promise<unknown> =>
      ((await system.get("/api")).json as { data: { connectivity: unknown } }).data.connectivity;
    expect(await connectivity()).toMatchObject({ snmp: true, community: COMMUNITY });
    system.probes.configure("snmp", { enabled: false, community: "another" });
    expect(await connectivity()).toMatchObject({ snmp: false, community: "another" });
    for (const path of ["/api", "/api/bms/status", "/api/nothing", "/metrics", "/web/device"]) {
      const { text, status } = await system.request("GET", path, { headers: { Authorization: "Bearer wrong" } });
      expect([path, status >= 400, text.includes("another")]).toEqual([path, true, false]);
    }
    expect((await system.get("/api/bms/status")).text).not.toContain("another");
  });

  it("SNMP is disabled by default: nothing listens", async () => {
    const system = await System.start();
    cleanups.push(() => system.stop());
    expect(system.probes.snmpPort()).toBeUndefined();
    const json: unknown = (await system.get("/api")).json;
    expect((json as { data: { connectivity: object } }).data.connectivity).toMatchObject({
      snmp: false,
      community: "",
    });
  });
});
