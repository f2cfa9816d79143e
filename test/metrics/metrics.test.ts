import { MAX_CELLS } from "jk-bms/cells";
import * as FIELDS from "jk-bms/field-table";
import { beforeEach, describe, expect, it } from "vitest";
import { Api } from "../../src/api/api";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { OUTPUT_TABLE, TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import { firmwareMemory } from "../../src/firmware-memory";
import {
  MAX_CRASH_BYTES,
  MAX_VALUE_BYTES,
  MAX_FAMILY_HEAD_BYTES,
  MAX_LABEL_BYTES,
  MAX_LINE_BYTES,
  MAX_SAMPLE_BYTES,
} from "../../src/metrics/limits";
import { answerMetrics } from "../../src/metrics/metrics";
import { MetricsReader } from "../../src/metrics/metrics-reader";
import { DESCRIPTIONS, GROUPS } from "../../src/metrics/table";
import { headOf, labelOf } from "../../src/metrics/text";
import { parseExposition, sampleOf } from "../support/peers/exposition";
import { FakeExchange } from "../support/http/fake-exchange";
import { fakeParts, TOKEN } from "../support/fakes/fake-parts";
import { metricsParts } from "../support/fakes/metrics-parts";
import { poweredBoard } from "../support/system/simulated-board";

let parts: ReturnType<typeof metricsParts>;
beforeEach(() => {
  poweredBoard();
  parts = metricsParts();
});

function text(piece = 4096): string {
  const reader = new MetricsReader(parts.monitor.pack, parts);
  const into = new Uint8Array(piece);
  let all = "";
  for (let length = reader.read(into); length; length = reader.read(into)) {
    expect(length).toBeLessThanOrEqual(piece);
    all += Buffer.from(into.subarray(0, length)).toString("latin1");
  }
  return all;
}
const read = () => parseExposition(text());
const value = (name: string, labels?: Record<string, string>) => sampleOf(read(), name, labels);

describe("the table", () => {
  it("has unique names of which only counters end in _total", () => {
    const names = DESCRIPTIONS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const rows = [...TELEMETRY_TABLE, ...OUTPUT_TABLE].filter(({ metric }) => metric);
    for (const { metric, quantity } of rows)
      expect(metric.endsWith("_total"), metric).toBe(quantity.stateClass === "total_increasing");
  });

  it("has no header longer than MAX_FAMILY_HEAD_BYTES", () => {
    for (const { name, help } of DESCRIPTIONS) {
      const head = headOf(name, `${name} ${help}`);
      expect(head.length, head).toBeLessThanOrEqual(MAX_FAMILY_HEAD_BYTES);
    }
  });

  it("has label values that need no escape and are unique", () => {
    let named = 0;
    for (const { label, names = [] } of DESCRIPTIONS) {
      expect(names.length > 1).toBe(label !== undefined);
      named += names.length;
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_ -]+$/);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(named).toBeGreaterThan(50);
  });

  it("has values for every family, and none for more samples than there are", () => {
    for (const { descriptions, values } of GROUPS) {
      const found = values(parts.monitor.pack, parts);
      expect(found).toHaveLength(descriptions.length);
      descriptions.forEach(({ name, names }, at) => {
        const one = found[at];
        if (typeof one === "object") expect(one.length, name).toBeLessThanOrEqual(names?.length ?? 0);
        else if (names) expect((one ?? 0) / 2 ** names.length, name).toBeLessThan(1);
      });
    }
  });

  it("is ASCII", () => {
    for (const { name, help } of DESCRIPTIONS) expect(name + help).toMatch(/^[ -~]*$/);
  });

  it("has no labelled sample over MAX_LINE_BYTES, and no value over MAX_VALUE_BYTES", () => {
    expect(`-${Number.MAX_SAFE_INTEGER}.\n`).toHaveLength(MAX_VALUE_BYTES);
    for (const { name, label, names = [] } of DESCRIPTIONS)
      for (const text of names)
        expect(`${name}{${label}="${text}"} `.length + MAX_VALUE_BYTES).toBeLessThanOrEqual(MAX_LINE_BYTES);
  });

  it("has every telemetry row with a metric", () => {
    const rows = [...TELEMETRY_TABLE, ...OUTPUT_TABLE].filter(({ metric }) => metric);
    expect(GROUPS[0]!.descriptions.map(({ name, help }) => [name, help])).toEqual(
      rows.map(({ metric, title }) => [`bms_${metric}`, title]),
    );
  });
});

