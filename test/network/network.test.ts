import UDP from "embedded:io/socket/udp";
import Resolver from "embedded:network/dns/resolver/udp";
import Ethernet from "embedded:network/interface/ethernet";
import WiFiStation from "embedded:network/interface/wifi";
import WiFi from "wifi";
import { beforeEach, describe, expect, it } from "vitest";
import {
  LINK_GRACE,
  LONELY_AFTER,
  MAX_SCANNED,
  PASSPHRASE_LENGTH,
  PORTAL_IDLE,
  SCAN_KEPT,
  MAX_WIRED_BACK_OFF,
  MIN_WIRED_BACK_OFF,
  WIFI_NEED,
  WIRED_NEED,
} from "../../src/network/limits";
import { Lookup } from "../../src/network/lookup";
import { BoardNetwork } from "../../src/network/network";
import { Radio } from "../../src/network/wifi/radio";
import { Wired } from "../../src/network/ethernet/wired";
import type { NetworkSettings } from "../../src/settings/types";
import type { StoredSettings } from "../../src/settings/settings";
import type { BoardOptions, SimulatedBoard } from "../../host-sim/board";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";
import { FaultyStorage } from "../support/fakes/storage";

const SECOND = 1_000;
const FACTS = { mac: "24:6F:28:01:02:03", ip: "192.0.2.7", dns: ["192.0.2.1", "192.0.2.2"] };
const HOME = { ssid: "Home", password: "correct horse", rssi: -55 };
const CHOSEN: Partial<NetworkSettings> = { ssid: "Home", password: "correct horse" };

let board: SimulatedBoard;
let console: string;
let storage: FaultyStorage;
let settings: StoredSettings;
let network: BoardNetwork;

interface Start extends BoardOptions {
  stored?: Partial<NetworkSettings>;
  type?: "Ethernet" | "Wi-Fi";
  prepare?: (board: SimulatedBoard) => void;
}

function start({ stored = {}, type = "Ethernet", prepare, ...options }: Start = {}): void {
  console = "";
  board = poweredBoard({ network: FACTS, seed: 1, online: false, console: (text) => (console += text), ...options });
  board.air.add(HOME);
  prepare?.(board);
  storage = new FaultyStorage(board);
  settings = startSettings(storage);
  expect(settings.update("network", stored)).toBeUndefined();
  boot(type);
}

function boot(type: "Ethernet" | "Wi-Fi" = "Ethernet", accessPointPassword?: string): void {
  network = new BoardNetwork({
    settings,
    ...(type === "Ethernet" ? { wired: new Wired(Ethernet) } : { radio: new Radio() }),
    accessPointPassword,
  });
  network.start();
}

const pass = (ms: number): void => board.clock.runFor(ms);
const choose = (change: Partial<NetworkSettings>): void => expect(settings.update("network", change)).toBeUndefined();

const facts = (): object => {
  const { mode, type, mac, ip, gateway, subnetMask, dns1, dns2, cable } = network;
  return { mode, type, mac, ip, gateway, subnetMask, dns1, dns2, cable };
};

const ON_CABLE = {
  mode: "STA",
  type: "Ethernet",
  mac: "24:6F:28:01:02:03",
  ip: "192.0.2.7",
  gateway: "",
  subnetMask: "",
  dns1: "192.0.2.1",
  dns2: "192.0.2.2",
  cable: true,
};

beforeEach(() => start());

