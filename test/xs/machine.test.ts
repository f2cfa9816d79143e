import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SimulatedBoard, type BoardOptions } from "../../host-sim/board";
import { bundleForXs, type Bundle } from "../../host-sim/xs/bundle";
import { trimSnapshot } from "../../host-sim/xs/image";
import { XsMachine, type XsMachineOptions } from "../../host-sim/xs/machine";
import { LEVELS, MAX_ORDERS } from "../../host-sim/xs/protocol";
import { bundleWithProbes } from "../support/system/engines";
import Timer from "../../host-sim/io/timer";
import { settle } from "../support/system/simulated-board";

const boards: SimulatedBoard[] = [];
afterEach(() => {
  for (const board of boards.splice(0)) board.powerOff();
});

interface Device {
  readonly board: SimulatedBoard;
  readonly machine: XsMachine;
  readonly console: string[];
}

/** A board with power, and a program loaded on it. */
function load(bundle: Bundle, options: BoardOptions = {}, engine: XsMachineOptions = {}): Device {
  const console: string[] = [];
  const board = new SimulatedBoard({
    seed: 1,
    online: true,
    console: (text) => console.push(text),
    ...options,
    config: { httpPort: 0, ...options.config },
  });
  boards.push(board);
  board.powerOn();
  return { board, machine: new XsMachine(board, bundle, engine), console };
}

