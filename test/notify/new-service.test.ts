/** A service that is a row of the table and nothing else. */
import type { Service } from "notification-services/services";
import { beforeEach, expect, it, vi } from "vitest";
import type { NotifySettings } from "../../src/settings/types";
import { Bench } from "./bench";

vi.mock(import("notification-services/services"), async (original) => {
  const pigeon: Service = {
    url: "http://pigeon.example:7",
    needs: ["token"],
    takes: [],
    request: ({ text }, _channel, token) => ({ path: "/fly", fields: [["X-Ring", token]], body: { message: text } }),
  };
  const real = await original();
  return { ...real, SERVICES: Object.freeze({ ...real.SERVICES, pigeon }) };
});

const KIND = { kind1: "pigeon", url1: "", channel1: "" } as unknown as NotifySettings;

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

it("is a choice of both targets", () => {
  expect(bench.settings.update("notify", KIND)).toBeUndefined();
  expect(bench.settings.update("notify", { kind2: "pigeon" as never })).toBeUndefined();
  expect(bench.settings.update("notify", { kind2: "sparrow" as never })).toContain(", pigeon");
});

it("is incomplete without what it needs, and then gets its request at its own address", () => {
  bench.answers[7] = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ncoo";
  bench.settings.update("notify", KIND);
  bench.start();
  const problems: string[] = [];
  const test = (): void => {
    bench.notify.sendTest(0, ({ problem }) => problems.push(problem));
    bench.pass(2);
  };
  test();
  expect([problems, bench.got]).toEqual([["incomplete"], []]);
  bench.settings.update("notify", { token1: "ring" });
  test();
  expect(problems).toEqual(["incomplete", ""]);
  expect(bench.got).toMatchObject([{ port: 7, text: "Messages arrive. It is only a test." }]);
});

it("gets it at an address of the owner's instead", () => {
  bench.settings.update("notify", { ...KIND, token1: "ring", url1: "http://127.0.0.1:2/loft/" });
  bench.start();
  bench.notify.sendTest(0, () => undefined);
  bench.pass(2);
  expect(bench.got).toMatchObject([{ port: 2 }]);
});
