import { beforeEach, describe, expect, it } from "vitest";
import { Known, Lookup, type LookupOptions } from "../../src/mqtt/lookup";

interface Question {
  readonly host: string;
  onResolved(host: string, address: string): null;
  onError(error?: unknown): null;
}

class Resolver {
  static open: Resolver[] = [];
  question: Question | undefined;

  constructor(readonly options: { servers: readonly string[]; socket: object }) {
    Resolver.open.push(this);
  }

  resolve(question: Question): void {
    this.question = question;
  }

  close(): void {
    Resolver.open.splice(Resolver.open.indexOf(this), 1);
  }
}

const SOCKET = {};
let found: (string | undefined)[];

function look(host: string, servers: readonly string[] = ["10.0.0.1"]): Lookup {
  const resolver = { io: Resolver, socket: SOCKET } as unknown as LookupOptions["resolver"];
  return new Lookup({ resolver, host, servers, done: (address) => void found.push(address) });
}

beforeEach(() => {
  found = [];
  Resolver.open = [];
});

describe("the search for a host", () => {
  it.each(["10.0.0.7", "0.0.0.0", "255.255.255.255"])("returns the address %s without a query", (host) => {
    look(host);
    look(host, []);
    expect([found, Resolver.open]).toEqual([[host, host], []]);
  });

  it.each(["broker", "broker.lan", "1.2.3", "1.2.3.4.5", "1.2.3.x", "1..2.3", "01.2.3.4", "10.0.0.7a", "a.b.c.d"])(
    "queries the servers for %s",
    (host) => {
      look(host, ["10.0.0.1", "10.0.0.2"]);
      const [resolver] = Resolver.open;
      expect(resolver?.options).toEqual({ servers: ["10.0.0.1", "10.0.0.2"], socket: SOCKET });
      expect(resolver?.question?.host).toBe(host);
      expect(found).toEqual([]);
      resolver?.question?.onResolved(host, "10.0.0.9");
      expect([found, Resolver.open]).toEqual([["10.0.0.9"], []]);
    },
  );

  it("fails without a name server, or without an answer", () => {
    look("broker.lan", []);
    expect([found, Resolver.open]).toEqual([[undefined], []]);
    look("broker.lan");
    Resolver.open[0]?.question?.onError();
    expect([found, Resolver.open]).toEqual([[undefined, undefined], []]);
  });

  it("reports nothing once cancelled or finished", () => {
    const given = look("broker.lan");
    const { question } = Resolver.open[0]!;
    given.close();
    question?.onResolved("broker.lan", "10.0.0.9");
    question?.onError();
    expect([found, Resolver.open]).toEqual([[], []]);
    look("broker.lan");
    const ended = Resolver.open[0]!.question;
    ended?.onResolved("broker.lan", "10.0.0.9");
    ended?.onResolved("broker.lan", "10.0.0.8");
    ended?.onError();
    expect(found).toEqual(["10.0.0.9"]);
  });
});

it("the MQTT client gets the resolved address for any name", () => {
  const heard: string[][] = [];
  new Known({ address: "10.0.0.9" }).resolve({
    host: "broker.lan",
    onResolved: (host, address) => void heard.push([host, address]),
  });
  expect(heard).toEqual([["broker.lan", "10.0.0.9"]]);
});
