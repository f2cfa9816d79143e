import { expect, it } from "vitest";
import type UDP from "embedded:io/socket/udp";
import { CaptiveDns } from "../../src/network/captive-dns";
import { poweredBoard } from "../support/simulated-board";

const QUESTION = Uint8Array.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 0, 0, 1, 0, 1]);

interface Test {
  readonly dns: CaptiveDns;
  /** Delivers the question and answers who was answered. */
  readonly ask: (from: string) => string[];
  readonly sockets: () => number;
}

function portal(socketWorks = true): Test {
  poweredBoard();
  let sockets = 0;
  const answered: string[] = [];
  let deliver: (from: string) => void = () => undefined;
  class TestSocket {
    constructor({ onReadable }: { onReadable: (this: TestSocket, packets: number) => void }) {
      if (!socketWorks) throw new RangeError("no socket");
      sockets++;
      deliver = (from) => {
        this.#from = from;
        onReadable.call(this, 2);
      };
    }
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
    socket: { io: TestSocket as unknown as typeof UDP },
    network: { accessPointIp: "192.168.4.1", onPortal: (address) => address.startsWith("192.168.4.") },
  });
  return {
    dns,
    ask(from) {
      deliver(from);
      return answered.splice(0);
    },
    sockets: () => sockets,
  };
}

it("answers those on the access point's network alone, and survives a packet that cannot be sent", () => {
  const { dns, ask } = portal();
  dns.open = true;
  expect(ask("192.168.4.2")).toEqual(["192.168.4.2"]);
  expect(ask("192.168.1.2")).toEqual([]);
});

it("has one socket while it is open, and none otherwise", () => {
  const { dns, sockets } = portal();
  dns.open = true;
  dns.open = true;
  expect([dns.open, sockets()]).toEqual([true, 1]);
  dns.open = false;
  dns.open = false;
  expect([dns.open, sockets()]).toEqual([false, 0]);
});

it("a device without a socket to spare does without", () => {
  const { dns } = portal(false);
  dns.open = true;
  expect(dns.open).toBe(false);
});
