/** What is served from a cache is never older than the state: each input of each document is changed, and nothing else. */
import * as FIELDS from "jk-bms/field-table";
import { JsonWriter } from "json/writer";
import { beforeEach, describe, expect, it } from "vitest";
import type { Context, Sources } from "../../src/endpoints/context";
import { DocumentCache } from "../../src/endpoints/document-cache";
import { getStatus } from "../../src/endpoints/status";
import { getSummary } from "../../src/endpoints/summary";
import type { TestImage } from "../support/bms/bms-link";
import { CountingWriter } from "../support/fakes/counting-writer";
import { DIALECT } from "../support/fakes/dialect";
import { fakeParts } from "../support/fakes/fake-parts";
import { FakeExchange } from "../support/http/fake-exchange";

const partsOf = () => {
  const parts = fakeParts();
  return {
    ...parts,
    pack: Object.assign(parts.monitor.pack, { fixedRevision: 1 }),
    sensors: Object.assign(parts.sensors, { samples: 1 }),
    start: undefined as never,
  };
};
/** Both dry contacts; `changeImage` changes the lowest bit alone. */
const CONTACTS = 0b110;
type Context_ = Context<keyof Sources>;

let parts: ReturnType<typeof partsOf>;
let uptime: number;
let rendered: number;
let cached: Context_;
let whole: Context_;

beforeEach(() => {
  parts = partsOf();
  uptime = 4711;
  rendered = 0;
  const device = { ...parts, uptime: () => uptime };
  const dialect = { ...DIALECT, community: true };
  cached = {
    device: { ...device, json: new CountingWriter(() => void rendered++) },
    dialect,
    pack: parts.pack,
    status: new DocumentCache(),
    summary: new DocumentCache(),
  };
  whole = { device: { ...device, json: new JsonWriter() }, dialect, pack: parts.pack };
});

type Get = (context: Context_, exchange: FakeExchange) => void;

function bodyOf(get: Get, context: Context_): string {
  const exchange = new FakeExchange({});
  get(context, exchange);
  return new TextDecoder().decode(exchange.body);
}

/** Path and value of each member that is no object. */
function leaves(value: unknown, path = ""): [path: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, `${path}/${name}`));
}

/** All of it, apart from which cells there are. */
function changeImage(image: TestImage): void {
  for (let at = 0; at < image.view.byteLength; at++)
    if (at < 0x40 || at > 0x43) image.view.setUint8(at, image.view.getUint8(at) ^ 1);
}

/** The pack has changed. */
function tell(): void {
  parts.pack.fixedRevision++;
}

/** Each with the number that tells of it, as the parts count them (`BusPack.revision`, `Sensors.samples`, `Settings.revision`). */
const CHANGES: Record<string, () => void> = {
  // Before the firmware's version is changed, which says whether they are told.
  "contacts that have closed": () => {
    parts.pack.telemetry.set(FIELDS.dryContacts, CONTACTS);
    tell();
  },
  "telemetry that has been read": () => {
    changeImage(parts.pack.telemetry);
    tell();
  },
  "telemetry that is unknown": () => {
    parts.pack.telemetry.valid = false;
    tell();
  },
  "telemetry that is known again": () => {
    parts.pack.telemetry.valid = true;
    tell();
  },
  "a setup that has been read": () => {
    changeImage(parts.pack.setup);
    tell();
  },
  "device information that has been read": () => {
    changeImage(parts.pack.deviceInfo);
    tell();
  },
  "a pack that is offline": () => {
    parts.pack.online = false;
    tell();
  },
  "a pack that is online": () => {
    parts.pack.online = true;
    tell();
  },
  "another master": () => {
    parts.pack.listening = true;
    tell();
  },
  "no other master": () => {
    parts.pack.listening = false;
    tell();
  },
  "a revision that wraps": () => {
    changeImage(parts.pack.telemetry);
    parts.pack.fixedRevision = -(2 ** 31);
  },
  "no telemetry": () => void (parts.pack.telemetryAge = undefined),
  "telemetry of this second": () => void (parts.pack.telemetryAge = 0),
  "a second without telemetry": () => void (parts.pack.telemetryAge = 1),
  "a sample of the inputs": () => {
    const { sensors } = parts;
    sensors.temperature = 216;
    sensors.voltages = [12_346, undefined, 1];
    sensors.samples++;
  },
  "an edge of input 1": () => void (parts.sensors.inputs = [0, 0]),
  "an edge of input 2": () => void (parts.sensors.inputs = [0, 1]),
  "edges of both inputs": () => void (parts.sensors.inputs = [1, 0]),
  "the relay on": () => void (parts.relay.value = 1),
  "the relay off": () => void (parts.relay.value = 0),
  "the device's name": () => parts.settings.update("device", { name: "another", hostname: "another" }),
  "the relay's name": () => parts.settings.update("relay", { name: "another" }),
  "no relay": () => parts.settings.update("relay", { fitted: false }),
  "a relay": () => parts.settings.update("relay", { fitted: true }),
  "no inputs": () => parts.settings.update("monitoring", { fitted: false }),
  "the inputs' names": () => {
    const { temperature, voltages, inputs } = parts.settings.monitoring;
    const named = <Of>(of: Of): Of => ({ ...of, name: "another" });
    parts.settings.update("monitoring", {
      fitted: true,
      temperature: named(temperature),
      voltages: [named(voltages[0]), named(voltages[1]), named(voltages[2])],
      inputs: [named(inputs[0]), named(inputs[1])],
    });
  },
  "SNMP, and its password": () => parts.settings.update("snmp", { enabled: true, community: "another" }),
  "the API's switch": () => parts.settings.update("api", { enabled: false }),
  "a second, and the network with it": () => {
    uptime++;
    Object.assign(parts.network, {
      mode: "AP",
      ip: "192.0.2.1",
      type: "Wi-Fi",
      gateway: "192.0.2.2",
      subnetMask: "255.0.0.0",
      dns1: "192.0.2.3",
      dns2: "192.0.2.4",
      cable: false,
    });
  },
};

