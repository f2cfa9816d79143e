import type { Render } from "http-server/types";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../../src/api/api";
import { MAX_BODY_BYTES } from "../../src/endpoints/limits";
import { FakeExchange, type FakeRequest } from "../support/http/fake-exchange";
import { poweredBoard } from "../support/system/simulated-board";
import { fakeParts, TOKEN, type FakeParts } from "../support/fakes/fake-parts";

/** RESPONSE_BUFFER_BYTES of the HTTP server: no document may be longer. */
const RESPONSE_BUFFER_BYTES = 4096;

let parts: FakeParts;
let api: Api;

beforeEach(() => {
  poweredBoard();
  parts = fakeParts();
  api = new Api(parts);
});

function ask(request: FakeRequest): FakeExchange {
  const exchange = new FakeExchange({
    ...request,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...request.headers },
  });
  api.answer(exchange);
  return exchange;
}

const post = (path: string, members: unknown): FakeExchange =>
  ask({ method: "POST", path, body: JSON.stringify(members) });

describe("paths outside /api", () => {
  it.each(["/", "/apis", "/ap", "/API", "/index.html", ""])("%j are left to others, OPTIONS included", (path) => {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const exchange = new FakeExchange({ method, path, headers: { authorization: `Bearer ${TOKEN}` } });
      expect(api.answer(exchange)).toBe(false);
      expect(exchange.open).toBe(true);
    }
  });

  it.each(["/api", "/api/", "/api/x"])("do not include %j", (path) => {
    const exchange = new FakeExchange({ path, headers: { authorization: `Bearer ${TOKEN}` } });
    expect(api.answer(exchange)).toBe(true);
    expect(exchange.open).toBe(false);
  });
});

describe("GET /api", () => {
  it("is the union of both interfaces", () => {
    const { status, type, json } = ask({ path: "/api" });
    expect([status, type]).toEqual([200, "application/json"]);
    expect(json).toEqual({
      success: true,
      protocolVersion: 1,
      uptime: 4711,
      data: {
        device: {
          id: "a0b1c2d3e4f5",
          name: "Garage",
          hostname: "garage",
          software: "jk-bms-monitor",
          version: "0.1.0",
        },
        network: {
          mode: "STA",
          ip: "192.168.1.20",
          networkType: "Ethernet",
          macAddress: "A0:B1:C2:D3:E4:F5",
          localIP: "192.168.1.20",
          gatewayIP: "192.168.1.1",
          subnetMask: "255.255.255.0",
          dnsIP1: "192.168.1.1",
          dnsIP2: "",
          cable: true,
        },
        bms: expect.objectContaining({ online: true, soc: 55 }) as object,
        system: {
          uptime: 4711,
          hostname: "garage",
          softwareName: "jk-bms-monitor",
          softwareVersion: "0.1.0",
          softwareBuild: "8deb312",
          boardVersion: "simulator",
        },
        monitoring: {
          tempName0: "Room",
          temp0: 21.5,
          voltageDCName0: "Solar",
          voltageDC0: 12.345,
          voltageDCName1: "Load",
          voltageDC1: 24,
          voltageDCName2: "Aux",
          voltageDC2: 0,
          sensorInputName0: "Door",
          sensorInputValue0: 1,
          sensorInputName1: "Mains",
          sensorInputValue1: 0,
          relay0Name: "Charger",
          relay0Value: 0,
        },
        connectivity: { snmp: false, api: true, community: "public" },
      },
    });
  });

  it("publishes unmeasured values as 0 and keeps negative ones", () => {
    const monitoring = (): unknown => (ask({ path: "/api" }).json as { data: { monitoring: unknown } }).data.monitoring;
    parts.sensors.temperature = undefined;
    parts.sensors.voltages = [undefined, -5, 0];
    expect(monitoring()).toMatchObject({ temp0: 0, voltageDC0: 0, voltageDC1: -0.005, voltageDC2: 0 });
    parts.sensors.temperature = -105;
    expect(monitoring()).toMatchObject({ temp0: -10.5 });
  });

  it("has empty texts before the network is up", () => {
    Object.assign(parts.network, { mac: "", ip: "", gateway: "", subnetMask: "", dns1: "", cable: false });
    expect(ask({ path: "/api" }).json).toMatchObject({
      data: { device: { id: "" }, network: { ip: "", localIP: "", macAddress: "", cable: false } },
    });
  });

  it("fits the server's buffer with the longest possible settings", () => {
    const name = "\u{1f50b}".repeat(32);
    const channel = { name, ratio: 1, offset: 0 };
    parts.settings.update("device", { name, hostname: "h".repeat(63) });
    parts.settings.update("relay", { name });
    parts.settings.update("snmp", { community: '"'.repeat(32) });
    const { temperature, inputs } = parts.settings.monitoring;
    parts.settings.update("monitoring", {
      temperature: { ...temperature, name },
      voltages: [channel, channel, channel],
      inputs: [
        { ...inputs[0], name },
        { ...inputs[1], name },
      ],
    });
    expect(ask({ path: "/api" }).body?.length).toBeLessThan(RESPONSE_BUFFER_BYTES);
  });
});