describe("the text", () => {
  it.each([1, 2, 3, 17, 100, 248, 292, 400, MAX_SAMPLE_BYTES - 1, MAX_SAMPLE_BYTES, MAX_SAMPLE_BYTES + 1, 1000])(
    "is the same in pieces of %i bytes",
    (piece) => {
      expect(text(piece)).toBe(text(1_000_000));
    },
  );

  it.each([3, 300, 1000])(
    "is whole if the BMS goes offline between two pieces of %i bytes, wherever that is",
    (piece) => {
      const into = new Uint8Array(piece);
      const whole = text();
      for (let offlineAt = 0; offlineAt < whole.length; offlineAt += Math.max(piece, 97)) {
        parts.monitor.pack.online = true;
        const reader = new MetricsReader(parts.monitor.pack, parts);
        let all = "";
        for (let length = reader.read(into); length; length = reader.read(into)) {
          all += Buffer.from(into.subarray(0, length)).toString("latin1");
          if (all.length >= offlineAt) parts.monitor.pack.online = false;
        }
        expect(all).toMatch(/bms_monitor_http_unavailable_total\{cause="evicted"\} 0\n$/);
        expect(() => parseExposition(all)).not.toThrow();
      }
    },
  );

  it("has the first known cell's sample after its head, whichever cell that is", () => {
    for (let first = 0; first < MAX_CELLS; first++) {
      parts.monitor.pack.telemetry.setCells(
        Array.from({ length: MAX_CELLS }, (_, cell) => (cell < first ? undefined : 3300 + cell)),
        Array.from({ length: MAX_CELLS }, () => 50),
      );
      const cells = read().get("bms_cell_voltage_volts")!.samples;
      expect(cells.map(({ labels }) => Number(labels["cell"]))).toEqual(
        Array.from({ length: MAX_CELLS - first }, (_, cell) => first + cell + 1),
      );
      for (const piece of [300, MAX_SAMPLE_BYTES, 700]) expect(text(piece)).toBe(text());
    }
  });

  it("has a sample of every metric when everything is known", () => {
    // Probes 3 to 5 as well, which most packs do not have.
    parts.monitor.pack.telemetry.set(FIELDS.temperatureSensors, 0x3f);
    // And a charge stage, which older firmware does not tell.
    parts.monitor.pack.deviceInfo.set(FIELDS.softwareVersion, "15.41");
    expect([...read().keys()]).toEqual(DESCRIPTIONS.map(({ name }) => name));
  });

  it("has measured values in base units", () => {
    expect(value("bms_online")).toBe(1);
    expect(value("bms_state_of_charge_ratio")).toBe(0.55);
    expect(value("bms_voltage_volts")).toBe(52.7);
    expect(value("bms_power_watts")).toBe(-1500);
    expect(value("bms_remaining_capacity_coulombs")).toBe(155.219 * 3600);
    expect(value("bms_capacity_coulombs")).toBe(280 * 3600);
    expect(value("bms_battery1_temperature_celsius")).toBe(-1.5);
    expect(value("bms_link_reply_seconds")).toBe(0.013);
    expect(value("bms_link_read_mode", { mode: "registers" })).toBe(1);
    expect(value("bms_link_read_mode", { mode: "frames" })).toBe(0);
    expect(value("bms_polls_lost_total")).toBe(3);
    expect(value("bms_energy_charged_joules_total")).toBe(3600);
    expect(value("bms_monitor_input_volts", { channel: "1" })).toBe(12.345);
    expect(value("bms_monitor_relay_mode", { mode: "manual" })).toBe(1);
    expect(value("bms_monitor_free_memory_bytes")).toBe(90_000);
    expect(value("bms_info", { model: 'JK"\\' })).toBe(1);
  });

  it("numbers cells from 1, and omits absent ones", () => {
    const cells = read().get("bms_cell_voltage_volts")!.samples;
    expect(cells.map(({ labels, value }) => [labels["cell"], value])).toEqual([
      ["1", 3.3],
      ["2", 3.301],
      ["4", 3.299],
    ]);
    expect(value("bms_cell_wire_resistance_ohms", { cell: "4" })).toBe(0.053);
  });

  it("has values that are as long as the zeros of the text, and longer ones between them", () => {
    const volts = [0, 9, 9_999, 10_000, 65_535, 3_300];
    parts.monitor.pack.telemetry.setCells(volts, [1, 10_000, 2, 0, 5, 0]);
    const shown = (name: string) =>
      read()
        .get(name)!
        .samples.map((sample) => sample.value);
    expect(shown("bms_cell_voltage_volts")).toEqual([0, 0.009, 9.999, 10, 65.535, 3.3]);
    expect(shown("bms_cell_wire_resistance_ohms")).toEqual([0.001, 10, 0.002, 0, 0.005, 0]);
    Object.assign(parts.http(), { successful: 9, redirected: 10, clientErrors: 0, serverErrors: 11 });
    expect(shown("bms_monitor_http_responses_total")).toEqual([9, 10, 0, 11]);
    for (const piece of [1, 300, 700]) expect(text(piece)).toBe(text());
  });

  it("has every alarm by name", () => {
    const alarms = read().get("bms_alarm")!.samples;
    expect(alarms.map(({ labels }) => labels["alarm"])).toEqual(ALARMS_TABLE.map(({ name }) => name));
    expect(alarms.filter((alarm) => alarm.value).map(({ labels }) => labels["alarm"])).toEqual(["cell_undervoltage"]);
  });

  it("counts writes by outcome, and refused ones by reason", () => {
    parts.monitor.writeCounters.ended("confirmed");
    parts.monitor.writeCounters.ended("no-reply");
    parts.monitor.writeCounters.ended("no-reply");
    parts.monitor.writeCounters.refused("pending");
    expect(value("bms_writes_total", { outcome: "confirmed" })).toBe(1);
    expect(value("bms_writes_total", { outcome: "no-reply" })).toBe(2);
    expect(value("bms_writes_total", { outcome: "refused" })).toBe(0);
    expect(value("bms_writes_rejected_total", { reason: "pending" })).toBe(1);
  });

  it("counts responses by class", () => {
    for (const status of [200, 202, 304, 401, 404, 409, 500]) parts.http().response(status);
    const classes = read().get("bms_monitor_http_responses_total")!.samples;
    expect(classes.map(({ labels, value }) => [labels["class"], value])).toEqual([
      ["2xx", 2],
      ["3xx", 1],
      ["4xx", 3],
      ["5xx", 1],
    ]);
  });
});