describe("on a cable", () => {
  it("reports what the platform knows and nothing else", () => {
    expect(facts()).toEqual(ON_CABLE);
    expect([network.online, network.reason, network.ssid, network.rssi, network.accessPoint]).toEqual([
      true,
      "",
      "",
      undefined,
      "",
    ]);
    expect(console).toBe("");
  });

  it("reports the mask that DHCP tells, while it is online", () => {
    start({ network: { ...FACTS, mask: "255.255.254.0" } });
    expect(network.subnetMask).toBe("255.255.254.0");
    board.ethernet.cable = false;
    pass(SECOND);
    expect(network.subnetMask).toBe("");
  });

  it("the script goes on while the driver starts, whether or not there is a cable", () => {
    for (const cable of [true, false]) {
      start({ cable, prepare: ({ ethernet }) => (ethernet.startTime = 4_530) });
      expect([network.cable, network.mac, board.ethernet.open]).toEqual([false, ON_CABLE.mac, 0]);
      pass(4 * SECOND);
      expect([network.cable, board.ethernet.open]).toEqual([false, 0]);
      pass(SECOND);
      expect([network.cable, network.online, board.ethernet.open]).toEqual([cable, cable, 1]);
    }
  });

  it("DHCP's first request has the host name", () => {
    start({ prepare: ({ ethernet }) => (ethernet.startTime = 530) });
    pass(SECOND);
    expect(board.ethernet.requested).toEqual([settings.device.hostname]);
  });

  it("a driver that fails to start is retried ever less often, and then gets its name and address", () => {
    const stored = { addressing: "static", address: "192.0.2.9" } as const;
    const prepare = ({ ethernet }: SimulatedBoard): void =>
      void Object.assign(ethernet, { fails: true, startTime: 620 });
    start({ stored, prepare });
    pass(3_600 * SECOND);
    expect([network.cable, network.online, network.mac]).toEqual([false, false, ON_CABLE.mac]);
    const { starts } = board.ethernet;
    const pauses = starts.slice(1).map((at, index) => at - starts[index]!);
    expect(pauses[0]).toBeLessThan(MIN_WIRED_BACK_OFF + 2 * SECOND);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(MAX_WIRED_BACK_OFF);
    expect(pauses.at(-1)).toBeLessThan(MAX_WIRED_BACK_OFF + 3 * SECOND);
    expect(starts.length).toBeLessThan(20);
    board.ethernet.fails = false;
    pass(MAX_WIRED_BACK_OFF + 3 * SECOND);
    expect([network.cable, network.ip, board.ethernet.hostname]).toEqual([true, "192.0.2.9", settings.device.hostname]);
    expect(console.match(/Ethernet failed to start/g)).toHaveLength(starts.length - 1);
    expect(board.ethernet.open).toBe(1);
    const told: boolean[] = [];
    network.observe({ networkChanged: () => void told.push(network.cable) });
    board.ethernet.cable = false;
    pass(0);
    expect(told).toEqual([false]);
  });

  it("a configuration that the platform rejects is tried again", () => {
    const stored = { addressing: "static", address: "192.0.2.9" } as const;
    start({ stored, prepare: ({ ethernet }) => (ethernet.refuses = true) });
    pass(60 * SECOND);
    expect(console.match(/set hostname failed/g)?.length).toBeLessThan(20);
    board.ethernet.refuses = false;
    pass(MAX_WIRED_BACK_OFF);
    expect([network.ip, board.ethernet.hostname, board.ethernet.open]).toEqual([
      "192.0.2.9",
      settings.device.hostname,
      1,
    ]);
  });

  it.each([
    ["enough", 0, 0, 1],
    ["one byte too few", 1, 0, 0],
    ["too small a block", 0, 1, 0],
  ])("the driver is started only with enough memory: %s", (_, fewer, smaller, started) => {
    const { free, block } = WIRED_NEED;
    start({ prepare: (made) => (made.heap = [free - fewer, 0, block - smaller]) });
    pass(5 * SECOND);
    expect([board.ethernet.starts.length, network.online]).toEqual([started, started === 1]);
    if (started) return;
    expect(console).toContain(
      `no memory for Ethernet: ${free - fewer} bytes free, the largest block ${block - smaller}`,
    );
    board.heap = [free, 0, block];
    pass(MIN_WIRED_BACK_OFF);
    expect(network.online).toBe(true);
  });

  it("a cable without an address counts as a cable", () => {
    start({ prepare: ({ ethernet }) => (ethernet.dhcpDelay = undefined), cable: false });
    board.ethernet.cable = true;
    pass(SECOND);
    expect(facts()).toEqual({ ...ON_CABLE, ip: "", dns1: "", dns2: "" });
  });

  it("takes precedence over Wi-Fi, which takes over when it is unplugged, and back", () => {
    start({ stored: CHOSEN });
    pass(20 * SECOND);
    expect([network.type, board.radio.joins]).toEqual(["Ethernet", []]);
    board.ethernet.cable = false;
    pass(2 * SECOND);
    expect(facts()).toEqual({ ...ON_CABLE, type: "Wi-Fi", cable: false });
    expect([network.ssid, network.rssi]).toEqual(["Home", -55]);
    board.ethernet.cable = true;
    pass(SECOND);
    expect([network.type, network.ssid, board.radio.state]).toEqual(["Ethernet", "", "idle"]);
    expect(network.online).toBe(true);
  });

  it("has the configured static address", () => {
    const fixed = { addressing: "static", address: "10.0.0.9", mask: "255.255.0.0", gateway: "10.0.0.1" } as const;
    start({ stored: { ...fixed, dns1: "10.0.0.2" }, network: { ...FACTS, mask: "255.255.254.0" } });
    expect(facts()).toEqual({
      ...ON_CABLE,
      ip: "10.0.0.9",
      gateway: "10.0.0.1",
      subnetMask: "255.255.0.0",
      dns1: "10.0.0.2",
      dns2: "",
    });
    choose({ addressing: "dhcp" });
    expect(facts()).toEqual({ ...ON_CABLE, subnetMask: "255.255.254.0" });
    choose(fixed);
    expect(network.ip).toBe("10.0.0.9");
    choose({ address: "" });
    expect(facts()).toEqual({ ...ON_CABLE, subnetMask: "255.255.254.0" });
  });

  it.each([
    ["both", { dns1: "10.0.0.2", dns2: "10.0.0.3" }, ["10.0.0.2", "10.0.0.3"]],
    ["the first", { dns1: "10.0.0.2" }, ["10.0.0.2"]],
    ["the second, as the first", { dns2: "10.0.0.3" }, ["10.0.0.3"]],
    ["none", {}, []],
  ])("uses the configured name servers with a static address: %s", (_name, servers, asked) => {
    start({ stored: { addressing: "static", address: "10.0.0.9", ...servers } });
    expect(board.nameServers).toEqual(asked);
    let found: string | undefined;
    board.names.set("ntp.example", "192.0.2.123");
    const parts = { network, resolver: Resolver, udp: UDP };
    new Lookup("time", parts, "ntp.example", (address) => (found = address));
    pass(SECOND);
    expect(found).toBe(asked.length ? "192.0.2.123" : undefined);
  });

  it("restores the name servers when the platform has lost them, on the cable and on Wi-Fi", () => {
    start({ stored: { ...CHOSEN, addressing: "static", address: "10.0.0.9", dns1: "10.0.0.2" } });
    choose({ address: "10.0.0.10" });
    expect(board.nameServers).toEqual(["10.0.0.2"]);
    choose({ dns1: "10.0.0.4", dns2: "10.0.0.5" });
    pass(SECOND);
    expect(board.nameServers).toEqual(["10.0.0.4", "10.0.0.5"]);
    board.forgetNameServers();
    pass(2 * SECOND);
    expect(board.nameServers).toEqual(["10.0.0.4", "10.0.0.5"]);
    board.ethernet.cable = false;
    pass(4 * SECOND);
    expect([network.ssid, board.nameServers]).toEqual(["Home", ["10.0.0.4", "10.0.0.5"]]);
    choose({ addressing: "dhcp" });
    pass(4 * SECOND);
    expect([network.dns1, board.nameServers]).toEqual(["192.0.2.1", FACTS.dns]);
  });

  it("names the interfaces after the hostname", () => {
    network.startScan();
    expect([board.ethernet.hostname, board.radio.hostname]).toEqual(["jk-bms", "jk-bms"]);
    settings.update("device", { hostname: "shed" });
    expect([board.ethernet.hostname, board.radio.hostname]).toEqual(["shed", "shed"]);
  });

  it("does not touch Wi-Fi until it is used", () => {
    start({ stored: CHOSEN });
    pass(600 * SECOND);
    expect([board.radio.started, network.scan()]).toEqual([undefined, { scanning: false, networks: [] }]);
    network.startScan();
    expect([board.radio.started, network.scan().scanning]).toEqual(["wifi", true]);
    pass(3 * SECOND);
    expect([network.type, network.scan().networks.length]).toEqual(["Ethernet", 1]);
  });

  it("without an address for long it opens the access point as well", () => {
    start({ prepare: ({ ethernet }) => (ethernet.dhcpDelay = undefined), cable: false });
    board.ethernet.cable = true;
    pass(LONELY_AFTER - SECOND);
    expect([network.mode, board.radio.started]).toEqual(["STA", undefined]);
    pass(2 * SECOND);
    expect([network.mode, network.cable, network.accessPoint]).toEqual(["AP", true, "JK-BMS-010203"]);
  });

  it("configures an interface only on a change, because the platform would start over", () => {
    let configured = 0;
    const setStatic = board.ethernet.setStatic.bind(board.ethernet);
    board.ethernet.setStatic = (address) => {
      configured++;
      setStatic(address);
    };
    settings.update("device", { hostname: "shed" });
    choose({ ssid: "Home", password: "correct horse" });
    choose({ gateway: "10.0.0.1" });
    expect(configured).toBe(0);
    choose({ addressing: "static", address: "10.0.0.9" });
    choose({ ssid: "" });
    expect(configured).toBe(1);
    choose({ addressing: "dhcp" });
    expect(configured).toBe(2);
  });

  it("reads the name servers at most once a second, and across the tick wrap", () => {
    start({ ticks: 2 ** 31 - 500 });
    expect(network.dns1).toBe("192.0.2.1");
    board.network.dns = ["192.0.2.9"];
    pass(999);
    expect([network.dns1, network.dns2]).toEqual(["192.0.2.1", "192.0.2.2"]);
    pass(1);
    expect([network.dns1, network.dns2]).toEqual(["192.0.2.9", ""]);
  });
});