describe("responses", () => {
  it("are rendered when the server has room, from the state at that moment", () => {
    let render: Render | undefined;
    const exchange = new FakeExchange({ path: "/api", headers: { authorization: `Bearer ${TOKEN}` } });
    exchange.respond = (_status, _type, body) => (render = body as Render);
    api.answer(exchange);
    parts.relay.switch(true);
    const into = new Uint8Array(RESPONSE_BUFFER_BYTES);
    const text = new TextDecoder().decode(into.subarray(0, render?.(into)));
    expect(JSON.parse(text)).toMatchObject({ data: { monitoring: { relay0Value: 1 } } });
  });

  it("to a refused write say whether another was pending at the time, however late they are sent", () => {
    parts.monitor.command(parts.monitor.pack, "balance", true);
    let render: Render | undefined;
    const exchange = new FakeExchange({
      method: "POST",
      path: "/api/bms/commands",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: '{"command":"balance","state":true}',
    });
    exchange.respond = (_status, _type, body) => (render = body as Render);
    api.answer(exchange);
    parts.monitor.settle();
    const into = new Uint8Array(RESPONSE_BUFFER_BYTES);
    const text = new TextDecoder().decode(into.subarray(0, render?.(into)));
    expect(JSON.parse(text)).toMatchObject({ data: { pending: true } });
  });

  it("carry the CORS headers and Cache-Control: no-store", () => {
    for (const request of [
      { path: "/api" },
      { path: "/api/nothing" },
      { method: "PUT", path: "/api" },
      { method: "OPTIONS", path: "/api" },
      { path: "/api", headers: { authorization: "Bearer no" } },
    ]) {
      const exchange = ask(request);
      expect(exchange.responseHeader("access-control-allow-origin")).toBe("*");
      expect(exchange.responseHeader("cache-control")).toBe("no-store");
    }
  });
});

describe("request bodies", () => {
  it("are read with the documented limit, and only where a body is expected", () => {
    expect(post("/api/bms/commands", {}).limit).toBe(MAX_BODY_BYTES);
    expect(MAX_BODY_BYTES).toBe(256);
    for (const request of [
      { method: "POST", path: "/api/bms/commands", headers: { "content-type": "text/plain" } },
      { method: "POST", path: "/api/bms/commands", headers: { authorization: "" } },
      { method: "POST", path: "/api", body: "{}" },
      { method: "GET", path: "/api/bms/commands", body: "{}" },
    ])
      expect(ask(request).limit).toBeUndefined();
  });
});

describe("writes", () => {
  it("pass the parameter's row and the unchanged value to the queue", () => {
    const command = vi.spyOn(parts.monitor, "command");
    const parameter = vi.spyOn(parts.monitor, "parameter");
    post("/api/bms/commands", { command: " Charge_MOS ", state: "OFF" });
    expect(command).toHaveBeenCalledExactlyOnceWith(parts.monitor.pack, "charge_mos", false, "API", undefined, false);
    post("/api/bms/settings", { setting: "CELLOVP", value: " 3.65" });
    expect(parameter).toHaveBeenLastCalledWith(
      parts.monitor.pack,
      expect.objectContaining({ name: "cell_ovp_voltage" }),
      " 3.65",
      "API",
    );
    post("/api/bms/settings", { setting: "balanceenabled", value: true });
    expect(parameter).toHaveBeenLastCalledWith(
      parts.monitor.pack,
      expect.objectContaining({ name: "balance_enabled" }),
      true,
      "API",
    );
  });

  it("with an invalid request never reach the queue", () => {
    const command = vi.spyOn(parts.monitor, "command");
    const parameter = vi.spyOn(parts.monitor, "parameter");
    const relay = vi.spyOn(parts.relay, "switch");
    for (const path of ["/api/bms/commands", "/api/bms/settings", "/api/relay"]) {
      const body = '{"command":"balance","setting":"cell_count","cmd":"on","state":"on","value":16}';
      for (const request of [
        { method: "POST", path, body, headers: { authorization: "Bearer no" } },
        { method: "POST", path, body, headers: { "content-type": "text/plain" } },
        { method: "PUT", path, body },
        { method: "POST", path, body: body.padEnd(257) },
        { method: "POST", path, body: body.slice(0, -1) },
      ])
        expect(ask(request).status).toBeGreaterThanOrEqual(400);
    }
    for (const spy of [command, parameter, relay]) expect(spy).not.toHaveBeenCalled();
  });
});