/** Puts `line` at the start of the firmware's main. */
const spoil = (line: string): Plugin => ({
  name: "spoil",
  setup(build) {
    build.onLoad({ filter: /\/src\/main\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const spoilt = source.replace(/(export default function main\(\).*\{)\n/, `$1 ${line}\n`);
      expect(spoilt).not.toBe(source);
      return { contents: spoilt, loader: "ts" };
    });
  },
});

describe("the image of a loaded program", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "image-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  /** The most memory that the engine has had, in kB (proc(5)). */
  const peakMemory = ({ machine }: Device): number =>
    Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${machine.worker.pid}/status`, "utf8"))![1]);

  it("takes its place at further starts, with less memory, and all of the firmware runs", async () => {
    const bundle = await bundleWithProbes();
    const image = join(folder, "image");
    const first = load(bundle, {}, { image });
    const second = load({ ...bundle, program: "throw new Error('loaded once more')" }, {}, { image });
    expect(second.machine.boot()).toContain("monitor");
    await second.board.ready();
    second.board.clock.runFor(3_000);
    expect(second.machine.ask("monitor")).toMatchObject({ online: false });
    expect(readdirSync(folder)).toEqual(["image"]);
    expect(peakMemory(second)).toBeLessThan(peakMemory(first) / 2);
  });

  it("is made of nothing but a snapshot", () => {
    const snapshot = join(folder, "snapshot");
    for (const bytes of ["", "\0\0\0\x10XS_M\0\0\0\x08VERS", "\0\0\0\0".repeat(5)]) {
      writeFileSync(snapshot, bytes);
      expect(() => trimSnapshot(snapshot, join(folder, "image"))).toThrow(/^not a snapshot of XS/);
    }
    expect(readdirSync(folder)).toEqual(["snapshot"]);
  });
});

describe("what V8 accepts and XS does not", () => {
  it.each([
    ["new Intl.NumberFormat().format(1);", /^XS: ReferenceError: .*Intl/],
    ["[1].toSorted();", /^XS: TypeError: main: no function/],
    ["/[a--b]/v.test('a');", /^XS: SyntaxError/],
    ["structuredClone({});", /^XS: ReferenceError: .*structuredClone/],
    ["new TextDecoder();", /^XS: ReferenceError: .*TextDecoder/],
    ["setTimeout(() => undefined, 1);", /^XS: ReferenceError: .*setTimeout/],
  ])("%s in main: the boot fails and reports where", async (line, message) => {
    const { machine } = load(await bundleWithProbes([spoil(line)]));
    expect(() => machine.boot()).toThrow(message);
    expect(() => machine.boot()).toThrow("(src/main.ts:");
  });

  it("the unchanged main boots", async () => {
    const { machine, console } = load(await bundleWithProbes());
    expect(machine.boot()).toContain("monitor");
    expect(console).toEqual([
      expect.stringMatching(/^web: no password has been chosen; set-up code \w+\n?$/),
      expect.stringMatching(/^web: choose the password at http:\/\/\S+\/#code=\w+ \(/),
    ]);
  });
});

/** A program for XS made of these lines, which may import the platform. `expose` is what may be asked. */
function program(lines: string, expose: string): Promise<Bundle> {
  return bundleForXs("test/support/xs/xs-entry.ts", [
    {
      name: "program",
      setup(build) {
        build.onLoad({ filter: /xs-entry\.ts$/ }, () => ({
          contents: `import { boot } from "../../../host-sim/xs/device/boot";\n${lines}\nboot(() => undefined, () => (${expose}));`,
          loader: "ts",
        }));
      },
    },
  ]);
}

describe("the platform on XS", () => {
  let platform: Bundle;
  beforeAll(async () => {
    platform = await program(
      `import Timer from "timer"; import Time from "time"; import Net from "net"; import RNG from "rng";
       import config from "mc/config"; import Digital from "embedded:io/digital"; import Analog from "embedded:io/analog";
       import Storage from "embedded:storage/key-value"; import Decoder from "text/decoder";
       import UDP from "embedded:io/socket/udp"; import TCP from "embedded:io/socket/tcp";
       import { Digest } from "crypt"; import Resource from "Resource";
       let fired = []; let timer; let port; let packets = []; let inputs = [];
       const levels = () => inputs.map((input) => input.read());`,
      `{
        config: () => [config.httpPort, Object.isFrozen(config), Object.isFrozen(config.pins.bms)],
        net: () => [Net.get("MAC"), Net.get("IP"), Net.get("DNS"), Net.get("IP", "ap")],
        random: () => [...new Uint8Array(RNG.get(4))],
        decode: () => new Decoder().decode(Uint8Array.of(0xc3, 0xa4, 0xff)),
        digest: (lengths) => { const digest = new Digest("SHA256"); const sums = [];
          for (const length of lengths) { digest.reset(); for (let at = 0; at < length; at += 100)
            digest.write(new Uint8Array(Math.min(100, length - at)).fill(7)); sums.push([...new Uint8Array(digest.close())]); }
          return sums; },
        resource: (name) => Resource.exists(name) ? [...new Uint8Array(new Resource(name))] : null,
        missing: (name) => new Resource(name),
        ticks: () => Time.ticks,
        repeat: (ms) => void (timer = Timer.repeat(() => fired.push(Time.ticks), ms)),
        once: (ms) => void (timer = Timer.set(() => fired.push(Time.ticks), ms)),
        many: (count, ms) => { for (let at = 0; at < count; at++) Timer.set(() => fired.push(at), ms); },
        three: (first) => { const timers = [0, 1, 2].map((at) => Timer.set(() => {
          fired.push([at, Time.ticks]); if (at === 0) for (const [what, ...delays] of first.splice(0)) Timer[what](timers[1], ...delays); }, 10, 10)); },
        threeOfWhichFails: (which) => { for (const at of [0, 1, 2]) Timer.set(() => { fired.push(at); if (at === which) throw new Error("no"); }, 10); },
        schedule: (...delays) => Timer.schedule(timer, ...delays),
        clear: () => Timer.clear(timer),
        clearNothing: () => Timer.clear(undefined),
        fired: () => fired.splice(0),
        claim: (pin) => void (port = new Digital({ pin, mode: Digital.Output, initialValue: 1 })),
        claimInputs: (numbers) => { inputs = numbers.map((pin) => new Digital({ pin, mode: Digital.Input })); return levels(); },
        levels: () => levels(),
        release: (at) => inputs.splice(at, 1)[0].close(),
        claimAnalog: (pin) => void (port = new Analog({ pin })),
        write: (value) => port.write(value),
        read: () => port.read(),
        close: () => port.close(),
        connect: (options) => void new TCP(options),
        store: (key, value) => { const domain = Storage.open({ path: "test", format: typeof value === "string" ? "string" : "buffer" });
          domain.write(key, typeof value === "string" ? value : Uint8Array.from(value).buffer); domain.close(); },
        load: (key, format) => { const domain = Storage.open({ path: "test", format }); const value = domain.read(key);
          const keys = [...domain]; domain.close(); return [value instanceof ArrayBuffer ? [...new Uint8Array(value)] : value, keys]; },
        bind: () => void (port = new UDP({ onReadable(count) { for (; count; count--) {
          const packet = this.read(); packets.push([...new Uint8Array(packet)], packet.address); } } })),
        send: (to) => port.write(Uint8Array.of(1, 2, 3), "127.0.0.1", to),
        udpPort: () => port.port,
        packets: () => packets,
        fail: () => { throw new RangeError("no"); },
        reject: () => void Promise.reject(new Error("nobody cares")),
        globals: () => ["TextDecoder", "TextEncoder", "Base64", "performance", "print", "setImmediate", "issueCommand", "Intl", "setTimeout"]
          .filter((name) => name in globalThis),
        die: () => { const down = (n) => 1 + down(n + 1); return down(0); },
      }`,
    );
  });

  const boot = (options: BoardOptions = {}): Device => {
    const device = load(platform, options);
    device.machine.boot();
    return device;
  };

  it("config is the board's, deeply frozen; net and random numbers are the board's", () => {
    const { machine, board } = boot({ config: { httpPort: 8081 } });
    expect(machine.ask("config")).toEqual([8081, true, true]);
    expect(machine.ask("net")).toEqual([board.network.mac, "127.0.0.1", ["127.0.0.53"], null]);
    const other = new SimulatedBoard({ seed: 1 });
    expect(machine.ask("random")).toEqual([...other.random(4)]);
    expect(machine.ask("decode")).toBe("ä\ufffd");
  });

  it("digests are SHA-256, short ones and long ones, one after another", () => {
    const { machine } = boot();
    const lengths = [0, 64, 256, 257, 5_000, 3];
    const sums = lengths.map((length) => [...createHash("sha256").update(Buffer.alloc(length, 7)).digest()]);
    expect(machine.ask("digest", lengths)).toEqual(sums);
    expect(machine.objects).toBe(0);
  });

  it("resources are the board's files", () => {
    const resources = mkdtempSync(join(tmpdir(), "bms-resources-"));
    writeFileSync(join(resources, "a.gz"), Uint8Array.of(0, 128, 255));
    const { machine } = boot({ resources });
    expect(machine.ask("resource", "a.gz")).toEqual([0, 128, 255]);
    expect(machine.ask("resource", "b.gz")).toBeNull();
    expect(() => machine.ask("missing", "b.gz")).toThrow("XS: URIError: Resource not found: b.gz");
    rmSync(resources, { recursive: true });
  });

  it("timers keep virtual time, and the ticks wrap", () => {
    const { machine, board } = boot({ ticks: 2 ** 31 - 15 });
    expect(machine.ask("ticks")).toBe(2 ** 31 - 15);
    machine.ask("repeat", 10);
    board.clock.runFor(30);
    expect(machine.ask("fired")).toEqual([2 ** 31 - 5, -(2 ** 31) + 5, -(2 ** 31) + 15]);
    machine.ask("clear");
    board.clock.runFor(100);
    expect(machine.ask("fired")).toEqual([]);
    machine.ask("clearNothing");
  });

  it("a timer that fired once is gone on both sides; one that was rescheduled is not", () => {
    const { machine, board } = boot();
    machine.ask("once", 5);
    expect(machine.objects).toBe(1);
    board.clock.runFor(100);
    expect(machine.ask("fired")).toEqual([5]);
    expect(machine.objects).toBe(0);
    machine.ask("once", 50);
    machine.ask("schedule", 10, 20);
    board.clock.runFor(60);
    expect(machine.ask("fired")).toEqual([110, 130, 150]);
    machine.ask("schedule");
    board.clock.runFor(60);
    expect(machine.ask("fired")).toEqual([]);
  });

  it.each([MAX_ORDERS - 1, MAX_ORDERS, MAX_ORDERS + 1])(
    "%i timers set by one callback fire in their order",
    (count) => {
      const { machine, board } = boot();
      machine.ask("many", count, 5);
      expect(machine.objects).toBe(count);
      board.clock.runFor(100);
      expect(machine.ask("fired")).toEqual(Array.from({ length: count }, (_, at) => at));
      expect(machine.objects).toBe(0);
    },
  );

  /** Three timers that are due together, the first of which does this to the second when it fires. */
  const TO_THE_SECOND: readonly (readonly ["clear" | "schedule", ...number[]])[][] = [
    [],
    [["clear"]],
    [["schedule"]],
    [["schedule"], ["schedule", 15, 0]],
    [["schedule", 25, 0]],
    [["schedule", 0, 7]],
  ];

  it.each(
    TO_THE_SECOND.map((doings) => ({ doings, name: doings.map((one) => one.join(" ")).join(", ") || "nothing" })),
  )("of timers due together, the first does this to the second: $name; on XS as in the simulator", ({ doings }) => {
    const { machine, board } = boot();
    const fired: [number, number][] = [];
    const waiting = [...doings];
    const timers = [0, 1, 2].map((at) =>
      Timer.set(
        () => {
          fired.push([at, board.timers.uptime]);
          if (at !== 0) return;
          for (const [what, ...delays] of waiting.splice(0)) Timer[what](timers[1]!, ...delays);
        },
        10,
        10,
      ),
    );
    machine.ask("three", doings);
    board.clock.runFor(60);
    expect(machine.ask("fired")).toEqual(fired);
    expect(fired.length).toBeGreaterThanOrEqual(12);
  });

  it("timers due together cross the pipe together, and each has what those before it did", () => {
    const { machine, board } = boot();
    let deliveries = 0;
    const deliver = machine.worker.deliver.bind(machine.worker);
    machine.worker.deliver = (message) => {
      deliveries++;
      return deliver(message);
    };
    machine.ask("many", 3, 5);
    machine.ask("once", 5);
    board.clock.runFor(4);
    expect(deliveries).toBe(2);
    board.clock.runFor(1);
    expect(deliveries).toBe(3);
    expect(machine.ask("fired")).toEqual([0, 1, 2, 5]);
    expect(machine.objects).toBe(0);
  });

  it("an exception in one of them reaches the clock; those before it are done, those after it are not", () => {
    const { machine, board } = boot();
    machine.ask("threeOfWhichFails", 1);
    expect(() => board.clock.runFor(10)).toThrow("XS: Error: no");
    expect(machine.ask("fired")).toEqual([0, 1]);
    expect(machine.objects).toBe(1);
  });

  it("a timer for which there is no memory is refused at once, and those before it are set", () => {
    const { machine, board } = boot();
    board.refusals.failAllocation(3);
    expect(() => machine.ask("many", 9, 5)).toThrow("XS: Error: add failed");
    board.clock.runFor(100);
    expect(machine.ask("fired")).toEqual([0, 1]);
  });

  it("inputs have the level of the moment, however many there are", () => {
    const { machine, board } = boot();
    const pins = [2, 4, 5, 12, 13, 14, 15, 16, 17];
    expect(pins.length).toBe(LEVELS + 1);
    board.pin(4).drive(1);
    expect(machine.ask("claimInputs", pins)).toEqual([0, 1, 0, 0, 0, 0, 0, 0, 0]);
    for (const high of pins) {
      for (const pin of pins) board.pin(pin).drive(pin === high ? 1 : 0);
      expect(machine.ask("levels")).toEqual(pins.map((pin) => (pin === high ? 1 : 0)));
    }
    machine.ask("release", 0);
    board.pin(4).drive(1);
    expect(machine.ask("levels")).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
  });

  it("pins are the board's; errors are thrown as on the platform", () => {
    const { machine, board } = boot();
    machine.ask("claim", 33);
    expect(board.pin(33).level).toBe(1);
    machine.ask("write", 0);
    expect(board.pin(33).level).toBe(0);
    expect(() => machine.ask("read")).toThrow("XS: Error: can't read output");
    expect(() => machine.ask("claim", 33)).toThrow(/^XS: /);
    expect(machine.objects).toBe(1);
    machine.ask("close");
    expect(() => machine.ask("write", 1)).toThrow("XS: TypeError: closed");
    machine.ask("close");
    machine.ask("claimAnalog", 36);
    board.setAnalog(36, 1);
    expect(machine.ask("read")).toBe(1671);
    board.setAnalog(36, 2);
    expect([machine.ask("read"), machine.ask("read")]).toEqual([3342, 3342]);
    board.refusals.conversions = true;
    expect(machine.ask("read")).toBeUndefined();
    board.refusals.conversions = false;
    expect(machine.ask("read")).toBe(3342);
    machine.ask("close");
    expect(() => machine.ask("read")).toThrow("XS: TypeError: closed");
    expect(() => machine.ask("claimAnalog", 5)).toThrow("XS: RangeError: not analog pin");
    expect(() => machine.ask("connect", { address: "x", port: 1 })).toThrow("XS: Error: invalid address");
  });

  it("stores texts and bytes, and reads them back", () => {
    const { machine } = boot();
    machine.ask("store", "text", "grün");
    machine.ask("store", "bytes", [0, 255]);
    expect(machine.ask("load", "text", "string")).toEqual(["grün", ["text", "bytes"]]);
    expect(machine.ask("load", "bytes", "buffer")).toEqual([
      [0, 255],
      ["text", "bytes"],
    ]);
    expect(machine.ask("load", "none", "buffer")).toEqual([null, ["text", "bytes"]]);
    expect(() => machine.ask("load", "text", "buffer")).toThrow("XS: TypeError: mismatch");
  });

  it("UDP packets come with their sender", async () => {
    const { machine, board } = boot();
    machine.ask("bind");
    await board.ready();
    machine.ask("send", machine.ask("udpPort"));
    await expect.poll(() => machine.ask("packets")).toEqual([[1, 2, 3], "127.0.0.1"]);
  });

  it("the device's globals, not the worker's", () => {
    expect(boot().machine.ask("globals")).toEqual([]);
  });

  it("an exception in a callback reaches the clock; an unknown query is an error", () => {
    const { machine } = boot();
    expect(() => machine.ask("fail")).toThrow("XS: RangeError: no");
    expect(() => machine.ask("nothing")).toThrow("not exposed: nothing");
  });

  it("an unhandled rejection is reported", async () => {
    const { machine, console } = boot();
    machine.ask("reject");
    await expect.poll(() => console.join("")).toContain("nobody cares");
  });

  it("a stack overflow ends the engine, and is reported", async () => {
    const { machine, console } = boot();
    expect(() => machine.ask("die")).toThrow("XS ended");
    await expect.poll(() => console.join("")).toContain("XS ended: stack overflow");
  });

  it("without power it stops", async () => {
    const { machine, board, console } = boot();
    machine.ask("repeat", 10);
    board.powerOff();
    expect(() => machine.ask("fired")).toThrow();
    await settle();
    expect(console).toEqual([]);
  });
});