/** Build and board, which no running device changes; and the numbers of the cells. */
const CONSTANT = [
  "/success",
  "/protocolVersion",
  "/data/device/id",
  "/data/device/software",
  "/data/device/version",
  "/data/network/macAddress",
  "/data/system/softwareName",
  "/data/system/softwareVersion",
  "/data/system/softwareBuild",
  "/data/system/boardVersion",
];

describe.each([
  ["GET /api", getSummary, false],
  ["GET /api of a client that may only read", getSummary, true],
  ["GET /api/bms/status", getStatus, false],
] as const)("%s", (name, get, reader) => {
  const ask = (context: Context_): string => bodyOf(get, { ...context, reader });

  it("is never older than any of its inputs", () => {
    const changed = new Set<string>();
    let before = new Map(leaves(JSON.parse(ask(cached))));
    for (const [what, change] of Object.entries(CHANGES)) {
      change();
      const body = ask(cached);
      expect(body, what).toBe(ask(whole));
      expect(ask(cached), `${what}, again`).toBe(body);
      const now = new Map(leaves(JSON.parse(body)));
      for (const [path, value] of now) if (before.get(path) !== value) changed.add(path);
      before = now;
    }
    // Otherwise an input is missing above.
    const constant = [...before.keys()].filter((path) => !changed.has(path) && !/\/cells\/\d+\/number$/.test(path));
    const readers = name.endsWith("read") ? ["/data/connectivity/community"] : [];
    expect(constant.filter((path) => !CONSTANT.includes(path))).toEqual(readers);
  });

  it("is rendered once in a state", () => {
    for (const change of [() => undefined, ...Object.values(CHANGES)]) {
      change();
      ask(cached);
      const times = rendered;
      ask(cached);
      expect(rendered).toBe(times);
    }
    // A state is no longer than what it shows.
    expect(rendered).toBeGreaterThan(10);
  });
});

it("GET /api is rendered each time by a board whose inputs do not count their samples", () => {
  delete (parts.sensors as { samples?: number }).samples;
  expect(bodyOf(getSummary, cached)).toBe(bodyOf(getSummary, whole));
  parts.sensors.temperature = 1;
  expect(bodyOf(getSummary, cached)).toBe(bodyOf(getSummary, whole));
});

it("the SNMP community is shown to nobody who may only read, whoever asked before", () => {
  for (const reader of [false, true, true, false, true]) {
    const { data } = JSON.parse(bodyOf(getSummary, { ...cached, reader })) as {
      data: { connectivity: { community: string } };
    };
    expect(data.connectivity.community).toBe(reader ? "" : "public");
  }
});

it("the status has the age: null before the first telemetry, and never that of another second", () => {
  // The last ones of a revision, then that of the next which would be the same number.
  const next = [65_541, 5, 65_535, undefined] as const;
  for (const seconds of [undefined, 0, 0, 1, 2, 1, 65_534, 65_535, 65_536, 1_000_000, 0, ...next]) {
    if (seconds === 5 || seconds === undefined) tell();
    parts.pack.telemetryAge = seconds;
    const { data } = JSON.parse(bodyOf(getStatus, cached)) as { data: { ageSeconds: unknown } };
    expect(data.ageSeconds).toBe(seconds ?? null);
  }
});