describe("the first start", () => {
  beforeEach(() => start({ cable: false }));
  const password = (): string => board.radio.accessPoint!.password;

  it("waits for a cable, then opens the access point and prints its password", () => {
    pass(LINK_GRACE - 1);
    expect([board.radio.accessPoint, network.mode, network.type]).toEqual([undefined, "STA", "Ethernet"]);
    pass(SECOND);
    expect(board.radio.accessPoint?.ssid).toBe("JK-BMS-010203");
    expect(password()).toMatch(/^[a-km-np-z2-9]{12}$/);
    expect(password()).toHaveLength(PASSPHRASE_LENGTH);
    expect(console).toBe(`network: access point JK-BMS-010203, password ${password()}\n`);
    expect(facts()).toEqual({
      ...ON_CABLE,
      mode: "AP",
      type: "Wi-Fi",
      gateway: "192.0.2.7",
      subnetMask: "255.255.255.0",
      dns1: "",
      dns2: "",
      cable: false,
    });
    expect(network.online).toBe(false);
  });

  it("opens it at once on a board without Ethernet", () => {
    start({ type: "Wi-Fi" });
    expect([network.mode, network.type, network.cable]).toEqual(["AP", "Wi-Fi", false]);
  });

  it("keeps the password across a restart", () => {
    pass(6 * SECOND);
    const first = password();
    network.close();
    board.radio.powerOff();
    settings = startSettings(storage);
    boot();
    pass(6 * SECOND);
    expect(password()).toBe(first);
  });

  it("keeps the password until power-off if it cannot be stored", () => {
    start({ cable: false });
    storage.writesLeft = 0;
    pass(6 * SECOND);
    const first = password();
    board.ethernet.cable = true;
    pass(2 * PORTAL_IDLE);
    expect(board.radio.accessPoint).toBeUndefined();
    board.ethernet.cable = false;
    pass(LONELY_AFTER + SECOND);
    expect(password()).toBe(first);
  });

  it("a late cable closes it", () => {
    pass(10 * SECOND);
    board.ethernet.cable = true;
    pass(SECOND);
    expect([network.mode, network.type, network.accessPoint]).toEqual(["STA", "Ethernet", "JK-BMS-010203"]);
    pass(PORTAL_IDLE);
    expect([network.accessPoint, board.radio.accessPoint]).toEqual(["", undefined]);
    expect(console).toContain("network: access point closed\n");
  });

  it("joins the chosen network, and keeps the access point open until it has been stable for a while", () => {
    pass(6 * SECOND);
    choose(CHOSEN);
    pass(3 * SECOND);
    expect([network.mode, network.ssid, network.reason, network.accessPoint]).toEqual([
      "STA",
      "Home",
      "",
      "JK-BMS-010203",
    ]);
    pass(PORTAL_IDLE);
    expect(board.radio.accessPoint).toBeUndefined();
    expect(network.online).toBe(true);
  });

  it.each([
    ["a wrong password", { ssid: "Home", password: "wrong horse" }, "wrong-password", 6],
    ["a network that is not there", { ssid: "Hone", password: "correct horse" }, "not-found", 7],
    ["a network without DHCP", { ssid: "Mute", password: "" }, "timeout", 33],
  ] as const)("%s: the access point stays, and the reason is reported", (_name, change, reason, seconds) => {
    board.air.add({ ssid: "Mute", dhcpDelay: null });
    pass(6 * SECOND);
    choose(change);
    pass(seconds * SECOND);
    expect([network.mode, network.reason, network.accessPoint]).toEqual(["AP", reason, "JK-BMS-010203"]);
    choose({ ...CHOSEN });
    expect(network.reason).toBe("");
    pass(5 * SECOND);
    expect([network.mode, network.reason, network.ssid]).toEqual(["STA", "", "Home"]);
  });

  it("a failure to leave a network or to configure an interface does not stop the device", () => {
    board.radio.disconnect = () => {
      throw new Error("not initialized");
    };
    board.ethernet.setStatic = () => {
      throw new Error("set IP failed");
    };
    pass(6 * SECOND);
    choose({ addressing: "static", address: "10.0.0.9" });
    choose(CHOSEN);
    choose({ ...CHOSEN, ssid: "Hone" });
    expect(console).toContain("network: cannot configure an interface");
    expect(console).toContain("network: cannot leave Wi-Fi");
    board.ethernet.cable = true;
    pass(SECOND);
    expect([network.online, network.type]).toEqual([true, "Ethernet"]);
  });

  it("a radio that refuses is retried, but not every second", () => {
    let asked = 0;
    const { radio } = board;
    const open = radio.openAccessPoint.bind(radio);
    radio.openAccessPoint = (options) => {
      if (++asked < 3) throw new Error("esp_wifi_start failed");
      open(options);
    };
    pass(14 * SECOND);
    expect(asked).toBe(1);
    pass(12 * SECOND);
    expect([asked, network.accessPoint]).toEqual([3, "JK-BMS-010203"]);
  });
});

