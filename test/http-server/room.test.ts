/** Memory is short: what would not fit gets 503 before it begins, and connections that may be closed make room. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { NEW_CONNECTION_GRACE_MS, RETRY_AFTER_SECONDS } from "http-server/limits";
import { app } from "../support/http/http-app";
import { Harness, response, statuses } from "../support/http/http-harness";

const GET = "GET /length HTTP/1.1\r\nHost: a\r\n\r\n";
const POST = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n12345";

let harness: Harness;
/** Asked once for each admission. */
let hasRoom: () => boolean;
let handled: number;
beforeEach(() => {
  hasRoom = () => true;
  handled = 0;
  harness = new Harness({
    hasRoom: () => hasRoom(),
    handler: (exchange, target) => {
      handled++;
      app(exchange, target);
    },
  });
});
afterEach(() => harness.server.close());

it.each([
  ["without a body", GET],
  ["with one", POST],
])("a request %s gets 503 and Retry-After, no handler, and its connection is closed", (_, request) => {
  const client = harness.connect().send(request);
  expect([response(client).status, handled]).toEqual([200, 1]);
  hasRoom = () => false;
  client.send(request);
  const refused = response(client);
  expect([refused.status, refused.headers["retry-after"], refused.headers["connection"]]).toEqual([
    503,
    `${RETRY_AFTER_SECONDS}`,
    "close",
  ]);
  expect(JSON.parse(refused.body.toString())).toEqual({ success: false, error: "Not enough memory at the moment." });
  client.fin();
  expect([handled, client.ended, harness.server.connections]).toEqual([1, true, 0]);
  expect(harness.server.counters).toMatchObject({ refusedConnections: 1, refusedPlaces: 0 });
  hasRoom = () => true;
  expect(response(harness.connect().send(GET)).status).toBe(200);
});

it("a connection is refused while all others are in use", () => {
  const busy = harness.connect("192.0.2.1").send(GET.slice(0, 20));
  hasRoom = () => false;
  const refused = harness.connect("192.0.2.2");
  expect(statuses(refused)).toEqual([503]);
  expect([harness.server.connections, busy.ended]).toEqual([1, false]);
  expect(harness.server.counters).toMatchObject({ refusedConnections: 1, refusedPlaces: 0 });
});

it("an idle connection is closed for a new one, which is served if that was enough", () => {
  const idle = harness.connect("192.0.2.1");
  harness.advance(NEW_CONNECTION_GRACE_MS);
  hasRoom = () => idle.ended;
  expect(statuses(harness.connect("192.0.2.2").send(GET))).toEqual([200]);
  expect(idle.ended).toBe(true);
});

it("is refused if that was not enough", () => {
  const idle = harness.connect("192.0.2.1");
  harness.advance(NEW_CONNECTION_GRACE_MS);
  hasRoom = () => false;
  expect(statuses(harness.connect("192.0.2.2"))).toEqual([503]);
  expect(idle.ended).toBe(true);
});
