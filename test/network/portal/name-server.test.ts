import { expect, it } from "vitest";
import type UDP from "embedded:io/socket/udp";
import { CaptiveDns } from "../../../src/network/portal/name-server";
import type { SimulatedBoard } from "../../../host-sim/board";
import { poweredBoard } from "../../support/system/simulated-board";

const QUESTION = Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0, 0, 1, 0, 1]);

interface Test {
  readonly dns: CaptiveDns;
  /** Delivers the question and answers who was answered. */
  readonly ask: (from: string) => string[];
  readonly sockets: () => number;
  readonly board: SimulatedBoard;
  /** Whether it refuses to open a socket. */
  readonly platform: { refusing: boolean };
}

function portal({ refusing = false } = {}): Test {
  const board = poweredBoard();
  const platform = { refusing };
  let sockets = 0;
  const answered: string[] = [];
  let deliver: (from: string) => void = () => undefined;
  class TestSocket {
    constructor({ target, onReadable }: { target: unknown; onReadable: (this: TestSocket, packets: number) => void }) {
      this.target = target;
      if (platform.refusing) throw new RangeError("no socket");
      sockets++;
      deliver = (from) => {
        this.#from = from;
        onReadable.call(this, 2);
      };
    }
    readonly target: unknown;
    #from: string | undefined;
    read(): unknown {
      const address = this.#from;
      this.#from = undefined;
      return address && Object.assign(QUESTION.slice().buffer, { address, port: 4711 });
    }
    write(_bytes: Uint8Array, address: string): void {
      answered.push(address);
      throw new Error("UDP send failed");
    }
    close(): void {
      sockets--;
    }
  }
  const dns = new CaptiveDns({
    udp: TestSocket as unknown as typeof UDP,
    network: { accessPointIp: "192.168.4.1", onPortal: (address) => address.startsWith("192.168.4.") },
  });
  return {
    dns,
    ask(from) {
      deliver(from);
      return answered.splice(0);
    },
    sockets: () => sockets,
    board,
    platform,
  };
}

it("answers on the access point's network only, and survives a packet that cannot be sent", () => {
  const { ask } = portal();
  expect(ask("192.168.4.2")).toEqual(["192.168.4.2"]);
  expect(ask("192.168.1.2")).toEqual([]);
});

it("has one socket until it is closed", () => {
  const { dns, sockets } = portal();
  expect(sockets()).toBe(1);
  dns.close();
  expect(sockets()).toBe(0);
});

it("opens a missing socket once the platform allows it, unless it has been closed", () => {
  const one = portal({ refusing: true });
  one.board.clock.runFor(600_000);
  one.platform.refusing = false;
  one.board.clock.runFor(60_000);
  expect([one.sockets(), one.ask("192.168.4.2")]).toEqual([1, ["192.168.4.2"]]);
  const other = portal({ refusing: true });
  other.dns.close();
  other.platform.refusing = false;
  other.board.clock.runFor(120_000);
  expect(other.sockets()).toBe(0);
});