describe("on Wi-Fi", () => {
  beforeEach(() => start({ cable: false, stored: CHOSEN }));

  it("joins after waiting for a cable", () => {
    pass(LINK_GRACE - 1);
    expect(board.radio.joins).toEqual([]);
    pass(3 * SECOND);
    expect([network.online, network.ssid, board.radio.accessPoint]).toEqual([true, "Home", undefined]);
  });

  it("a password that was wrong before the start opens the access point with the reason", () => {
    start({ cable: false, stored: { ...CHOSEN, password: "wrong horse" } });
    pass(12 * SECOND);
    expect([network.mode, network.reason]).toEqual(["AP", "wrong-password"]);
  });

  it("joins the only access point that was chosen, and none in its place", () => {
    const bssid = "a4:2b:b0:01:02:03";
    start({ cable: false, stored: { ...CHOSEN, bssid } });
    pass(30 * SECOND);
    expect([network.online, network.reason]).toEqual([false, "not-found"]);
    board.air.add({ ...HOME, bssid, rssi: -85 });
    pass(120 * SECOND);
    expect([network.online, network.ssid, network.rssi]).toEqual([true, "Home", -85]);
    // The other one of that name, which is stronger, does not take its place.
    board.air.remove(HOME.ssid, bssid);
    pass(60 * SECOND);
    expect(network.online).toBe(false);
    choose({ bssid: "" });
    pass(10 * SECOND);
    expect(network.online).toBe(true);
  });

  it("forgets the wrong password when it fails for another reason", () => {
    start({ cable: false, stored: { ...CHOSEN, password: "wrong horse" } });
    pass(12 * SECOND);
    board.air.remove("Home");
    pass(30 * SECOND);
    expect(network.reason).toBe("not-found");
  });

  it("reconnects when the network returns, without an access point if that is soon", () => {
    pass(30 * SECOND);
    board.air.remove("Home");
    pass(SECOND);
    expect([network.online, network.ip, network.mode]).toEqual([false, "", "STA"]);
    pass(60 * SECOND);
    expect([network.reason, network.accessPoint]).toEqual(["not-found", ""]);
    board.air.add(HOME);
    pass(70 * SECOND);
    expect([network.online, network.reason]).toEqual([true, ""]);
  });

  it("opens the access point as well after a while without a network, and keeps trying", () => {
    pass(30 * SECOND);
    board.air.remove("Home");
    pass(LONELY_AFTER + 2 * SECOND);
    expect([network.mode, network.accessPoint]).toEqual(["AP", "JK-BMS-010203"]);
    const tries = board.radio.joins.length;
    pass(600 * SECOND);
    expect(board.radio.joins.length).toBeGreaterThan(tries + 8);
    board.air.add(HOME);
    pass(70 * SECOND);
    expect([network.mode, network.ssid]).toEqual(["STA", "Home"]);
    pass(PORTAL_IDLE);
    expect(board.radio.accessPoint).toBeUndefined();
  });

  it("retrying for long takes no more timers or objects", () => {
    board.air.remove("Home");
    pass(3_600 * SECOND);
    const timers = board.timers.count;
    pass(20 * 3_600 * SECOND);
    expect(board.timers.count).toBe(timers);
  });

  it("notifies observers once of each change", () => {
    const told: string[] = [];
    network.observe({ networkChanged: () => void told.push(`${network.mode} ${network.ip}`) });
    pass(30 * SECOND);
    board.air.remove("Home");
    pass(5 * SECOND);
    expect(told).toEqual(["STA 192.0.2.7", "STA "]);
    settings.update("device", { hostname: "shed" });
    expect(told).toHaveLength(3);
    settings.update("device", { name: "Shed" });
    expect(told).toHaveLength(3);
  });
});

