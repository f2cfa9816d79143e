/** What the connections of a server share. */
import { expect, it } from "vitest";
import type TCP from "embedded:io/socket/tcp";
import type { ClientSocket } from "http-server/client-socket";
import { MAX_CONNECTIONS } from "http-server/limits";
import { Service } from "http-server/service";

const service = (): Service =>
  new Service({ socket: { io: undefined as unknown as new () => TCP }, handler: () => undefined });

it("a receive buffer that was given back is lent again, emptied; while it is lent there is another", () => {
  const shared = service();
  const first = shared.lend();
  expect(shared.lend()).not.toBe(first);
  shared.takeBack(first);
  expect(shared.lend()).toBe(first);
});

it("free memory for sending goes to the newest connection, then to the others, each of which is the first of them in turn", () => {
  const shared = service();
  const advanced: number[] = [];
  const others = [0, 1, 2, 3];
  const newest = others.length;
  shared.connections = [...others, newest].map((index) => ({
    socket: {} as ClientSocket,
    advance: () => void advanced.push(index),
  }));
  const firsts = new Set<number | undefined>();
  for (let round = 0; round < MAX_CONNECTIONS; round++) {
    advanced.length = 0;
    shared.short = true;
    shared.share();
    expect(shared.short).toBe(false);
    const [first, ...rest] = advanced;
    expect([first, rest.toSorted()]).toEqual([newest, others]);
    firsts.add(rest[0]);
  }
  expect(firsts).toEqual(new Set(others));
});

it("the one that waits to begin comes before all", () => {
  const shared = service();
  const advanced: number[] = [];
  const sockets = [0, 1, 2].map(() => ({}) as ClientSocket);
  shared.connections = sockets.map((socket, index) => ({ socket, advance: () => void advanced.push(index) }));
  [, shared.waiting] = sockets;
  shared.share();
  expect(advanced.slice(0, 2)).toEqual([1, 2]);
});
