import { beforeEach, describe, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { answerMetrics } from "../../src/metrics/metrics";
import { FakeExchange } from "../support/http/fake-exchange";
import { WebBench } from "../support/web/web-bench";
import { metricsParts } from "../support/fakes/metrics-parts";

let bench: WebBench;
let api: Api;
let cookie: string;
beforeEach(() => {
  bench = new WebBench();
  api = new Api(bench.options);
  cookie = bench.signIn();
});

interface Made {
  readonly number: number;
  readonly token: string;
}
const make = (name: string, write: boolean): Made =>
  (bench.post("/web/tokens", { name, write }, cookie).json as { data: Made }).data;
const list = (): unknown => (bench.get("/web/tokens", cookie).json as { data: unknown }).data;
const revoke = (number: number): number | undefined =>
  bench.ask({ method: "DELETE", path: "/web/tokens", query: `number=${number}`, cookie }).status;

function ask(token: string, method = "GET", path = "/api", memo?: unknown): FakeExchange {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" } as const;
  const exchange = new FakeExchange({ method, path, headers, body: '{"command":"balance","state":true}' });
  exchange.memo = memo;
  api.answer(exchange);
  return exchange;
}

describe("a named token", () => {
  it("with read access can read but not write", () => {
    const { token } = make("Grafana", false);
    for (const path of ["/api", "/api/bms/status", "/api/bms/config", "/api/bms/commands"])
      expect([ask(token, "GET", path).status, ask(token, "HEAD", path).status]).toEqual([200, 200]);
    const before = bench.monitor.writes.pending;
    for (const path of ["/api/bms/commands", "/api/bms/settings", "/api/relay"]) {
      const refused = ask(token, "POST", path);
      expect([refused.status, refused.json]).toEqual([403, { success: false, error: "This token may only read." }]);
    }
    expect(bench.monitor.writes.pending).toBe(before);
  });

  it("with read access does not see the SNMP community, whatever was sent or remembered before", () => {
    const secret = "a community of some length";
    bench.settings.update("snmp", { community: secret });
    const reader = make("Grafana", false).token;
    const writer = make("Home Assistant", true).token;
    const seen = (token: string, memo?: unknown): [unknown, FakeExchange] => {
      const exchange = ask(token, "GET", "/api", memo);
      const { data } = exchange.json as { data: { connectivity: { community: unknown } } };
      return [data.connectivity.community, exchange];
    };
    // Nothing changes in between, so that a rendered document could be sent again.
    const [first, written] = seen(writer);
    const [second, read] = seen(reader);
    expect([first, second, seen(writer)[0], seen(reader)[0]]).toEqual([secret, "", secret, ""]);
    expect([seen(bench.settings.api.token)[0], seen(reader)[0]]).toEqual([secret, ""]);
    expect([seen(reader, read.memo)[0], seen(writer, written.memo)[0], seen(reader, read.memo)[0]]).toEqual([
      "",
      secret,
      "",
    ]);
  });

  it("with write access can do both, /metrics included", () => {
    const { token } = make("Home Assistant", true);
    expect([ask(token).status, ask(token, "POST", "/api/bms/commands").status]).toEqual([200, 202]);
    const headers = { authorization: `Bearer ${token}` };
    const scrape = new FakeExchange({ path: "/metrics", headers, sources: true });
    answerMetrics(scrape, metricsParts(), api);
    expect(scrape.status).toBe(200);
  });

  it("is shown once and never stored", () => {
    const { token, number } = make("Grafana", false);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(list()).toEqual([{ number, name: "Grafana", write: false }]);
    const stored = JSON.stringify(bench.settings.access);
    expect(stored).not.toContain(token);
    expect(bench.settings.access.tokens[0].hash).toMatch(/^[0-9a-f]{64}$/);
    for (const path of ["/web/group/access", "/web/group/api"])
      expect(JSON.stringify(bench.ask({ path, query: "secrets=1", cookie }).json)).not.toContain(token);
  });

  it("is accepted only as it is: not its hash, not a variant", () => {
    const { token } = make("Grafana", true);
    const { hash } = bench.settings.access.tokens[0];
    for (const wrong of ["", hash, token.toUpperCase(), `${token}0`, token.slice(1), "0".repeat(32), "é".repeat(32)]) {
      const exchange = ask(wrong);
      bench.wait(exchange);
      expect(exchange.status).toBe(401);
    }
    expect(ask(token).status).toBe(200);
  });

  it("is rejected as soon as it is revoked, even on an admitted connection", () => {
    const { token, number } = make("Grafana", false);
    const other = make("Other", false);
    const { memo } = ask(token);
    expect(memo).toBeDefined();
    expect([revoke(number), revoke(number)]).toEqual([204, 404]);
    expect(ask(token, "GET", "/api", memo).status).toBe(401);
    expect(ask(other.token).status).toBe(200);
    expect(list()).toEqual([{ number: other.number, name: "Other", write: false }]);
  });

  it("and the documented token are independent of each other", () => {
    const { token } = make("Grafana", true);
    const one = bench.settings.api.token;
    expect(ask(one, "POST", "/api/bms/commands").status).toBe(202);
    expect(bench.post("/web/token", undefined, cookie).status).toBe(200);
    expect([ask(one).status, ask(bench.settings.api.token).status, ask(token).status]).toEqual([401, 200, 200]);
  });

  it("needs a name, and there are four at most", () => {
    for (const wrong of [{}, { name: "a" }, { write: true }, { name: 1, write: true }, { name: "a", write: 1 }])
      expect(bench.post("/web/tokens", wrong, cookie).status).toBe(400);
    for (const name of ["", " ", "a\nb", "x".repeat(33)])
      expect(bench.post("/web/tokens", { name, write: true }, cookie).status).toBe(400);
    expect(list()).toEqual([]);
    const { length } = bench.settings.access.tokens;
    const made = Array.from({ length }, (_, number) => make(`T${number}`, false));
    const more = bench.post("/web/tokens", { name: "more", write: false }, cookie);
    expect([more.status, more.json]).toEqual([409, { success: false, error: "tokens-full" }]);
    expect(revoke(made[1]!.number)).toBe(204);
    expect(make("more", false).number).toBe(1);
  });

  it("is not created when it cannot be stored", () => {
    bench.storage.writesLeft = 0;
    expect(bench.post("/web/tokens", { name: "a", write: true }, cookie).status).not.toBe(200);
    expect(list()).toEqual([]);
  });
});
