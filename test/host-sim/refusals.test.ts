/** The simulator's conditions: what each class of the platform does while one holds, and that it works again afterwards. */
import { describe, expect, it } from "vitest";
import type { SimulatedBoard } from "../../host-sim/board";
import Analog from "../../host-sim/io/analog";
import * as application from "../../host-sim/io/application";
import Digital from "../../host-sim/io/digital";
import Ethernet from "../../host-sim/io/ethernet";
import EthernetDriver from "../../host-sim/io/ethernet-driver";
import KeyValueStorage from "../../host-sim/io/key-value";
import Listener from "../../host-sim/io/listener";
import Serial from "../../host-sim/io/serial";
import TCP from "../../host-sim/io/tcp";
import Timer from "../../host-sim/io/timer";
import UDP from "../../host-sim/io/udp";
import WiFi from "../../host-sim/io/wifi";
import WiFiStation from "../../host-sim/io/wifi-station";
import { parseTrouble, play } from "../../host-sim/troubles";
import { poweredBoard } from "../support/system/simulated-board";

const SECOND = 1_000;
const UART = { port: 2, receive: 5, transmit: 17, baud: 115_200, onReadable: () => undefined };
const NETWORK = { ssid: "Home", password: "correct horse" };

const order = (board: SimulatedBoard, text: string): void => play(board, parseTrouble(text), () => undefined);
const open = (mode?: "r"): ReturnType<typeof KeyValueStorage.open> =>
  KeyValueStorage.open({ path: "settings", format: "string", ...(mode && { mode }) });
const digital = (pin: number): Digital => new Digital({ pin, mode: Digital.InputPullUp });
/** The interface, once its driver has started. */
function ethernet(options: ConstructorParameters<typeof Ethernet>[0] = {}): Ethernet {
  EthernetDriver.start("board");
  return new Ethernet(options);
}
const accessPoint = (): void => WiFi.accessPoint({ ssid: "own", password: "password", station: true });

it.each<[string, () => unknown, string]>([
  ["no-sockets", () => new Listener({ port: 0 }), "no memory"],
  ["no-sockets", () => new UDP({}), "no memory"],
  ["no-sockets", () => new TCP({ address: "127.0.0.1", port: 9 }), "no memory"],
  ["no-serial", () => new Serial(UART).close(), "uart failed"],
  ["no-pins", () => digital(4).close(), "in use"],
  ["no-pins:pin=36", () => new Analog({ pin: 36 }).close(), "in use"],
  ["no-access-point", accessPoint, "esp_wifi_set_config failed"],
  ["storage-closed", () => open().close(), "ESP_ERR_NVS_NOT_INITIALIZED"],
  ["storage-full", () => open().write("a", "b"), "ESP_ERR_NVS_NOT_ENOUGH_SPACE"],
])("%s: refused while it lasts, not a moment longer", (kind, act, error) => {
  const board = poweredBoard();
  order(board, `${kind}:for=2`);
  expect(act).toThrow(error);
  board.clock.runFor(2 * SECOND - 1);
  expect(act).toThrow(error);
  board.clock.runFor(1);
  expect(act).not.toThrow();
});

it("no-pins with a pin: the others can be claimed", () => {
  order(poweredBoard(), "no-pins:pin=4");
  expect(() => digital(4)).toThrow("in use");
  expect(() => digital(14)).not.toThrow();
});

it.each<[string, () => unknown]>([
  ["a listener", () => new Listener({ port: 0 })],
  ["a UDP socket", () => new UDP({})],
  ["a connection", () => new TCP({ address: "127.0.0.1", port: 9 })],
  ["a serial port", () => new Serial(UART)],
  ["a digital pin", () => digital(4)],
  ["an analogue pin", () => new Analog({ pin: 36 })],
  ["a timer", () => Timer.set(() => undefined, 1)],
  ["an opened storage", () => open()],
  ["the Ethernet driver", () => EthernetDriver.start("board")],
  ["the Wi-Fi interface", () => new WiFiStation({})],
])("no-memory: %s is one allocation, the nth of which fails", (_, make) => {
  const board = poweredBoard();
  const before = board.refusals.allocated;
  order(board, "no-memory:nth=1");
  expect(make).toThrow();
  expect(make).not.toThrow();
  expect(board.refusals.allocated).toBe(before + 2);
});

it("no-conversions: read returns undefined", () => {
  const board = poweredBoard();
  const analog = new Analog({ pin: 36 });
  order(board, "no-conversions:for=1");
  expect(analog.read()).toBeUndefined();
  board.clock.runFor(SECOND);
  expect(analog.read()).toBeGreaterThan(0);
});

