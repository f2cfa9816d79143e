/** On the log's memory and the timers of a board; only the socket and the name server are in the test's hand. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type Ambient from "embedded:network/dns/resolver/udp";
import Timer from "../../host-sim/io/timer";
import type { SimulatedBoard } from "../../host-sim/board";
import { EventRing } from "../../src/events/event-ring";
import { MAX_EVENTS } from "../../src/events/limits";
import type { EventText } from "../../src/events/types";
import { RESOLVE_RETRY } from "../../src/network/limits";
import { MAX_AT_ONCE, MAX_STEP_BACK, TICK } from "../../src/syslog/limits";
import { Syslog } from "../../src/syslog/syslog";
import type { SyslogDevice } from "../../src/syslog/types";
import { startSettings } from "../support/fakes/settings";
import { poweredBoard } from "../support/system/simulated-board";

interface Sent {
  readonly to: string;
  readonly port: number;
  readonly text: string;
}

const ADDRESS = "192.168.1.9";

class Bench {
  readonly board: SimulatedBoard;
  readonly settings = startSettings();
  readonly network = { online: true, dns1: "192.168.1.1", dns2: "" };
  readonly sent: Sent[] = [];
  readonly asked: string[] = [];
  readonly #answers: ((address?: string) => void)[] = [];
  sockets = 0;
  refused = false;
  unreachable = false;
  time: number | undefined;
  events!: EventRing;
  syslog!: Syslog;

  constructor() {
    this.board = poweredBoard();
    this.settings.update("device", { hostname: "shed" });
    this.log(false, 0);
  }

  /** A log as at a start. */
  log(kept: boolean, restarts: number): void {
    this.events = new EventRing({ uptime: () => this.uptime, start: { intact: kept, restarts } });
  }

  start(host = ADDRESS, restarts = 0): this {
    if (host) this.settings.update("syslog", { host });
    const { settings, network, events } = this;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- for the classes below
    const bench = this;
    class Socket {
      constructor() {
        if (bench.refused) throw new Error("no memory");
        bench.sockets++;
      }
      write(bytes: Uint8Array, to: string, port: number): void {
        if (bench.unreachable) throw new Error("UDP send failed");
        bench.sent.push({ to, port, text: Buffer.from(bytes).toString("latin1") });
      }
      close(): void {
        bench.sockets--;
      }
    }
    class Resolver {
      #closed = false;
      resolve({ host, onResolved, onError }: Parameters<Ambient["resolve"]>[0]): void {
        bench.asked.push(host);
        bench.#answers.push((address) => {
          if (!this.#closed) void (address ? onResolved(host, address) : onError(host));
        });
      }
      close(): void {
        this.#closed = true;
      }
    }
    this.syslog = new Syslog({
      ...{ settings, network, events },
      build: { softwareName: "jk-bms-monitor" },
      start: { restarts },
      uptime: () => this.uptime,
      time: () => this.time,
      udp: Socket as unknown as SyslogDevice["udp"],
      resolver: Resolver,
    });
    return this;
  }

  get uptime(): number {
    return Math.floor(this.board.clock.now / 1000);
  }

  answer(address?: string): void {
    this.#answers.shift()?.(address);
  }

  tick(count = 1): void {
    this.board.clock.runFor(count * TICK);
  }

  add(count: number, code = "crashed"): void {
    for (let added = 0; added < count; added++) this.events.add(`${code}\t${added}` as EventText);
  }

  /** What was sent since the last time: the events' numbers. */
  numbers(): number[] {
    return this.sent.splice(0).map(({ text }) => Number(/sequenceId="(\d+)"/.exec(text)![1]));
  }
}

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe("the time", () => {
  const NOON = Date.UTC(2026, 10, 23, 12) / 1_000;
  const times = (): string[] => bench.sent.splice(0).map(({ text }) => text.split(" ")[1]!.slice(11, 19));

  it("never goes back between two messages, though seconds of clock and uptime begin at different moments", () => {
    bench.time = NOON;
    bench.start();
    bench.add(1);
    bench.tick();
    // The uptime has a new second, the clock not yet.
    bench.network.online = false;
    bench.add(1);
    bench.board.clock.runFor(1_000);
    bench.network.online = true;
    bench.tick();
    expect(times()).toEqual(["12:00:00", "12:00:00"]);
  });

  it("goes back with a clock that was wrong", () => {
    bench.time = NOON;
    bench.start();
    bench.add(1);
    bench.time = NOON - MAX_STEP_BACK + 1;
    bench.add(1);
    bench.tick();
    bench.time = NOON - MAX_STEP_BACK;
    bench.add(1);
    bench.tick();
    expect(times()).toEqual(["12:00:00", "12:00:00", "11:59:00"]);
  });
});