describe("scanning", () => {
  beforeEach(() => start({ type: "Wi-Fi" }));

  it("finds the strongest networks, each once, the strongest first", () => {
    for (let n = 0; n < 20; n++) board.air.add({ ssid: `Net ${n}`, rssi: -90 + n, password: "12345678" });
    board.air.add({ ssid: "Open", rssi: -30 });
    board.air.add({ ssid: "", rssi: -20 });
    expect(network.scan()).toEqual({ scanning: false, networks: [] });
    network.startScan();
    expect(network.scan().scanning).toBe(true);
    pass(3 * SECOND);
    const { scanning, networks } = network.scan();
    expect([scanning, networks.length]).toEqual([false, MAX_SCANNED]);
    expect(networks.slice(0, 3)).toEqual([
      { ssid: "Open", rssi: -30, open: true },
      { ssid: "Home", rssi: -55, open: false },
      { ssid: "Net 19", rssi: -71, open: false },
    ]);
    expect(networks.at(-1)?.ssid).toBe("Net 6");
  });

  it("discards scan results that are no longer requested", () => {
    network.startScan();
    pass(3 * SECOND);
    pass(SCAN_KEPT - 3 * SECOND);
    expect(network.scan().networks).toHaveLength(1);
    pass(SCAN_KEPT + SECOND);
    expect(network.scan().networks).toEqual([]);
  });

  it("waits until the current attempt to join has ended", () => {
    choose({ ...CHOSEN, ssid: "Hone" });
    pass(2 * SECOND);
    expect(board.radio.state).toBe("joining");
    network.startScan();
    expect(network.scan()).toEqual({ scanning: true, networks: [] });
    pass(5 * SECOND);
    expect(network.scan().networks).toHaveLength(1);
  });

  it("a scan that the radio refuses ends at once, and can be requested again", () => {
    const scan = board.radio.scan.bind(board.radio);
    board.radio.scan = () => {
      throw new Error("scan failed");
    };
    network.startScan();
    expect(network.scan()).toEqual({ scanning: false, networks: [] });
    board.radio.scan = scan;
    network.startScan();
    network.startScan();
    pass(3 * SECOND);
    expect(network.scan().networks).toHaveLength(1);
  });

  it("a scan that never ends is given up", () => {
    board.radio.scan = () => undefined;
    network.startScan();
    pass(14 * SECOND);
    expect(network.scan().scanning).toBe(true);
    pass(2 * SECOND);
    expect(network.scan().scanning).toBe(false);
  });
});

