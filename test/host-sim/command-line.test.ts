import { describe, expect, it } from "vitest";
import { MAX_PAST_DAYS } from "../../host-sim/past/past";
import { HELP, parseCommandLine, UsageError } from "../../host-sim/command-line";

const parse = (...parameters: string[]): ReturnType<typeof parseCommandLine> => parseCommandLine(parameters);

describe("command line", () => {
  it("has a default for everything", () => {
    expect(parse()).toEqual({
      engine: "node",
      port: 8080,
      snmpPort: 1161,
      snmpCommunity: undefined,
      modbus: undefined,
      bind: "127.0.0.1",
      network: "ethernet",
      name: undefined,
      mac: undefined,
      mdns: false,
      token: undefined,
      password: undefined,
      model: undefined,
      cells: undefined,
      seed: undefined,
      packs: undefined,
      twin: undefined,
      master: false,
      faults: [],
      masterFaults: [],
      beside: [],
      troubles: [],
      timeFactor: 1,
      storage: undefined,
      history: undefined,
      serial: undefined,
      replay: undefined,
      pty: false,
      busy: 0,
      baud: undefined,
      address: undefined,
      readMode: undefined,
    });
  });

  it.each([
    ["--modbus 1502 --port 1501", undefined],
    ["--modbus 1502 --port 1502", "--modbus 1502: the web server has this port"],
    ["--modbus 1502 --port 1503", undefined],
    ["--modbus 8080", "--modbus 8080: the web server has this port"],
    // TCP and UDP: no collision.
    ["--modbus 1161 --snmp-port 1161", undefined],
    ["--mdns --snmp-port 5352", undefined],
    ["--mdns --snmp-port 5353", "--snmp-port 5353: mDNS has this port"],
    ["--mdns --snmp-port 5354", undefined],
    ["--snmp-port 5353", undefined],
  ])("%s: %j", (words, refusal) => {
    const parsing = (): unknown => parse(...words.split(" "));
    if (refusal) expect(parsing).toThrow(refusal);
    else expect(parsing).not.toThrow();
  });

  it("accepts every option, all of them in the help", () => {
    const words =
      "--port 80 --snmp-port 161 --snmp-community let-me --modbus 1502 --bind 0.0.0.0 --network wifi --name Shed --mac 02:00:5e:10:00:02 --mdns --token abc --password Geheim-9 --model JK_PB2A16S20P --cells 8 --seed 5 " +
      "--packs 3 --twin 2 --master --master-fault rare --master-fault stops:at=3 --beside yambms --beside home-assistant:every=60:settings=3600 --fault no-answer --fault bad-crc:every=3 --trouble hang --trouble button:at=3:times=2:for=6 " +
      "--time-factor 2.5 --storage x.json --history 400 --pty --busy 12.5 --baud 9600 --address 15 --read-mode frames --engine xs";
    expect(parse(...words.split(" "))).toEqual({
      engine: "xs",
      port: 80,
      snmpPort: 161,
      snmpCommunity: "let-me",
      modbus: 1_502,
      bind: "0.0.0.0",
      network: "wifi",
      name: "Shed",
      mac: "02:00:5E:10:00:02",
      mdns: true,
      token: "abc",
      password: "Geheim-9",
      model: "JK_PB2A16S20P",
      cells: 8,
      seed: 5,
      packs: 3,
      twin: 2,
      master: true,
      faults: ["no-answer", "bad-crc:every=3"],
      masterFaults: ["rare", "stops:at=3"],
      beside: ["yambms", "home-assistant:every=60:settings=3600"],
      troubles: [
        { kind: "hang", at: 10, times: 1, for: 1, nth: 1 },
        { kind: "button", at: 3, times: 2, for: 6, nth: 1 },
      ],
      timeFactor: 2.5,
      storage: "x.json",
      history: 400,
      serial: undefined,
      replay: undefined,
      pty: true,
      busy: 12.5,
      baud: 9600,
      address: 15,
      readMode: "frames",
    });
    expect(parse("--address", "0")).toMatchObject({ address: 0 });
    expect(parse("--replay", "bus.txt", "--pty")).toMatchObject({ replay: "bus.txt", pty: true });
    for (const days of [1, MAX_PAST_DAYS]) expect(parse("--history", `${days}`)?.history).toBe(days);
    expect(() => parse("--history", "731")).toThrow("--history 731: must be a whole number from 1 to 730");
    expect(parse("--twin", "1")).toMatchObject({ twin: 1 });
    expect(parse("--packs", "3", "--twin", "3")).toMatchObject({ twin: 3 });
    for (const packs of [1, 15]) expect(parse("--packs", `${packs}`)?.packs).toBe(packs);
    expect(parse("--serial", "/dev/ttyUSB0", "--baud", "115200")).toMatchObject({
      serial: "/dev/ttyUSB0",
      baud: 115_200,
    });
    for (const [option] of `${words} --serial --replay --help`.matchAll(/--[a-z-]+/g))
      expect(HELP).toContain(`${option} `);
  });

  it("takes a name of up to 32 characters", () => {
    expect(parse("--name", "x".repeat(32))?.name).toHaveLength(32);
  });

  it("recognises a request for help", () => {
    expect(parse("--help")).toBeUndefined();
    expect(parse("-h", "--port", "0")).toBeUndefined();
  });

  it("takes the token from the command line, else from the environment", () => {
    expect(parseCommandLine([], { BMS_TOKEN: "env" })?.token).toBe("env");
    expect(parseCommandLine([], { BMS_TOKEN: "" })?.token).toBeUndefined();
    expect(parseCommandLine(["--token", "arg"], { BMS_TOKEN: "env" })?.token).toBe("arg");
  });

  it("takes the password from the command line or the environment, and never prints a rejected one", () => {
    expect(parseCommandLine([], { BMS_PASSWORD: "environment" })?.password).toBe("environment");
    expect(parseCommandLine([], { BMS_PASSWORD: "" })?.password).toBeUndefined();
    expect(parseCommandLine(["--password", "arguments"], { BMS_PASSWORD: "environment" })?.password).toBe("arguments");
    expect(() => parse("--password", "seven77")).toThrow(UsageError);
    expect(() => parse("--password", "seven77")).not.toThrow("seven77");
  });

  it.each([
    ["--wrong"],
    ["stray"],
    ["--port"],
    ["--port 0"],
    ["--port 65536"],
    ["--port 80x"],
    ["--port 1.5"],
    ["--snmp-port 0"],
    ["--snmp-port 65536"],
    ["--snmp-community "],
    ["--modbus"],
    ["--modbus 0"],
    ["--modbus 65536"],
    [`--snmp-community ${"x".repeat(33)}`],
    ["--name="],
    [`--name ${"x".repeat(33)}`],
    ["--name=a\nb"],
    ["--mac 02:00:5E:10:00"],
    ["--mac 02:00:5E:10:00:0G"],
    ["--mac 01:00:5E:10:00:02"],
    ["--history 0"],
    ["--history 731"],
    ["--history 1.5"],
    ["--history a-year"],
    ["--history"],
    ["--cells 0"],
    ["--cells 33"],
    ["--address -1"],
    ["--address 16"],
    ["--baud 19200"],
    ["--read-mode maybe"],
    ["--network none"],
    ["--engine v8"],
    ["--busy -1"],
    ["--busy=-1"],
    ["--busy 10001"],
    ["--time-factor 0"],
    ["--trouble gremlins"],
    ["--trouble panic:at=0"],
    ["--trouble panic:at=1000001"],
    ["--trouble panic:times=0"],
    ["--trouble panic:for=5"],
    ["--trouble button:for=0"],
    ["--trouble button:for=3601"],
    ["--trouble no-lease:for=0"],
    ["--trouble no-lease:at=1000001"],
    ["--trouble no-lease:nth=1"],
    ["--trouble storage-fails:nth=0"],
    ["--trouble no-pins:pin=40"],
    ["--seed 4294967296"],
    ["--packs 0"],
    ["--packs 16"],
    ["--twin 0"],
    ["--twin 2"],
    ["--packs 3 --twin 0"],
    ["--packs 3 --twin 4"],
    ["--serial /dev/x --twin 1"],
    ["--master-fault rare"],
    ["--serial /dev/x --pty"],
    ["--serial /dev/x --packs 2"],
    ["--serial /dev/x --master"],
    ["--serial /dev/x --beside yambms"],
    ["--replay y --beside yambms"],
    ["--serial /dev/x --replay y"],
    ["--replay y --model m"],
    ["--replay y --master"],
    ["--serial /dev/x --model m"],
    ["--serial /dev/x --time-factor 2"],
  ])("refuses %s", (words) => {
    expect(() => parse(...words.split(" "))).toThrow(UsageError);
  });

  it("never prints a rejected token", () => {
    const refused = "se cret";
    expect(() => parse("--token", refused)).toThrow(UsageError);
    expect(() => parse("--token", refused)).not.toThrow(refused);
    expect(() => parse("--token", "x".repeat(129))).toThrow(UsageError);
    expect(parse("--token", "x".repeat(128))?.token).toHaveLength(128);
  });
});
