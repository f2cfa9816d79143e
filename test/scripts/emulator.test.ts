import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bridge, type OutsidePort } from "../../host-sim/bridge";
import { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import { Clock } from "../../host-sim/clock";
import { root } from "../../host-sim/specifiers.mjs";
import { Wire } from "../../host-sim/wire";
import { bmsPortOf, chipOf, findEmulator, missingFor, unstartable } from "../../scripts/emulator.mjs";
import { BOARDS } from "../../scripts/moddable.mjs";
import { hasWifi, qemuArguments, ROUTER } from "../emulator/command";
import { Control } from "../emulator/control";
import { packet, registerText } from "../emulator/debugger";
import { crc8, efuseImage } from "../emulator/efuse";
import { FLASH_BYTES, flashImage, partitionsOf } from "../emulator/flash";
import { crc32, nvsImage } from "../emulator/nvs";
import { addressOf } from "../emulator/symbols";
import { tasksIn } from "../emulator/tasks";
import { wholeRequests } from "../emulator/whole-requests";

const TABLE = readFileSync(join(root, "boards/esp32/partitions.csv"), "utf8");
const C3 = 5;

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "emulator-test-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const PARTS: Readonly<Record<string, Uint8Array>> = {
  "bootloader.bin": Uint8Array.of(0xe9, 1),
  "partition-table.bin": Uint8Array.of(0xaa, 0x50),
  "ota_data_initial.bin": Uint8Array.of(0xff, 2),
  "xs_esp32.bin": Uint8Array.of(0xe9, 3),
};
const build = (change: Readonly<Record<string, Uint8Array>> = {}): void => {
  for (const [file, bytes] of Object.entries({ ...PARTS, ...change })) writeFileSync(join(folder, file), bytes);
};

describe("the flash of an emulated board", () => {
  it("has the parts where the partitions say, and is erased elsewhere", () => {
    build();
    const flash = flashImage({ folder, chip: C3, table: TABLE });
    expect(flash.length).toBe(FLASH_BYTES);
    const written = [0, 0x8000, 0x1_1000, 0x2_0000];
    expect(written.map((place) => [...flash.subarray(place, place + 2)])).toEqual(
      Object.values(PARTS).map((part) => [...part]),
    );
    for (const place of written) flash.fill(0xff, place, place + 2);
    expect(flash.every((byte) => byte === 0xff)).toBe(true);
  });

  it("has the boot loader of an ESP32 at 0x1000", () => {
    build();
    const flash = flashImage({ folder, chip: 0, table: TABLE });
    expect([flash[0], flash[0x1000]]).toEqual([0xff, 0xe9]);
  });

  it("follows a table that moves the slot", () => {
    build();
    const flash = flashImage({
      folder,
      chip: C3,
      table: TABLE.replace("0x20000,  0x1e0000", "0x30000,  0x1d0000"),
    });
    expect([flash[0x2_0000], flash[0x3_0000]]).toEqual([0xff, 0xe9]);
  });

  it("takes an image that fills its slot, and none of a byte more", () => {
    const slot = partitionsOf(TABLE).get("ota_0")!.size;
    build({ "xs_esp32.bin": new Uint8Array(slot) });
    expect(flashImage({ folder, chip: C3, table: TABLE })[0x2_0000 + slot - 1]).toBe(0);
    build({ "xs_esp32.bin": new Uint8Array(slot + 1) });
    expect(() => flashImage({ folder, chip: C3, table: TABLE })).toThrow(
      `xs_esp32.bin has ${slot + 1} bytes, 1 too many for its place`,
    );
    build({ "bootloader.bin": new Uint8Array(0x8001) });
    expect(() => flashImage({ folder, chip: C3, table: TABLE })).toThrow("bootloader.bin has 32769 bytes, 1 too many");
  });

  it("takes settings of the size of their partition, and none of a byte more", () => {
    build();
    const { offset, size } = partitionsOf(TABLE).get("nvs")!;
    const flash = flashImage({ folder, chip: C3, table: TABLE, nvs: new Uint8Array(size) });
    expect([flash[offset - 1], flash[offset], flash[offset + size - 1]]).toEqual([0xff, 0, 0]);
    expect(() => flashImage({ folder, chip: C3, table: TABLE, nvs: new Uint8Array(size + 1) })).toThrow(
      `nvs has ${size + 1} bytes, its partition ${size}`,
    );
  });

  it("is not made from a table that cannot be", () => {
    expect(() => partitionsOf("a,data,nvs,0x9000,0x2000\nb,data,ota,0xa000,0x1000")).toThrow(
      "b overlaps the one before",
    );
    expect(partitionsOf("a,data,nvs,0x3ff000,4K").get("a")).toEqual({ offset: 0x3f_f000, size: 4096 });
    expect(() => partitionsOf("a,data,nvs,0x3ff000,4097")).toThrow("a ends beyond the flash");
    expect(() => partitionsOf("a,data,nvs,,4K")).toThrow(" is no size");
  });
});

