import { describe, expect, it } from "vitest";
import type { ClientSocket } from "http-server/client-socket";
import { BODY, type Connection, DRAIN, HANDLER, HEAD, IDLE, LINGER, RESPONSE } from "http-server/connection";
import {
  ADDRESS_SHARE,
  BODY_GRACE_MS,
  CLIENT_GRACE_MS,
  HANDLER_GRACE_MS,
  HEAD_GRACE_MS,
  LAGGARD_MS,
  MAX_LAGGARDS,
  NEW_CONNECTION_GRACE_MS,
  REGULAR_MS,
} from "http-server/limits";
import { Laggards } from "http-server/laggards";

import { findVictim, lags } from "http-server/places";

const NOW = 1_000_000;
const WAITED = NEW_CONNECTION_GRACE_MS + 100;
const ME = "192.0.2.1";
const YOU = "192.0.2.2";

/** A connection in `state` for `age` ms. */
const held = (state: number, age: number, more: Partial<Connection> = {}): Connection =>
  ({
    state,
    client: YOU,
    requests: 0,
    trusted: false,
    socket: { readable: 0 },
    age: (now: number) => now - NOW + age,
    stalls: () => false,
    ...more,
  }) as Connection;

const victim = (
  connections: readonly Connection[],
  client = ME,
  laggards = new Laggards(),
  now = NOW,
): number | undefined => {
  const found = findVictim(connections, client, now, laggards);
  return found && connections.indexOf(found);
};

describe("of an address within its share", () => {
  it.each([
    ["that has sent nothing", IDLE, NEW_CONNECTION_GRACE_MS, {}],
    ["that sends its head", HEAD, HEAD_GRACE_MS, {}],
    ["that sends its body", BODY, BODY_GRACE_MS, {}],
    ["that waits for its answer", HANDLER, HANDLER_GRACE_MS, {}],
  ])("a connection %s gives way when its grace is over", (_, state, grace, more) => {
    const at = (age: number): number | undefined => victim([held(state, age, more)]);
    expect([at(grace - 1), at(grace), at(grace + 1)]).toEqual([undefined, 0, 0]);
  });

  it("a connection that waits for another request gives way at once", () => {
    expect(victim([held(IDLE, 0, { requests: 1 })])).toBe(0);
  });

  it.each([CLIENT_GRACE_MS - 1, CLIENT_GRACE_MS])(
    "for its own address with its share, after %i ms of its grace",
    (age) => {
      const mine = Array.from({ length: ADDRESS_SHARE }, () => held(IDLE, age, { client: ME, requests: 1 }));
      expect(victim(mine)).toBe(age < CLIENT_GRACE_MS ? undefined : 0);
    },
  );

  it.each([
    ["whose request waits in the socket", IDLE, { socket: { readable: 1 } as ClientSocket }],
    ["whose handler is at work for a client that is trusted", HANDLER, { trusted: true }],
    ["that sends the body of a client that is trusted", BODY, { trusted: true }],
    ["that is answered", RESPONSE, {}],
  ])("a connection %s never does", (_, state, more) => {
    expect(victim([held(state, 100_000, more)])).toBeUndefined();
  });

  it("a connection whose client reads nothing gives way, whatever it does, however short a time ago it began that", () => {
    const deaf = { stalls: () => true };
    for (const state of [HANDLER, BODY, RESPONSE]) expect(victim([held(RESPONSE, 9), held(state, 0, deaf)])).toBe(1);
    // What it does counts more than for how long.
    expect(victim([held(RESPONSE, 24 * 3_600_000, deaf), held(BODY, 0, deaf)])).toBe(1);
  });

  it("a waiting connection is closed before one sending its head, then the older one", () => {
    expect(victim([held(HEAD, 9_000), held(IDLE, WAITED)])).toBe(1);
    expect(victim([held(IDLE, WAITED), held(IDLE, WAITED + 1)])).toBe(1);
    expect(victim([held(IDLE, WAITED + 1), held(IDLE, WAITED)])).toBe(0);
    expect(victim([held(IDLE, WAITED), held(IDLE, WAITED)])).toBe(0);
  });

  it("an address that has its share takes places only from itself", () => {
    const mine = [held(BODY, 0, { client: ME }), held(BODY, 0, { client: ME })];
    expect(victim([...mine, held(IDLE, 100_000)])).toBeUndefined();
    expect(victim([...mine, held(IDLE, 100_000, { client: ME })])).toBe(2);
    // What only lingers is not held.
    expect(victim([mine[0]!, held(LINGER, 0, { client: ME }), held(IDLE, 100_000)])).toBe(1);
  });
});