describe("the storage", () => {
  it("storage-full: reads and erases", () => {
    const board = poweredBoard();
    open().write("a", "b");
    order(board, "storage-full");
    expect(open().read("a")).toBe("b");
    open().delete("a");
    expect(open().read("a")).toBeUndefined();
  });

  it("storage-fails: the nth write throws, and is stored all the same", () => {
    order(poweredBoard(), "storage-fails:nth=2");
    const storage = open();
    storage.write("a", "1");
    expect(() => storage.write("b", "2")).toThrow("ESP_ERR_NVS_REMOVE_FAILED");
    storage.write("c", "3");
    expect(["a", "b", "c"].map((key) => storage.read(key))).toEqual(["1", "2", "3"]);
  });

  it("storage-closed is reported as lost, storage-corrupt as set aside at the next start only", () => {
    const board = poweredBoard();
    expect(application.storeState()).toBe(0);
    order(board, "storage-closed:for=1");
    expect(application.storeState()).toBe(3);
    board.clock.runFor(SECOND);
    open().write("a", "b");
    order(board, "storage-corrupt");
    expect([application.storeState(), open().read("a")]).toEqual([0, "b"]);
    const states = [1, 2].map(() => {
      board.powerOff();
      board.powerOn();
      return [application.storeState(), open().read("a")];
    });
    expect(states).toEqual([
      [1, undefined],
      [0, undefined],
    ]);
  });
});

describe("the network", () => {
  const events: string[] = [];
  const onChanged = (what: string): void => void events.push(what);

  it("before an interface is started no socket can be opened, and without an address nothing is sent", () => {
    const board = poweredBoard({ online: false });
    order(board, "no-lease");
    const make = [
      () => new Listener({ port: 0 }),
      () => new UDP({}),
      () => new TCP({ address: "127.0.0.1", port: 9 }),
    ] as const;
    for (const one of make) expect(one).toThrow("no network");
    ethernet();
    make[0]();
    const udp = make[1]();
    expect(() => udp.write(new Uint8Array(1), "127.0.0.1", 9)).toThrow("UDP send failed");
    expect(make[2]).toThrow("no connection");
    board.lease = "127.0.0.1";
    udp.write(new Uint8Array(1), "127.0.0.1", 9);
    make[2]();
  });

  it.each(["ethernet", "wifi"] as const)("%s: only the first address is told, not its loss nor another", (kind) => {
    const board = poweredBoard({ online: false, cable: false });
    board.air.add(NETWORK);
    order(board, "no-lease:for=10");
    board.ethernet.cable = kind === "ethernet";
    if (kind === "wifi") WiFi.mode = 1;
    const link = kind === "wifi" ? new WiFiStation({ onChanged }) : ethernet({ onChanged });
    if (link instanceof WiFiStation) link.connect({ SSID: NETWORK.ssid, password: NETWORK.password });
    board.clock.runFor(9 * SECOND);
    expect([link.connection, link.address]).toEqual([400, undefined]);
    events.length = 0;
    board.clock.runFor(2 * SECOND);
    expect([link.connection, link.address, events.includes("address")]).toEqual([500, "127.0.0.1", true]);
    events.length = 0;
    order(board, "no-lease:for=5");
    expect([link.connection, link.address]).toEqual([500, undefined]);
    board.clock.runFor(5 * SECOND);
    order(board, "other-lease");
    board.clock.runFor(SECOND);
    expect([link.connection, link.address, events]).toEqual([500, "127.0.0.2", []]);
  });

  it("no-link: no cable and no Wi-Fi, and both again afterwards", () => {
    const board = poweredBoard({ online: false });
    board.air.add(NETWORK);
    const link = ethernet();
    order(board, "no-link:for=3");
    expect([link.connection, board.air.networks]).toEqual([200, []]);
    board.clock.runFor(3 * SECOND);
    expect([link.connection, board.air.networks]).toEqual([500, [NETWORK]]);
  });

  it("no-phy: the driver does not start meanwhile, and starts when it is tried again later", () => {
    const board = poweredBoard({ online: false });
    order(board, "no-phy:for=3");
    EthernetDriver.start("board");
    expect(EthernetDriver.isStarted()).toBe(false);
    board.clock.runFor(3 * SECOND);
    expect(EthernetDriver.isStarted()).toBe(false);
    expect(ethernet().connection).toBe(500);
  });
});

it("lost-messages: the UART waits until the queue has room again; a timer's callback is none", () => {
  const board = poweredBoard();
  let told = 0;
  let ticks = 0;
  new Serial({ ...UART, onReadable: () => void told++ });
  Timer.repeat(() => void ticks++, 100);
  order(board, "lost-messages:for=1");
  board.wire.bms.send(Uint8Array.of(1, 2, 3));
  board.clock.runFor(SECOND - 1);
  expect(told).toBe(0);
  board.clock.runFor(SECOND);
  expect(told).toBe(1);
  board.wire.bms.send(Uint8Array.of(4, 5, 6));
  board.clock.runFor(SECOND);
  expect(told).toBe(2);
  expect(ticks).toBeGreaterThan(20);
});