describe("the fuses of an emulated chip", () => {
  it("C3 and S3: MAC address in BLOCK1, revision 0.3, in 1,024 bytes", () => {
    for (const chip of [C3, 9]) {
      const fuses = efuseImage(chip, "10:00:00:12:34:56");
      expect([fuses.length, fuses.subarray(0x18, 0x1e).toString("hex"), fuses[38]]).toEqual([
        1024,
        "563412000010",
        0x0c,
      ]);
      expect(fuses.filter((byte) => byte !== 0).length).toBe(5);
    }
  });

  it("ESP32: MAC address with its CRC, revision 3, in 124 bytes", () => {
    const fuses = efuseImage(0, "24:6f:28:01:02:03");
    expect(fuses.length).toBe(124);
    expect(fuses.subarray(4, 10).toString("hex")).toBe("030201286f24");
    expect(fuses[10]).toBe(crc8(Uint8Array.of(0x24, 0x6f, 0x28, 1, 2, 3)));
    expect([fuses.readUInt32LE(12), fuses.readUInt32LE(20)]).toEqual([1 << 15, 1 << 20]);
  });

  it("the CRC is the one of Maxim's 1-Wire, which the ROM calculates", () => {
    // Application note 27 of Maxim has this ROM code and its CRC.
    expect(crc8(Uint8Array.of(0x02, 0x1c, 0xb8, 0x01, 0, 0, 0))).toBe(0xa2);
  });

  it("rejects what is no MAC address, and an unknown chip", () => {
    for (const mac of ["", "10:00:00:12:34", "10:00:00:12:34:5g", "10:00:00:12:34:56:78"])
      expect(() => efuseImage(C3, mac)).toThrow("is no MAC address");
    expect(() => efuseImage(99, "10:00:00:12:34:56")).toThrow("chip 99");
  });
});

describe("stored settings of an emulated board", () => {
  it("have the checksums that ESP-IDF's own page has", () => {
    // Header and two entries of a page that the firmware wrote in QEMU: namespace "settings" (index 2) and its text "web".
    const header = Buffer.from("feffffff00000000feffffffffffffffffffffffffffffffffffffff842dbab9", "hex");
    expect(crc32(header.subarray(4, 28))).toBe(header.readUInt32LE(28));
    expect(crc32(Buffer.from('{"version":1,"values":{"password":""}}\0'))).toBe(0xd4076120);
  });

  it("are a page with a namespace and its texts", () => {
    const text = '{"version":1,"values":{"password":""}}';
    const nvs = nvsImage("settings", { web: text }, 0x8000);
    expect(nvs.subarray(0, 32).toString("hex")).toBe(
      "feffffff00000000feffffffffffffffffffffffffffffffffffffff842dbab9",
    );
    // Four entries: namespace, text's head, two of text. Two bits each: 2 is written, 3 is empty.
    expect([nvs[32], nvs[33]]).toEqual([0b10101010, 0xff]);
    expect([...nvs.subarray(64, 68)]).toEqual([0, 0x01, 1, 0xff]);
    expect(nvs.subarray(72, 81).toString()).toBe("settings\0");
    expect([...nvs.subarray(96, 100)]).toEqual([1, 0x21, 3, 0xff]);
    expect(nvs.readUInt16LE(120)).toBe(text.length + 1);
    expect(nvs.subarray(128, 128 + text.length + 1).toString()).toBe(`${text}\0`);
    expect(nvs.length).toBe(0x8000);
    expect(nvs.subarray(192).every((byte) => byte === 0xff)).toBe(true);
  });

  it("fill one page, and no more; a key has 1 to 15 characters", () => {
    // The namespace, the text's head and 124 entries of text.
    const most = 124 * 32 - 1;
    expect(nvsImage("settings", { a: "x".repeat(most) }, 4096)[4095]).toBe(0);
    expect(() => nvsImage("settings", { a: "x".repeat(most + 1) }, 4096)).toThrow("127 entries, a page has 126");
    expect(nvsImage("a".repeat(15), {}, 4096).subarray(72, 88).toString()).toBe(`${"a".repeat(15)}\0`);
    for (const name of ["", "a".repeat(16)]) expect(() => nvsImage(name, {}, 4096)).toThrow("1 to 15 characters");
    expect(() => nvsImage("a", {}, 4095)).toThrow("less than a page");
  });
});