describe("unknown values are omitted", () => {
  it("all BMS values while it is offline", () => {
    parts.monitor.pack.online = false;
    const families = read();
    expect(sampleOf(families, "bms_online")).toBe(0);
    expect(sampleOf(families, "bms_telemetry_age_seconds")).toBe(1);
    for (const { name } of GROUPS[0]!.descriptions)
      if (name !== "bms_online") expect(families.has(name), name).toBe(false);
    for (const name of ["info", "cell_voltage_volts", "cell_wire_resistance_ohms", "alarm", "balancing"])
      expect(families.has(`bms_${name}`), name).toBe(false);
    expect(families.has("bms_charge_mosfet_on")).toBe(false);
    expect(families.has("bms_polls_total")).toBe(true);
  });

  it("absent probes, unread blocks, cells of a pack without cells", () => {
    expect(value("bms_battery2_temperature_celsius")).toBe(77.7);
    parts.monitor.pack.telemetry.set(FIELDS.temperatureSensors, 0b001);
    expect(value("bms_mosfet_temperature_celsius")).toBe(20.3);
    expect(read().has("bms_battery1_temperature_celsius")).toBe(false);
    expect(value("bms_power_ons_total")).toBe(7);
    parts.monitor.pack.deviceInfo.valid = false;
    expect(read().has("bms_power_ons_total")).toBe(false);
    expect(read().has("bms_info")).toBe(false);
    parts.monitor.pack.telemetry.setCells([]);
    expect(read().has("bms_cell_voltage_min_volts")).toBe(false);
    expect(read().has("bms_cell_min")).toBe(false);
    expect(value("bms_cells")).toBe(0);
  });

  it("the link while there is none, its reply time before the first reply, the age before the first telemetry", () => {
    const { bus } = parts.monitor;
    Object.assign(bus!.statistics, { replies: 0, exceptions: 0 });
    parts.monitor.pack.telemetryAge = undefined;
    expect(read().has("bms_link_requests_total")).toBe(true);
    expect(read().has("bms_link_reply_seconds")).toBe(false);
    expect(read().has("bms_telemetry_age_seconds")).toBe(false);
    parts.monitor.bus = undefined;
    parts.monitor.pack.readMode = undefined;
    expect([...read().keys()].filter((name) => name.startsWith("bms_link_"))).toEqual([]);
  });

  it("the history without its flash", () => {
    expect([...read().keys()].filter((name) => name.startsWith("bms_history_"))).toHaveLength(2);
    Object.assign(parts, { records: undefined });
    expect([...read().keys()].filter((name) => name.startsWith("bms_history_"))).toEqual([]);
  });

  it("unfitted relay and inputs, broken sensors, memory the build does not report", () => {
    expect(read().get("bms_monitor_input_volts")!.samples).toHaveLength(2);
    parts.sensors.temperature = undefined;
    Object.assign(parts.memory, { slots: undefined, chunks: undefined, free: undefined, collections: undefined });
    const without = (start: string) => [...read().keys()].filter((name) => name.startsWith(`bms_monitor_${start}`));
    expect(without("temperature")).toEqual([]);
    expect([...without("slot"), ...without("chunk"), ...without("free"), ...without("garbage")]).toEqual([]);
    expect(without("relay")).toHaveLength(2);
    expect(without("input")).toHaveLength(2);
    parts.settings.update("relay", { fitted: false });
    parts.settings.update("monitoring", { fitted: false });
    expect([...without("relay"), ...without("input")]).toEqual([]);
  });
});

