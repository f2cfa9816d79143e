import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../../src/api/api";
import { answer, onListening, type Served } from "../../src/front";
import { FakeExchange, type FakeRequest } from "../support/http/fake-exchange";
import { metricsParts } from "../support/fakes/metrics-parts";
import { HOST, WebBench } from "../support/web/web-bench";

const PHONE = "192.168.4.2";
const PORTAL = "192.168.4.1";

let bench: WebBench;
let authorization: string;
let network: { online: boolean; accessPoint: string; accessPointIp: string; onPortal: (address: string) => boolean };
let parts: { failed: () => void; works: () => void; problems: readonly string[] };
let device: Served;
beforeEach(() => {
  bench = new WebBench();
  authorization = `Bearer ${bench.settings.api.token}`;
  network = {
    online: true,
    accessPoint: "jk-bms",
    accessPointIp: PORTAL,
    onPortal: vi.fn((address: string) => address === PHONE),
  };
  parts = { failed: vi.fn(), works: vi.fn(), problems: [] };
  const { web } = bench;
  const api = new Api(bench.options);
  device = { ...metricsParts(), network, parts, server: { port: 80 }, api, web } as unknown as Served;
});

function ask(request: FakeRequest): FakeExchange {
  const exchange = new FakeExchange({ remoteAddress: PHONE, sources: request.path === "/metrics", ...request });
  answer(exchange, device);
  return exchange;
}

describe("a request", () => {
  it.each([
    ["/api", 200, "application/json"],
    ["/api/nothing", 404, "application/json"],
    ["/generate_204", 302, undefined],
    ["/metrics", 200, "text/plain; version=0.0.4; charset=utf-8"],
    ["/web/session", 200, "application/json"],
    // The page is not built into the bench.
    ["/", 503, "text/plain; charset=utf-8"],
    ["/nothing", 404, "application/json"],
  ])("for %s is answered once, by the one whose path it is", (path, status, type) => {
    const exchange = new FakeExchange({
      ...{ path, remoteAddress: PHONE, sources: path === "/metrics" },
      headers: { authorization, host: HOST },
    });
    const respond = vi.spyOn(exchange, "respond");
    answer(exchange, device);
    expect(respond).toHaveBeenCalledOnce();
    expect([exchange.status, exchange.type]).toEqual([status, type]);
  });

  it.each(["/api", "/api/nothing", "/generate_204", "/metrics", "/", "/nothing"])(
    "for %s keeps the access point open for its client",
    (path) => {
      const { memo } = ask({ path, headers: { authorization } });
      const again = new FakeExchange({ path, remoteAddress: PHONE, headers: { authorization }, sources: true });
      again.memo = memo;
      vi.mocked(network.onPortal).mockClear();
      answer(again, device);
      expect(network.onPortal).toHaveBeenCalledWith(PHONE);
    },
  );
});

describe("an attempt to listen", () => {
  it("that fails is the listener's problem, once somebody could reach it", () => {
    const error = new Error("port in use");
    onListening(device, error);
    expect(parts.failed).toHaveBeenLastCalledWith("listener", error);
    network.online = false;
    onListening(device, error);
    expect(parts.failed).toHaveBeenCalledTimes(2);
    network.accessPoint = "";
    onListening(device, error);
    expect(parts.failed).toHaveBeenCalledTimes(2);
    expect(parts.works).not.toHaveBeenCalled();
  });

  it("that succeeds ends it", () => {
    onListening(device, undefined);
    expect(parts.works).toHaveBeenCalledExactlyOnceWith("listener");
    expect(parts.failed).not.toHaveBeenCalled();
  });
});