describe("without a server", () => {
  it("opens no socket, looks nothing up, and sends nothing", () => {
    bench.start("");
    bench.add(3);
    bench.tick(10);
    expect([bench.sockets, bench.asked, bench.sent, bench.syslog.running]).toEqual([0, [], [], false]);
  });

  it("set later, gets the events of this run; taken away, no more", () => {
    bench.start("");
    bench.add(3);
    bench.settings.update("syslog", { host: ADDRESS, port: 1514 });
    bench.tick(2);
    expect(bench.sent.map(({ to, port }) => [to, port])).toEqual(Array(3).fill([ADDRESS, 1514]));
    expect(bench.numbers()).toEqual(upTo(3));
    expect([bench.syslog.sent, bench.sockets]).toEqual([3, 1]);
    bench.settings.update("syslog", { host: "" });
    bench.add(1);
    bench.tick(10);
    expect([bench.numbers(), bench.sockets, bench.syslog.address]).toEqual([[], 0, undefined]);
  });
});

describe("events", () => {
  it("wait for the network, then go MAX_AT_ONCE at a time, in order, each once", () => {
    bench.network.online = false;
    bench.add(2 * MAX_AT_ONCE + 1);
    bench.start();
    bench.tick(5);
    expect(bench.numbers()).toEqual([]);
    bench.network.online = true;
    bench.tick();
    expect(bench.numbers()).toEqual(upTo(MAX_AT_ONCE));
    bench.tick(10);
    expect(bench.numbers()).toEqual(upTo(2 * MAX_AT_ONCE + 1, MAX_AT_ONCE + 1));
  });

  it("go at once while nothing waits", () => {
    bench.start();
    bench.add(3);
    expect(bench.numbers()).toEqual([1, 2, 3]);
  });

  it("wait for the name; a failed look-up is repeated", () => {
    bench.start("logs.example");
    bench.add(1);
    bench.tick();
    expect([bench.asked, bench.numbers()]).toEqual([["logs.example"], []]);
    bench.answer(undefined);
    bench.tick(RESOLVE_RETRY / TICK);
    expect(bench.asked.length).toBe(2);
    bench.answer("10.0.0.7");
    bench.tick();
    expect(bench.sent).toMatchObject([{ to: "10.0.0.7", port: 514 }]);
    expect(bench.syslog.address).toBe("10.0.0.7");
  });

  it.each([MAX_EVENTS - 1, MAX_EVENTS, MAX_EVENTS + 1, 3 * MAX_EVENTS])(
    "%d that wait: what the log has forgotten is missing, and its numbers are",
    (count) => {
      bench.network.online = false;
      bench.start();
      bench.add(count);
      bench.network.online = true;
      bench.tick(MAX_EVENTS);
      expect(bench.numbers()).toEqual(upTo(count, Math.max(1, count - MAX_EVENTS + 1)));
    },
  );

  it.each(["refused", "unreachable"] as const)("wait while the platform's socket is %s", (fault) => {
    bench[fault] = true;
    bench.start();
    bench.add(1);
    bench.tick(3);
    expect([bench.numbers(), bench.syslog.sent]).toEqual([[], 0]);
    bench[fault] = false;
    bench.tick();
    expect([bench.numbers(), bench.syslog.sent, bench.sockets]).toEqual([[1], 1, 1]);
  });

  it("of the run before are not sent", () => {
    bench.add(4);
    bench.log(true, 1);
    bench.add(2);
    bench.start(ADDRESS, 1);
    bench.tick(5);
    expect(bench.numbers()).toEqual([5, 6]);
  });

  it("go to another server from where the first has them, by other settings too", () => {
    bench.start();
    bench.add(2);
    bench.settings.update("syslog", { host: "192.168.1.10", facility: "daemon" });
    bench.add(1);
    expect(bench.sent.map(({ to, text }) => [to, /^<\d+>/.exec(text)![0]])).toEqual([
      [ADDRESS, "<130>"],
      [ADDRESS, "<130>"],
      ["192.168.1.10", "<26>"],
    ]);
    expect(bench.sockets).toBe(1);
  });

  it("have the time when they happened, even if it has become known since", () => {
    bench.start();
    bench.add(1);
    bench.network.online = false;
    bench.tick(2);
    bench.add(1);
    bench.tick(60);
    bench.time = Date.UTC(2026, 10, 23, 19, 30) / 1000;
    bench.network.online = true;
    bench.tick();
    expect(bench.sent.map(({ text }) => text.split(" ")[1])).toEqual(["-", "2026-11-23T19:28:59.000Z"]);
  });

  it("are sent after all if there was no memory for the timer when the server was set", () => {
    bench.start("");
    const repeat = vi.spyOn(Timer, "repeat").mockImplementation(() => {
      throw new Error("no memory");
    });
    bench.settings.update("syslog", { host: ADDRESS });
    repeat.mockRestore();
    bench.tick(3);
    expect(bench.numbers()).toEqual([]);
    bench.add(2);
    expect(bench.numbers()).toEqual([1, 2]);
  });

  it("close: no socket and no timer is left", () => {
    bench.start();
    bench.add(1);
    bench.syslog.close();
    bench.add(1);
    bench.tick(10);
    expect([bench.numbers(), bench.sockets]).toEqual([[1], 0]);
  });
});