describe("an external text", () => {
  const written = (text: string): string => labelOf(text, MAX_LABEL_BYTES);

  it("is escaped; anything but printable ASCII becomes a question mark per byte", () => {
    expect(written('x"\\\n\t\u20acy')).toBe('"x\\"\\\\?????y"');
    expect(written("\u20ac")).toBe('"???"');
    expect(written("a\x7fb")).toBe('"a?b"');
    expect(written("plain")).toBe('"plain"');
  });

  it.each([MAX_LABEL_BYTES - 1, MAX_LABEL_BYTES, MAX_LABEL_BYTES + 1])(
    "of %i bytes is truncated to MAX_LABEL_BYTES",
    (length) => {
      expect(written("x".repeat(length))).toBe(`"${"x".repeat(Math.min(length, MAX_LABEL_BYTES))}"`);
    },
  );

  const longestLine = (): number =>
    Math.max(
      ...text()
        .split("\n")
        .map((line) => line.length + 1),
    );

  it("keeps a line within MAX_LINE_BYTES, however long the texts are", () => {
    parts.monitor.pack.deviceInfo
      .set(FIELDS.model, "\\".repeat(15))
      .set(FIELDS.bluetoothName, '"'.repeat(16))
      .set(FIELDS.hardwareVersion, '"'.repeat(8))
      .set(FIELDS.softwareVersion, '"'.repeat(8));
    Object.assign(parts.build, { version: '"'.repeat(40), build: '"'.repeat(40), boardVersion: '"'.repeat(40) });
    expect(value("bms_info")).toBe(1);
    expect(value("bms_monitor_build_info")).toBe(1);
    Object.assign(parts.start, { reason: "interrupt-watchdog", where: '"'.repeat(MAX_CRASH_BYTES + 1) });
    expect(value("bms_monitor_start_info")).toBe(1);
    expect(longestLine()).toBeGreaterThan(2 * MAX_CRASH_BYTES);
    expect(longestLine()).toBeLessThanOrEqual(MAX_LINE_BYTES);
  });

  it("has the task and program counter of a crash", () => {
    expect(read().get("bms_monitor_start_info")?.samples[0]?.labels).toEqual({
      reason: "panic",
      where: "main, pc 0x400d1a2b",
    });
  });
});