describe("of an address over its share", () => {
  it.each([
    [IDLE, HEAD],
    [HEAD, BODY],
    [BODY, HANDLER],
    [BODY, RESPONSE],
  ])("state %i gives way before state %i, at any age", (first, second) => {
    expect(victim([held(second, 30_000), held(first, 0), held(second, 30_000)])).toBe(1);
  });

  it("is closed in any state, the oldest first, before any address within its share", () => {
    expect(victim([held(RESPONSE, 5), held(RESPONSE, 7), held(RESPONSE, 6)])).toBe(1);
    const other = held(IDLE, 30_000, { client: "192.0.2.3" });
    expect(victim([other, held(HANDLER, 5), held(HANDLER, 7), held(HANDLER, 6)])).toBe(2);
  });

  it.each([HANDLER, BODY, RESPONSE])("keeps what is trusted in state %i, and loses another instead", (state) => {
    expect(victim([held(state, 9, { trusted: true }), held(RESPONSE, 5), held(RESPONSE, 5)])).toBe(1);
    expect(victim([0, 0, 0].map(() => held(state, 9, { trusted: true })))).toBeUndefined();
  });

  it("a stream of hours is closed neither before a waiting connection nor before one that lingers", () => {
    const stream = held(RESPONSE, 24 * 3_600_000);
    expect(victim([stream, held(IDLE, 0), held(HANDLER, 0)])).toBe(1);
    expect(victim([stream, held(HANDLER, 0), held(LINGER, 0)])).toBe(2);
  });

  it("lingering connections do not count", () => {
    expect(victim([held(HANDLER, 5), held(HANDLER, 5), held(LINGER, 0)])).toBe(2);
    expect(victim([held(HANDLER, 5), held(HANDLER, 5)])).toBeUndefined();
    const [a, b] = [held(LINGER, 5), held(HANDLER, 9)];
    expect(victim([held(HANDLER, 5), b, a])).toBe(2);
  });
});

it.each([IDLE, HEAD])("the rest of a body that nobody wants gives way at once, before state %i", (state) => {
  expect(victim([held(state, 30_000), held(DRAIN, 0)])).toBe(1);
});

describe("of clients that come back soon", () => {
  let clients = 0;
  const regular = (requests: number, age: number): Connection =>
    held(IDLE, age, { requests, client: `client ${clients++}` });

  it("all are closed before one that waits for its answer, which is no laggard", () => {
    const waits = held(HANDLER, 9_000);
    expect(victim([waits, regular(1_000, 0), waits])).toBe(1);
    expect(lags(waits, NOW, new Laggards())).toBe(false);
  });

  it("the one that came least often is closed, not the one that has waited longest", () => {
    expect(victim([regular(9, REGULAR_MS - 1), regular(2, 0), regular(5, 500)])).toBe(1);
  });

  it("none is closed while another may be", () => {
    for (const other of [held(HEAD, HEAD_GRACE_MS), held(BODY, BODY_GRACE_MS), held(IDLE, NEW_CONNECTION_GRACE_MS)])
      expect(victim([regular(1, 0), other, regular(1, 0)])).toBe(1);
    // One that has not come back for longer.
    expect(victim([regular(1, 0), regular(9, REGULAR_MS), regular(1, 0)])).toBe(1);
    expect(victim([regular(100_000_000, 0)])).toBe(0);
  });
});

describe("an address that was closed in the middle of a request", () => {
  const laggards = new Laggards();
  laggards.add(YOU, NOW);

  it.each([HEAD, BODY])("loses its place at once in state %i, for LAGGARD_MS", (state) => {
    const at = (later: number): number | undefined => victim([held(state, -later)], ME, laggards, NOW + later);
    expect([at(0), at(LAGGARD_MS - 1), at(LAGGARD_MS)]).toEqual([0, 0, undefined]);
  });

  it.each([
    [HEAD, {}],
    [BODY, {}],
    [IDLE, { requests: 1 }],
  ])("takes no place in state %i from others", (state, more) => {
    const others = [held(state, 100_000, { ...more, client: ME })];
    expect(victim(others, YOU, laggards)).toBeUndefined();
    expect(victim(others, YOU, laggards, NOW + LAGGARD_MS)).toBe(0);
  });

  it("is none where a proxy has not named the client: others come by the same proxy", () => {
    const some = new Laggards();
    some.add("", NOW);
    expect(some.has("", NOW)).toBe(false);
    expect(victim([held(IDLE, 0, { requests: 1 })], "", some)).toBe(0);
  });

  it("keeps what is answered, and a trusted body", () => {
    expect(victim([held(RESPONSE, 0), held(BODY, 0, { trusted: true })], ME, laggards)).toBe(undefined);
  });

  it("is one of MAX_LAGGARDS at the most: the oldest is forgotten", () => {
    for (const count of [MAX_LAGGARDS, MAX_LAGGARDS + 1]) {
      const some = new Laggards();
      for (let at = 0; at < count; at++) some.add(`address ${at}`, NOW);
      // Again: none is there twice.
      some.add(`address ${count - 1}`, NOW + 1);
      expect([some.has("address 0", NOW), some.has("address 1", NOW)]).toEqual([count === MAX_LAGGARDS, true]);
    }
  });
});

it("lingering connections are closed first", () => {
  expect(victim([held(IDLE, 30_000), held(IDLE, 30_000), held(IDLE, 30_000), held(LINGER, 0)])).toBe(3);
});

it("without connections there is none", () => {
  expect(victim([])).toBeUndefined();
});
