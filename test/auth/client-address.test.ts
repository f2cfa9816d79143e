import { expect, it } from "vitest";
import { clientAddress, clientOf } from "../../src/auth/client-address";
import { FakeExchange } from "../support/http/fake-exchange";

const PROXY = "192.0.2.80";
const CLIENT = "203.0.113.7";

const sent = (remoteAddress: string, forwarded = CLIENT): FakeExchange =>
  new FakeExchange({ remoteAddress, headers: { "x-forwarded-for": forwarded } });

it("is the last one that the named proxy names", () => {
  expect(clientAddress(sent(PROXY, `198.51.100.1, ${CLIENT}`), PROXY)).toBe(CLIENT);
});

it.each([
  [PROXY, "192.0.2.9"],
  ["", "192.0.2.9"],
  // A peer whose address is not known any more is no proxy.
  ["", ""],
])("is the peer's, whomever it names, if the proxy is %j and the peer %j", (proxy, peer) => {
  expect(clientAddress(sent(peer), proxy)).toBe(peer);
});

it("is not known of the proxy's connection before a request", () => {
  const device = { settings: { device: { proxyAddress: PROXY } } };
  const of = (peer: string, exchange?: FakeExchange): string => clientOf(peer, exchange, device);
  expect([of(PROXY), of(PROXY, sent(PROXY)), of("192.0.2.9"), of("192.0.2.9", sent("192.0.2.9"))]).toEqual([
    "",
    CLIENT,
    "192.0.2.9",
    "192.0.2.9",
  ]);
});