describe("the device's memory", () => {
  it("is reported if the build measures it, otherwise undefined", () => {
    const { slots, chunks, free, collections } = firmwareMemory;
    expect([slots, chunks, free, collections]).toEqual([undefined, undefined, undefined, undefined]);
    const board = poweredBoard({ instrumentation: { "XS Chunk Heap Used": 12_000 } });
    expect([firmwareMemory.slots, firmwareMemory.chunks, firmwareMemory.free]).toEqual([undefined, 12_000, undefined]);
    board.heap = [50_000, 41_000, 0];
    const { leastFree, largestBlock } = firmwareMemory;
    expect([firmwareMemory.free, leastFree, largestBlock]).toEqual([50_000, 41_000, 0]);
  });
});

describe("a request", () => {
  const ask = (
    method: string,
    headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
    enabled = true,
  ) => {
    const shared = fakeParts();
    shared.settings.update("api", { enabled });
    const exchange = new FakeExchange({ method, path: "/metrics", headers, sources: true });
    expect(answerMetrics(exchange, parts, new Api(shared))).toBe(true);
    return exchange;
  };

  it.each(["GET", "HEAD"])("%s with the token is answered", (method) => {
    const exchange = ask(method);
    expect([exchange.status, exchange.type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(exchange.responseHeader("cache-control")).toBe("no-store");
    expect(Buffer.from(exchange.body!).toString()).toBe(text());
  });

  it("with the token once is remembered with its head, until token or tokens change", () => {
    const shared = fakeParts();
    const api = new Api(shared);
    const headers = { authorization: `Bearer ${TOKEN}` };
    let memo: unknown;
    const again = (): number | undefined => {
      const exchange = new FakeExchange({ path: "/metrics", headers, sources: true });
      exchange.memo = memo;
      // The front's order: the API sees each request first.
      expect(api.answer(exchange)).toBe(false);
      expect(answerMetrics(exchange, parts, api)).toBe(true);
      ({ memo } = exchange);
      return exchange.status;
    };
    expect(again()).toBe(200);
    expect(memo).toBeDefined();
    const first = memo;
    expect([again(), memo]).toEqual([200, first]);
    shared.settings.update("api", { token: "another-token-of-the-api-0123456789" });
    expect(again()).toBe(401);
    shared.settings.update("api", { token: TOKEN });
    expect(again()).toBe(200);
    shared.settings.update("api", { enabled: false });
    expect(again()).toBe(403);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS"])("%s is 405 with Allow", (method) => {
    const exchange = ask(method);
    expect(exchange.status).toBe(405);
    expect(exchange.responseHeader("allow")).toBe("GET, HEAD");
  });

  it.each(["GET", "POST"])("%s without the token, or with another, is 401", (method) => {
    for (const authorization of ["", "Bearer wrong", `Basic ${TOKEN}`]) {
      const exchange = ask(method, { authorization });
      expect(exchange.status).toBe(401);
      expect(exchange.responseHeader("www-authenticate")).toBe("Bearer");
    }
  });

  it("is 403 while the API is disabled", () => {
    expect(ask("GET", undefined, false).status).toBe(403);
  });

  it.each(["/metrics/", "/metricsx", "/Metrics", "/"])("for %s is left to others", (path) => {
    const exchange = new FakeExchange({ path, headers: { authorization: `Bearer ${TOKEN}` } });
    expect(answerMetrics(exchange, parts, { admit: () => true })).toBe(false);
    expect(exchange.open).toBe(true);
  });
});