describe("a program's symbols", () => {
  it("are found by their whole name", () => {
    const symbols = [
      "4200abcd g     F .flash.text\t00000010 beforefxRunID",
      "420351ae g     F .flash.text\t000088d2 fxRunID",
      "42035200 g     F .flash.text\t00000010 fxRunIDAfter",
    ].join("\n");
    expect(addressOf("fxRunID", symbols)).toBe(0x4203_51ae);
    expect(() => addressOf("RunID", symbols)).toThrow("the program has no RunID");
  });
});

describe("the tasks of FreeRTOS", () => {
  const BASE = 0x3fc8_0000;
  const LISTS = { ready: 0, delayed1: 0x200, delayed2: 0x220, pending: 0x240, suspended: 0x260 };
  const symbols = [
    "3fc80000 l     O .dram0.bss\t000001f4 pxReadyTasksLists",
    "3fc80200 l     O .dram0.bss\t00000014 xDelayedTaskList1",
    "3fc80220 l     O .dram0.bss\t00000014 xDelayedTaskList2",
    "3fc80240 l     O .dram0.bss\t00000014 xPendingReadyList",
    "3fc80260 l     O .dram0.bss\t00000014 xSuspendedTaskList",
  ].join("\n");

  /** Memory with these tasks, each in a list: its control block at 0x400 and so on, its stack of 0x100 bytes at 0x800 and so on. */
  function memoryOf(...tasks: readonly (readonly [list: number, name: string, used: number])[]): Buffer {
    const memory = Buffer.alloc(0x2000);
    const word = (at: number, value: number): void => void memory.writeUInt32LE(value + BASE, at);
    const empty = [...Array.from({ length: 25 }, (_, at) => at * 20), ...Object.values(LISTS).slice(1)];
    for (const list of empty) word(list + 12, list + 8);
    tasks.forEach(([list, name, used], at) => {
      const [control, stack] = [0x400 + at * 0x80, 0x800 + at * 0x100];
      const before = memory.readUInt32LE(list + 12) - BASE;
      word(control + 8, before);
      word(list + 12, control + 4);
      word(control + 16, control);
      word(control + 48, stack);
      word(control + 68, stack + 0x100);
      memory.write(name, control + 52);
      memory.fill(0xa5, stack, stack + 0x100 - used);
    });
    return memory;
  }

  it("are found in every list, with the bytes of their stacks that were never used", () => {
    const memory = memoryOf([24 * 20, "wifi", 0x40], [LISTS.delayed2, "main", 0x20], [LISTS.delayed2, "serial", 0x10]);
    expect(tasksIn(memory, BASE, symbols)).toEqual([
      { name: "main", stack: 0x100, unused: 0xe0 },
      { name: "serial", stack: 0x100, unused: 0xf0 },
      { name: "wifi", stack: 0x100, unused: 0xc0 },
    ]);
    expect(tasksIn(memoryOf(), BASE, symbols)).toEqual([]);
  });
});