describe("a client of the portal", () => {
  it("is one in the access point's network while there is no other network", () => {
    start({ type: "Wi-Fi" });
    expect(network.onPortal("192.0.2.50")).toBe(true);
    expect(network.onPortal("192.0.3.50")).toBe(false);
    choose(CHOSEN);
    pass(4 * SECOND);
    // Here both have the same address: nobody is known to be on the portal.
    expect([network.mode, network.onPortal("192.0.2.50")]).toEqual(["STA", false]);
    pass(PORTAL_IDLE);
    expect(network.onPortal("192.0.2.50")).toBe(false);
  });

  it("keeps the access point open", () => {
    const fixed = { addressing: "static", address: "10.0.0.9", gateway: "10.0.0.1" } as const;
    start({ type: "Wi-Fi" });
    choose({ ...CHOSEN, ...fixed });
    pass(4 * SECOND);
    expect(network.ip).toBe("10.0.0.9");
    for (let n = 0; n < 5; n++) {
      pass(PORTAL_IDLE - 5 * SECOND);
      expect(network.onPortal("192.0.2.50")).toBe(true);
    }
    expect(network.onPortal("10.0.0.50")).toBe(false);
    pass(PORTAL_IDLE);
    expect(network.onPortal("192.0.2.50")).toBe(false);
    expect(network.accessPoint).toBe("");
  });
});

