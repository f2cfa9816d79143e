import fc, { runs } from "../support/property";
import { describe, expect, it } from "vitest";
import { MAX_ID, MAX_MESSAGE, RESTART_DELAY } from "../../src/mqtt/limits";
import { MAX_JSON_DEPTH } from "../../src/endpoints/limits";
import { Requests } from "../../src/mqtt/requests";
import type { Target } from "../../src/mqtt/topics";
import { WriteQueue } from "../../src/bms/write-queue";
import { fakeParts } from "../support/fakes/fake-parts";
import { requestsOf } from "../support/mqtt/requests";
import { poweredBoard } from "../support/system/simulated-board";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const REQUEST: Target = { kind: "request", name: "" };

/** Board, whose clock stands, settings, and causes of restarts. */
function device() {
  const board = poweredBoard();
  const { monitor, relay, settings } = fakeParts();
  const restarts: string[] = [];
  return { board, monitor, restarts, parts: { relay, settings, restartFor: (cause: string) => restarts.push(cause) } };
}

function setUp(online = true): ReturnType<typeof requestsOf> {
  poweredBoard();
  return requestsOf(online);
}

describe("requests", () => {
  it("every payload gets one result, and only well-formed ones are queued", () => {
    const { requests, accepted } = setUp();
    const targets: Target[] = [REQUEST, { kind: "parameter", name: "cell_uvp_voltage" }, { kind: "relay", name: "" }];
    const payloads = fc.oneof(
      fc.uint8Array({ minLength: 0, maxLength: MAX_MESSAGE }),
      fc.json({ maxDepth: 12 }).map((text) => bytes(text).subarray(0, MAX_MESSAGE)),
      fc
        .record({
          command: fc.anything(),
          setting: fc.anything(),
          state: fc.anything(),
          value: fc.anything(),
          id: fc.anything(),
        })
        .map((value) => {
          try {
            return bytes(JSON.stringify(value) ?? "").subarray(0, MAX_MESSAGE);
          } catch {
            return bytes("{}");
          }
        }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...targets), payloads, (target, payload) => {
        const before = accepted();
        requests.receive(target, payload, false);
        const { result } = requests;
        expect(result?.status).toMatch(/^(refused|accepted|confirmed)$/);
        expect(accepted() - before).toBe(result?.status === "accepted" ? 1 : 0);
        expect(requests.ready).toBe(false);
        requests.sent();
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    [MAX_JSON_DEPTH, "accepted"],
    [MAX_JSON_DEPTH + 1, "refused"],
  ])("JSON %i deep is %s", (depth, status) => {
    const { requests } = setUp();
    const inner = "[".repeat(depth - 1) + "]".repeat(depth - 1);
    requests.receive(REQUEST, bytes(`{"command":"balance","state":"on","more":${inner}}`), false);
    expect(requests.result?.status).toBe(status);
  });

  it("a pack of another voltage is connected by JSON with force only; without a comparison that is told", () => {
    const { requests, pack, others } = setUp();
    const answer = (target: Target, text: string): unknown => {
      requests.receive(target, bytes(text), false);
      const { status, code, message } = requests.result!;
      requests.sent();
      return [status, code, message];
    };
    const refused = [
      "refused",
      "off-voltage",
      expect.stringMatching(/^Pack 1 is 1\.9 V below the connected packs: .* "force": true /),
    ];
    others(pack, 1_900);
    expect(answer({ kind: "command", name: "charge_mos" }, "on")).toEqual(refused);
    expect(answer(REQUEST, '{"command":"charge_mos","state":"on"}')).toEqual(refused);
    expect(answer(REQUEST, '{"command":"charge_mos","state":"on","force":false}')).toEqual(refused);
    for (const force of ['"true"', "1", "{}"])
      expect(answer(REQUEST, `{"command":"charge_mos","state":"on","force":${force}}`)).toEqual([
        "refused",
        undefined,
        expect.stringContaining("must be JSON"),
      ]);
    expect(answer(REQUEST, '{"command":"charge_mos","state":"on","force":true}')).toEqual([
      "accepted",
      undefined,
      "Queued for the BMS.",
    ]);
    const second = setUp();
    second.others(second.pack, undefined);
    second.requests.receive(REQUEST, bytes('{"command":"charge_mos","state":"on"}'), false);
    expect(second.requests.result).toMatchObject({
      status: "accepted",
      message: expect.stringContaining("could not be compared") as unknown,
    });
  });

  it.each([
    [MAX_ID, "accepted"],
    [MAX_ID + 1, "refused"],
  ])("an id of %i characters is %s", (length, status) => {
    const { requests } = setUp();
    requests.receive(REQUEST, bytes(`{"command":"balance","state":"on","id":"${"i".repeat(length)}"}`), false);
    expect(requests.result?.status).toBe(status);
  });

  it.each(["cell_uvp_voltage", "invented"])("a boolean for %s is malformed, as in the REST API", (setting) => {
    const { requests } = setUp();
    requests.receive(REQUEST, bytes(JSON.stringify({ setting, value: true })), false);
    expect(requests.result).toMatchObject({ status: "refused", code: undefined });
    expect(requests.result?.message).toContain("must be JSON");
  });

  it("the outcome of an accepted write follows once, only for that request", () => {
    const { requests, writes, pack } = setUp();
    requests.receive(REQUEST, bytes('{"command":"balance","state":false,"id":"x"}'), false);
    expect(requests.result).toMatchObject({ id: "x", status: "accepted" });
    requests.sent();
    expect(requests.ready).toBe(true);
    writes.abandon(pack);
    expect(requests.result).toMatchObject({ id: "x", name: "balance", status: "failed" });
    expect(requests.result?.message).toContain("not sent");
    requests.sent();
    expect(writes.command(pack, "balance", true, "API")).toBeUndefined();
    writes.abandon(pack);
    expect(requests.result).toBeUndefined();
  });

  it("an immediate outcome is sent after the acceptance", () => {
    const { monitor, parts } = device();
    const pack = Object.assign(monitor.pack, {
      write: () => undefined,
      written: () => undefined,
      abandonWrite: () => true,
    });
    const queue: WriteQueue = new WriteQueue({
      packs: [pack],
      listening: false,
      proceed: () => queue.abandon(pack),
      packMissed: () => undefined,
      writeEnded: () => undefined,
    });
    const requests = new Requests({
      parts: { ...parts, monitor: Object.assign(monitor, { writes: queue }) },
      resultReady: () => undefined,
    });
    requests.receive({ kind: "command", name: "balance" }, bytes("on"), false);
    expect(requests.result?.status).toBe("accepted");
    requests.sent();
    expect(requests.result?.status).toBe("failed");
  });

  it.each([
    [0, "The relay's output is not available, or there is none."],
    [1, "The relay is not configured in manual mode."],
  ] as const)("a relay in mode %i that does not switch is refused for the right reason", (mode, message) => {
    const { monitor, parts } = device();
    const { name, value } = parts.relay;
    const still = { name, value, mode, switch: () => false };
    const requests = new Requests({ parts: { ...parts, monitor, relay: still }, resultReady: () => undefined });
    requests.receive({ kind: "relay", name: "" }, bytes("on"), false);
    expect(requests.result).toMatchObject({ status: "refused", message });
  });

  it.each([
    ["manual", 0],
    ["automatic", 1],
    ["disabled", 2],
  ])("the relay's mode becomes %s", (relayMode, mode) => {
    const { monitor, parts } = device();
    parts.settings.update("relay", { mode: mode === 1 ? 2 : 1 });
    const requests = new Requests({ parts: { ...parts, monitor }, resultReady: () => undefined });
    requests.receive(REQUEST, bytes(JSON.stringify({ relayMode })), false);
    expect(requests.result).toMatchObject({ name: "relayMode", status: "confirmed" });
    expect(parts.settings.relay.mode).toBe(mode);
  });

  it.each([
    ["a mode that there is none of", '{"relayMode":"on"}', true, false],
    ["a mode of no relay", '{"relayMode":"disabled"}', false, false],
    ["a retained mode", '{"relayMode":"disabled"}', true, true],
    ["two at once", '{"relayMode":"disabled","restart":true}', true, false],
    ["no restart", '{"restart":false}', true, false],
    ["a restart of something", '{"restart":"soon"}', true, false],
    ["a retained restart, which would never end", '{"restart":true}', true, true],
  ])("%s is refused", (_, payload, fitted, retained) => {
    const { board, monitor, parts, restarts } = device();
    parts.settings.update("relay", { fitted });
    const requests = new Requests({ parts: { ...parts, monitor }, resultReady: () => undefined });
    requests.receive(REQUEST, bytes(payload), retained);
    expect(requests.result?.status).toBe("refused");
    board.clock.runFor(2 * RESTART_DELAY);
    expect([restarts, parts.settings.relay.mode]).toEqual([[], 0]);
  });

  it.each(["relayMode", "restart"])("%s is the device's, and refused to a further pack", (member) => {
    const { monitor, parts } = device();
    const requests = new Requests({ parts: { ...parts, monitor }, resultReady: () => undefined });
    requests.receive({ ...REQUEST, pack: 0 }, bytes(JSON.stringify({ [member]: "disabled" })), false);
    expect(requests.result?.status).toBe("refused");
    expect(parts.settings.relay.mode).toBe(0);
  });

  it("the device restarts, once its result could be sent", () => {
    const { board, monitor, parts, restarts } = device();
    const requests = new Requests({ parts: { ...parts, monitor }, resultReady: () => undefined });
    requests.receive(REQUEST, bytes('{"restart":true,"id":"r"}'), false);
    expect(requests.result).toMatchObject({ id: "r", name: "restart", status: "confirmed" });
    board.clock.runFor(RESTART_DELAY - 1);
    expect(restarts).toEqual([]);
    board.clock.runFor(1);
    expect(restarts).toEqual(["ordered"]);
  });

  it.each([
    ["offline", false, "BMS indisponivel."],
    ["kept by the broker", true, "which may be old"],
  ])("is refused: %s", (_, online, message) => {
    const { requests, accepted } = setUp(online);
    requests.receive({ kind: "command", name: "balance" }, bytes("on"), online);
    expect(requests.result?.message).toContain(message);
    expect(accepted()).toBe(0);
  });
});