describe("QEMU's arguments", () => {
  const ESPRESSIF =
    "esp32                Espressif ESP32 machine\nesp32c3              Espressif ESP32-C3 machine\nesp32s3    S3\n";
  const FORK = `${ESPRESSIF}esp32-picsimlab      with PICSimLab\nesp32c3-picsimlab    with PICSimLab\n`;
  const paths = {
    flash: "F",
    efuse: "E",
    console: "U",
    bms: "/dev/pts/7",
    uart: 1,
    control: "C",
    debug: "D",
    port: 20_001,
  };

  it("Espressif's QEMU: the chip's machine, without Wi-Fi, which it lacks", () => {
    for (const [chip, machine, efuse] of [
      [0, "esp32", "nvram.esp32.efuse"],
      [C3, "esp32c3", "nvram.esp32c3.efuse"],
      [9, "esp32s3", "nvram.esp32s3.efuse"],
    ] as const) {
      const list = qemuArguments({ chip, machines: ESPRESSIF, ...paths });
      expect(list.slice(0, 2)).toEqual(["-M", machine]);
      expect(list).toContain(`driver=${efuse},property=drive,value=efuse`);
      expect(list).not.toContain("-nic");
      expect(hasWifi(chip, ESPRESSIF)).toBe(false);
    }
  });

  it("with Wi-Fi: port 80 of the device at a port of this machine alone", () => {
    const list = qemuArguments({ chip: C3, machines: FORK, ...paths });
    expect(list[1]).toBe("esp32c3-picsimlab");
    expect(list.at(-1)).toBe(
      `user,id=router,model=esp32c3_wifi,net=${ROUTER.network},hostfwd=tcp:127.0.0.1:20001-${ROUTER.lease}:80`,
    );
    expect(hasWifi(9, FORK)).toBe(false);
    expect(qemuArguments({ chip: C3, machines: FORK, ...paths, snmpPort: 20_002 }).at(-1)).toContain(
      `:80,hostfwd=udp:127.0.0.1:20002-${ROUTER.lease}:161`,
    );
  });

  it("UART0 is the console's file, the board's port the BMS's terminal, and what lies between is nothing's", () => {
    const serialPorts = (uart: number): string[] => {
      const list = qemuArguments({ chip: C3, machines: FORK, ...paths, uart });
      expect(list).toContain("serial,id=bms,path=/dev/pts/7");
      return list.filter((_, index) => list[index - 1] === "-serial");
    };
    expect(serialPorts(1)).toEqual(["file:U", "chardev:bms"]);
    expect(serialPorts(2)).toEqual(["file:U", "null", "chardev:bms"]);
  });

  it("another QEMU: the error names the machine", () => {
    expect(() => qemuArguments({ chip: C3, machines: "virt     RISC-V VirtIO board\n", ...paths })).toThrow(
      "no machine esp32c3: Espressif's fork is needed",
    );
    expect(() => hasWifi(99, FORK)).toThrow("chip 99");
  });
});

describe("QEMU's protocols", () => {
  it("machine protocol: a word of memory; an error rejects; the end of QEMU rejects what waits", async () => {
    const asked: string[] = [];
    let peer: Socket | undefined;
    const server = createServer((socket) => {
      peer = socket;
      socket.write('{"QMP": {"version": {}}}\r\n');
      socket.setEncoding("utf8").on("data", (text: string) => {
        for (const line of text.trim().split("\n")) {
          const order = JSON.parse(line) as { execute: string; arguments: Record<string, string> };
          asked.push(order.arguments["command-line"] ?? order.execute);
          if (order.execute === "stop") socket.write('{"error": {"class": "GenericError", "desc": "not now"}}\r\n');
          else if (order.execute === "cont") socket.destroy();
          else if (order.execute === "qmp_capabilities") socket.write('{"event": "RESET"}\r\n{"return": {}}\r\n');
          else if (order.arguments["command-line"]?.endsWith("0x60004004"))
            socket.write('{"return": "0000000060004004: 0xfffffc00\\r\\n"}\r\n');
          else socket.write('{"return": "Cannot access memory\\r\\n"}\r\n');
        }
      });
    });
    const path = join(folder, "control");
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const control = await Control.open(path);
    expect(await control.word(0x6000_4004)).toBe(0xffff_fc00);
    await expect(control.word(0)).rejects.toThrow("QEMU reads nothing at 0x0: Cannot access memory");
    await expect(control.order("stop")).rejects.toThrow("not now");
    await expect(control.order("cont")).rejects.toThrow("QEMU has ended");
    expect(asked).toEqual(["qmp_capabilities", "xp /1wx 0x60004004", "xp /1wx 0x0", "stop", "cont"]);
    control.close();
    peer?.destroy();
    server.close();
  });

  it("debugger: packets with their sum, registers with their lowest byte first", () => {
    // Sums from GDB's manual, appendix E: of "OK" and of "g".
    expect([packet("OK"), packet("g")]).toEqual(["$OK#9a", "$g#67"]);
    expect(registerText(0x4038_0012)).toBe("12003840");
  });
});