describe("the SDK's two Wi-Fi modules", () => {
  it("station mode is never dropped, and `wifi` starts the driver", () => {
    start({ type: "Wi-Fi" });
    expect([board.radio.started, board.radio.mode]).toEqual(["wifi", 3]);
    choose(CHOSEN);
    pass(4 * SECOND + PORTAL_IDLE);
    expect([board.radio.mode, network.online]).toEqual([1, true]);
  });

  it("the simulator rejects the other order", () => {
    board = poweredBoard();
    new WiFiStation({});
    expect(() => (WiFi.mode = 1)).toThrow("aborts");
  });
});

describe("an access point password set at build time", () => {
  const opened = (password: string, stored: Partial<NetworkSettings> = {}): string | undefined => {
    start();
    board.powerOff();
    board.powerOn();
    settings = startSettings(storage);
    choose(stored);
    boot("Wi-Fi", password);
    pass(10 * SECOND);
    return board.radio.accessPoint?.password;
  };

  /** The same over network settings that cannot be read. */
  const openedUnreadable = (password?: string): void => {
    start();
    board.powerOff();
    board.powerOn();
    startSettings(storage).update("network", { ssid: "Home", password: "as it was" });
    storage.failsToRead = ["network"];
    settings = startSettings(storage);
    boot("Wi-Fi", password);
    pass(10 * SECOND);
  };

  it("applies at the first start, is printed on the console and kept", () => {
    expect(opened("chosen-at-the-build")).toBe("chosen-at-the-build");
    expect(settings.network.accessPointPassword).toBe("chosen-at-the-build");
    expect(console).toMatch(/network: access point JK-BMS-\w+, password chosen-at-the-build\n/);
  });

  it("does not overwrite network settings that could not be read", () => {
    openedUnreadable("chosen-at-the-build");
    expect(board.radio.accessPoint?.password).toMatch(/^[a-z2-9]{12}$/);
    storage.failsToRead = [];
    expect(startSettings(storage).network).toMatchObject({ ssid: "Home", password: "as it was" });
  });

  it("nor does the button, which renews the password, overwrite them", () => {
    openedUnreadable();
    const before = board.radio.accessPoint?.password;
    network.renewAccessPoint();
    pass(10 * SECOND);
    expect(board.radio.accessPoint?.password).toMatch(/^[a-z2-9]{12}$/);
    expect(board.radio.accessPoint?.password).not.toBe(before);
    storage.failsToRead = [];
    expect(startSettings(storage).network).toMatchObject({ ssid: "Home", password: "as it was" });
  });

  it("is replaced by a configured one", () =>
    expect(opened("chosen-at-the-build", { accessPointPassword: "set-by-the-owner" })).toBe("set-by-the-owner"));

  it.each(["short", "x".repeat(64)])("is rejected when WPA2 would not accept it: %s", (password) =>
    expect(opened(password)).toMatch(/^[a-z2-9]{12}$/),
  );
});

