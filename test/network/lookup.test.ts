import { beforeEach, describe, expect, it } from "vitest";
import { Lookup, type LookupParts } from "../../src/network/lookup";
import { poweredBoard } from "../support/system/simulated-board";

interface Question {
  readonly host: string;
  onResolved(host: string, address: string): null;
  onError(error?: unknown): null;
}

interface Socket {
  read(): ArrayBuffer | undefined;
  write(bytes: Uint8Array, address: string, port: number): void;
  close(): void;
}

interface SocketOptions {
  readonly target: unknown;
  readonly onReadable: (this: Socket & { target: unknown }, packets: number) => void;
}

/** The device's UDP: a closed socket throws, and nothing catches what a callback throws. */
class Udp {
  static open: Udp[] = [];
  readonly target: unknown;
  readonly sent: unknown[][] = [];
  readonly #onReadable: (packets: number) => void;
  #arrived: ArrayBuffer[] = [];

  constructor({ target, onReadable }: { target: unknown; onReadable: (packets: number) => void }) {
    this.target = target;
    this.#onReadable = onReadable;
    Udp.open.push(this);
  }

  read(): ArrayBuffer | undefined {
    if (!Udp.open.includes(this)) throw new TypeError("closed");
    return this.#arrived.shift();
  }

  write(...packet: unknown[]): void {
    this.sent.push(packet);
  }

  close(): void {
    Udp.open.splice(Udp.open.indexOf(this), 1);
  }

  deliver(...texts: string[]): void {
    this.#arrived = texts.map((text) => Uint8Array.from(Buffer.from(text)).buffer);
    this.#onReadable(texts.length);
  }
}

/** Uses its socket as the SDK's does. */
class Resolver {
  static open: Resolver[] = [];
  question: Question | undefined;
  #socket: Socket | undefined;

  constructor(
    readonly options: { servers: readonly string[]; socket: { io: new (options: SocketOptions) => Socket } },
  ) {
    Resolver.open.push(this);
  }

  resolve(question: Question): void {
    this.question = question;
    this.#socket = new this.options.socket.io({
      target: this,
      onReadable(packets) {
        while (packets--) (this.target as Resolver).receive(this.read()!);
      },
    });
    this.#socket.write(Uint8Array.of(1), this.options.servers[0]!, 53);
  }

  receive(packet: ArrayBuffer): void {
    const text = Buffer.from(packet).toString();
    if (text === "malformed") throw new Error("bad name");
    this.#socket!.close();
    this.#socket = undefined;
    this.question!.onResolved(this.question!.host, text);
  }

  close(): void {
    this.#socket?.close();
    Resolver.open.splice(Resolver.open.indexOf(this), 1);
  }
}

let found: (string | undefined)[];

function look(host: string, servers: readonly string[] = ["10.0.0.1"]): Lookup {
  const [dns1 = "", dns2 = ""] = servers;
  const parts = { resolver: Resolver, udp: Udp, network: { dns1, dns2 } } as unknown as LookupParts;
  return new Lookup("time", parts, host, (address) => void found.push(address));
}

beforeEach(() => {
  poweredBoard();
  found = [];
  Resolver.open = [];
  Udp.open = [];
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
      expect(resolver?.options.servers).toEqual(["10.0.0.1", "10.0.0.2"]);
      expect(Udp.open[0]?.sent).toEqual([[Uint8Array.of(1), "10.0.0.1", 53]]);
      expect(resolver?.question?.host).toBe(host);
      expect(found).toEqual([]);
      resolver?.question?.onResolved(host, "10.0.0.9");
      expect([found, Resolver.open, Udp.open]).toEqual([["10.0.0.9"], [], []]);
    },
  );

  it("what its owner throws is told under the owner's name", () => {
    const told: unknown[] = [];
    globalThis.faults = { threw: (part, error) => void told.push(part, (error as Error).message) };
    const parts = { resolver: Resolver, udp: Udp, network: { dns1: "10.0.0.1", dns2: "" } } as unknown as LookupParts;
    new Lookup("mqtt", parts, "broker", () => {
      throw new Error("no");
    });
    Resolver.open[0]?.question?.onResolved("broker", "10.0.0.9");
    expect(told).toEqual(["mqtt", "no"]);
  });

  it("needs no server for a name of mDNS", () => {
    look("broker.local", []);
    expect(Resolver.open[0]?.question?.host).toBe("broker.local");
    Udp.open[0]!.deliver("10.0.0.9");
    expect([found, Resolver.open, Udp.open]).toEqual([["10.0.0.9"], [], []]);
  });

  it("survives answers that arrive together, and malformed ones", () => {
    look("broker.lan");
    const [udp] = Udp.open;
    udp!.deliver("malformed");
    expect([found, Resolver.open.length]).toEqual([[], 1]);
    udp!.deliver("malformed", "10.0.0.9", "10.0.0.8");
    expect([found, Resolver.open, Udp.open]).toEqual([["10.0.0.9"], [], []]);
  });

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