describe("an emulator and its test", () => {
  const KEEPER = join(root, "test/emulator/keeper.mjs");
  /** Says its process and runs for ever. */
  const EMULATOR = ["-e", "console.error(process.pid); setInterval(() => undefined, 1000)"];
  const runs = (process_: number): boolean => {
    try {
      return process.kill(process_, 0);
    } catch {
      return false;
    }
  };
  const firstLine = async (stream: Readable): Promise<string> => {
    for await (const line of createInterface(stream)) return line;
    throw new Error("nothing was said");
  };

  it("ends with it, even when that is killed", async () => {
    const command = JSON.stringify([KEEPER, process.execPath, ...EMULATOR]);
    const test = spawn(
      process.execPath,
      [
        "-e",
        `require("child_process").spawn(process.execPath, ${command}, { stdio: ["pipe", "ignore", "inherit"] }).ref()`,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    const emulator = Number(await firstLine(test.stderr));
    expect(runs(emulator)).toBe(true);
    test.kill("SIGKILL");
    await expect.poll(() => runs(emulator)).toBe(false);
  });

  it("ends when the test closes its input", async () => {
    const kept = spawn(process.execPath, [KEEPER, process.execPath, ...EMULATOR], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    const emulator = Number(await firstLine(kept.stderr));
    const ended = once(kept, "exit");
    kept.stdin.end();
    await ended;
    expect(runs(emulator)).toBe(false);
  });

  it("may end first: what it said and its status arrive", async () => {
    const endOf = async (...command: readonly string[]): Promise<[number, string]> => {
      const kept = spawn(process.execPath, [KEEPER, ...command], { stdio: ["pipe", "ignore", "pipe"] });
      const [said, [status]] = await Promise.all([text(kept.stderr), once(kept, "exit") as Promise<[number]>]);
      return [status, said];
    };
    expect(await endOf(process.execPath, "-e", "console.error(1); process.exit(3)")).toEqual([3, "1\n"]);
    expect(await endOf(join(folder, "none"))).toEqual([1, expect.stringContaining("ENOENT")]);
  });
});

describe("npm run test:emulator", () => {
  const run = (parameters: readonly string[], path: string): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/test-emulator.mjs", ...parameters], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PATH: path },
    });
    return { status, output: stdout + stderr };
  };

  it("names the boards if there is none of that name", () => {
    const { status, output } = run(["esp8266"], process.env["PATH"] ?? "");
    expect([status, output]).toEqual([1, `Unknown board. Choose one of: ${BOARDS.join(", ")} (docs/boards.md)\n`]);
  });

  const executable = (path: string): string => {
    writeFileSync(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    return path;
  };

  it("names all that is missing: the files of the build and what makes them, and the emulator", () => {
    const program = executable(join(folder, "qemu-system-riscv32"));
    const missing = (environment: Record<string, string>): string[] => missingFor("esp32c3", C3, folder, environment);
    build();
    expect(missing({ PATH: folder })).toEqual([]);
    expect(missing({ EMULATOR: program })).toEqual([]);
    for (const file of ["bootloader.bin", "xs_esp32.bin"]) rmSync(join(folder, file));
    expect(missing({ MODDABLE: folder, EMULATOR: "/none" })).toEqual([
      `${folder} lacks bootloader.bin, xs_esp32.bin: npm run build:esp32 -- esp32c3`,
      `MODDABLE=${folder} is not the folder of the Moddable SDK: it lacks build`,
      "IDF_PATH is not set: the folder of ESP-IDF",
      expect.stringContaining("qemu-system-riscv32 is not at EMULATOR=/none: python"),
    ]);
  });

  it("says in a line that an image is not started where no emulator can, and succeeds", () => {
    const { status, output } = run(["esp32c3", "--once"], join(folder, "none"));
    expect([status, output]).toEqual([
      0,
      "esp32c3: not started before it is published: no emulator of its chip is installed\n",
    ]);
    expect(["esp32c3", "nodemcu"].map((board) => unstartable(root, board))).toEqual([
      undefined,
      "QEMU's flash refuses QIO: FLASH_MODE=DIO npm run build:esp32",
    ]);
    expect(unstartable(root, "nodemcu", "DIO")).toBeUndefined();
  });

  it("finds the emulator on the PATH: a program that can be executed, else it says how to install it", () => {
    const [first, second] = ["first", "second"].map((name) => join(folder, name)) as [string, string];
    for (const path of [first, second]) mkdirSync(path);
    const PATH = `${first}::${second}`;
    build();
    const missing = (chip: number): string[] => missingFor("esp32c3", chip, folder, { PATH });
    const HOW = "is not on the PATH: python $IDF_PATH/tools/idf_tools.py install";
    expect(missing(C3)).toEqual([expect.stringContaining(`qemu-system-riscv32 ${HOW} qemu-riscv32`)]);
    mkdirSync(join(first, "qemu-system-riscv32"));
    const program = executable(join(second, "qemu-system-riscv32"));
    chmodSync(program, 0o644);
    expect(findEmulator(C3, { PATH })).toBeUndefined();
    chmodSync(program, 0o755);
    expect(findEmulator(C3, { PATH })).toBe(program);
    for (const EMULATOR of [program, second]) expect(findEmulator(C3, { PATH: "", EMULATOR })).toBe(program);
    // A place that was named and has none is not made up for by another on the PATH.
    expect(findEmulator(C3, { PATH, EMULATOR: first })).toBeUndefined();
    for (const chip of [0, 9])
      expect(missing(chip)).toEqual([expect.stringContaining(`qemu-system-xtensa ${HOW} qemu-xtensa`)]);
    expect(() => findEmulator(99, { PATH })).toThrow("chip 99");
  });

  it("knows the chip of each board, and the BMS's port", () => {
    const boards = ["wt32_eth01", "nodemcu", "esp32c3", "esp32s3"];
    expect(boards.map((board) => chipOf(root, board))).toEqual([0, 0, C3, 9]);
    expect(boards.map((board) => bmsPortOf(root, board))).toEqual([2, 2, 1, 1]);
  });
});

describe("the requests of an emulated UART", () => {
  const READ = [1, 3, 0x12, 0, 0, 0x78, 0x40, 0x90];
  const WRITE = [1, 0x10, 0x16, 0x20, 0, 1, 2, 0, 0, 0xd6, 0xf1];
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** What the BMS hears of these pieces, each with the pause before it, ms. */
  function heard(...pieces: readonly (readonly [pause: number, bytes: readonly number[]])[]): number[][] {
    const port = { write() {}, onBytes: undefined, onFailure: undefined, close: async () => {} } as OutsidePort;
    const requests: number[][] = [];
    wholeRequests(port).onBytes = (bytes) => requests.push([...bytes]);
    for (const [pause, bytes] of pieces) {
      vi.advanceTimersByTime(pause);
      port.onBytes?.(Uint8Array.from(bytes));
    }
    vi.runAllTimers();
    return requests;
  }

  it("are passed on in one piece, however QEMU was interrupted", () => {
    expect(heard([0, READ.slice(0, 1)], [12, READ.slice(1)])).toEqual([READ]);
    expect(heard(...WRITE.map((byte) => [500, [byte]] as const))).toEqual([WRITE]);
    expect(heard([0, [...WRITE, ...READ, 1]], [3, READ.slice(1)])).toEqual([WRITE, READ, READ]);
  });

  it("stay as they are: one that was cut short is heard before the next", () => {
    expect(heard([0, READ.slice(0, 7)], [501, READ])).toEqual([READ.slice(0, 7), READ]);
    expect(heard([0, [0xff, 0xff, 0xff]], [1, READ])).toEqual([[0xff, 0xff, 0xff], READ]);
  });

  it("that arrive together are heard as two, each after the reply to the one before", async () => {
    vi.useRealTimers();
    const clock = new Clock();
    const wire = new Wire(clock, { baud: 115_200 });
    const bms = new SimulatedBms({ clock, wire: wire.bms });
    let replies = 0;
    const port = { write: () => replies++, onBytes: undefined, onFailure: undefined, close: async () => {} };
    const line = wholeRequests(port);
    bridge(clock, wire.board, line, 512);
    clock.start();
    try {
      (port as unknown as OutsidePort).onBytes?.(Uint8Array.from([...WRITE, ...WRITE, ...WRITE]));
      await expect.poll(() => replies).toBe(3);
      expect(bms.traffic.outcomes).toMatchObject({ answered: 3, damaged: 0, "too-soon": 0 });
    } finally {
      bms.close();
      clock.stop();
      await line.close();
    }
  });
});