describe("too little memory for Wi-Fi, which is started late", () => {
  const short = (board: SimulatedBoard): void => void (board.heap = [WIFI_NEED.free - 1, 0, WIFI_NEED.block]);
  const plenty = (): void => void (board.heap = [WIFI_NEED.free, 0, WIFI_NEED.block]);

  it("is the reason without a network, and Wi-Fi is joined once there is enough", () => {
    start({ cable: false, stored: CHOSEN, prepare: short });
    pass(60 * SECOND);
    expect([network.reason, network.online, board.radio.started]).toEqual(["no-memory", false, undefined]);
    expect(console.match(/no memory for Wi-Fi/g)?.length).toBeLessThan(8);
    expect(console).toContain(`${WIFI_NEED.free - 1} bytes free, the largest block ${WIFI_NEED.block}`);
    plenty();
    pass(20 * SECOND);
    expect([network.reason, network.online, network.ssid]).toEqual(["", true, "Home"]);
  });

  it("too small a block is too little as well", () => {
    start({ cable: false, stored: CHOSEN, prepare: (made) => (made.heap = [WIFI_NEED.free, 0, WIFI_NEED.block - 1]) });
    pass(20 * SECOND);
    expect([network.reason, board.radio.started]).toEqual(["no-memory", undefined]);
  });

  it("delays the access point, with the password that the button asked for, and a scan", () => {
    start({ cable: false, stored: { accessPointPassword: "the old one" }, prepare: short });
    pass(20 * SECOND);
    network.renewAccessPoint();
    network.startScan();
    expect([network.accessPoint, network.mac]).toEqual(["", ON_CABLE.mac]);
    plenty();
    pass(20 * SECOND);
    expect(board.radio.accessPoint?.password).not.toBe("the old one");
    expect(board.radio.accessPoint?.password).toBe(settings.network.accessPointPassword);
  });

  it("is looked at anew when the cable is pulled after 30 days", () => {
    start({ cable: false, stored: CHOSEN, prepare: short });
    pass(10 * SECOND);
    board.ethernet.cable = true;
    pass(SECOND);
    pass(30 * 24 * 3_600 * SECOND);
    plenty();
    board.ethernet.cable = false;
    pass(30 * SECOND);
    expect([network.reason, network.online]).toEqual(["", true]);
  });

  it("is no reason while the cable works", () => {
    start({ cable: false, stored: CHOSEN, prepare: short });
    pass(20 * SECOND);
    board.ethernet.cable = true;
    pass(SECOND);
    expect([network.reason, network.online]).toEqual(["", true]);
  });
});
