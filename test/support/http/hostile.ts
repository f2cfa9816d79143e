import { connect, type Socket } from "node:net";
import type { Clock } from "../../../host-sim/clock";
import type { Whole } from "../../suites/whole";
import { turn } from "../system/system";
import { KeepAliveClient } from "./keep-alive-client";

/** Hostile addresses with many connections, and honest clients at other addresses. All run on the board's clock. */

const HOST = "127.0.0.1";
const HOSTILE = "127.0.0.1";
const COMES = "127.0.0.2";
const STAYS = "127.0.0.3";
/** Of one hostile address, and of each of several: as many as it may keep. */
const CONNECTIONS = 60;
const SHARE = 2;
/** Delay before a closed connection is reopened, ms, unless given otherwise. */
const AGAIN = 500;
/** Interval between bytes of a slow client, ms. */
const DRIP = 50;
/** Time until a connection is reset that the device may have accepted meanwhile, ms. */
const LATER = 5;

/** What a connection does once open. */
export type Kind = (socket: Socket, path: string, clock: Clock) => void;

export const drip = (first: string): Kind => {
  return (socket, _path, clock) => {
    socket.write(first);
    const next = (): void => {
      if (socket.destroyed) return;
      socket.write("x");
      clock.after(DRIP, next);
    };
    clock.after(DRIP, next);
  };
};

/** Interval between two requests of a client that keeps its connection, ms. */
const KEPT = 3_500;

/** Asks, and again KEPT after each answer. */
export const keeps =
  (request: string): Kind =>
  (socket, _path, clock) => {
    const ask = (): void => void (socket.destroyed || socket.write(request));
    ask();
    socket.on("data", () => clock.after(KEPT, ask));
  };

const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

const SIGN_IN = `POST /web/session HTTP/1.1\r\nHost: ${HOST}\r\n`;

export const KINDS: Readonly<Record<string, Kind>> = {
  silent: () => undefined,
  "half a head": (socket) => void socket.write("GET / HTTP/1.1\r\nHost: a\r\n"),
  "byte by byte": drip("G"),
  "never reads": (socket, path) => void socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20)),
  "half a body": (socket) => void socket.write(`${SIGN_IN}Content-Length: 1000\r\n\r\n{`),
  "half a chunked body": (socket) => void socket.write(`${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
  "a refused body": (socket) =>
    void socket.write("POST /api/bms/commands HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"),
  "slow body": drip("POST /api/bms/commands HTTP/1.1\r\nHost: a\r\nContent-Length: 200\r\n\r\n"),
  reset: (socket) => void socket.write("GET / HTTP/1.1\r\n", () => socket.resetAndDestroy()),
  "reset later": (socket, _path, clock) => {
    socket.write("GET / HTTP/1.1\r\n");
    clock.after(LATER, () => socket.resetAndDestroy());
  },
  "half close": (socket) => void socket.end("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
  "kept and asking": (socket, path, clock) => keeps(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)(socket, path, clock),
  "kept and idle": (socket, path) => void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
  "wrong token": (socket, path) => {
    const ask = (): void => void socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer guess\r\n\r\n`);
    ask();
    socket.on("data", ask);
  },
};

/** A read of all of 802, and the next as soon as it is answered: on the port of Modbus TCP. */
const READ_BATTERY = Uint8Array.of(0, 1, 0, 0, 0, 6, 1, 3, 0x9c, 0x88, 0, 62);
export const MODBUS: Kind = (socket) => {
  socket.write(READ_BATTERY);
  socket.on("data", () => socket.write(READ_BATTERY));
};
/** Those of `attack` that Modbus TCP may serve: its three places are taken. */
export const MODBUS_CLIENTS = "127.0.0.1 127.0.1.1 127.0.1.2 127.0.1.3";

/** Keeps connections of a kind open, from so many addresses, until it is stopped; each is reopened `again` ms after it was closed. */
export function attack(
  clock: Clock,
  port: number,
  path: string,
  kind: Kind,
  again = AGAIN,
  addresses = 1,
): { opened: number; stop(): void } {
  const sockets = new Set<Socket>();
  let stopped = false;
  let next = 0;
  const attack = {
    opened: 0,
    stop(): void {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
  const open = (): void => {
    if (stopped) return;
    const localAddress = addresses === 1 ? HOSTILE : `127.0.1.${1 + (next++ % addresses)}`;
    const socket = connect({ port, host: HOST, localAddress });
    sockets.add(socket);
    socket.on("error", () => undefined).resume();
    socket.on("connect", () => {
      attack.opened++;
      kind(socket, path, clock);
    });
    socket.on("close", () => {
      sockets.delete(socket);
      clock.after(again, open);
    });
  };
  const connections = addresses === 1 ? CONNECTIONS : SHARE * addresses;
  for (let count = 0; count < connections; count++) open();
  return attack;
}

/**
 * Sends one request on a new connection, `latency` ms after the device has accepted it: returns the status, 0 without an answer in time.
 */
export const askOnce = (clock: Clock, port: number, request: string, ms: number, latency = 0): Promise<number> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: HOST, localAddress: COMES });
    const done = (status: number): void => {
      socket.destroy();
      clock.cancel(timer);
      resolve(status);
    };
    const timer = clock.after(ms, () => done(0));
    let received = "";
    const send = (): void => void (socket.destroyed || socket.write(request));
    socket.on("connect", () => (latency ? clock.after(latency, send) : send()));
    socket.on("data", (data) => {
      received += data.toString("latin1");
      if (received.includes("\r\n")) done(Number(received.slice(9, 12)));
    });
    socket.on("error", () => done(0));
    socket.on("close", () => done(0));
  });

/** Turns of the event loop a virtual millisecond: the host accepts one connection in each. */
const TURNS = 8;

/** Lets virtual time advance only as fast as clients and device keep up, until the returned function is called. */
export function inStep({ run }: Pick<Whole, "run">): () => Promise<void> {
  let stopped = false;
  const going = (async () => {
    for (; !stopped; await run(1)) for (let count = 0; count < TURNS; count++) await turn();
  })();
  return () => ((stopped = true), going);
}

export interface Outcome {
  /** New clients: total, served at the first attempt, served in time. */
  readonly tried: number;
  readonly atOnce: number;
  readonly within: number;
  /** Time of the slowest one served, ms. */
  readonly slowest: number;
  /** Requests of a keep-alive client, and how many were answered. */
  readonly asked: number;
  readonly answered: number;
  /** Connections of the attack. */
  readonly opened: number;
  /** Writes of the owner, and how many were accepted within OWNER_WITHIN. */
  readonly writes: number;
  readonly written: number;
}

export const WITHIN = 2_000;
export const OWNER_WITHIN = 8_000;
/** Retry delay of a refused client, ms. */
const RETRY = 250;

/**
 * Runs `tries` honest new clients in sequence from another address than the attacker's, and one keep-alive client. `attacked`: the port that the
 * others connect to, unless it is HTTP's. `write`: a request of the owner, sent on a new connection after every fifth client.
 */
export async function underAttack(
  clock: Clock,
  url: string,
  path: string,
  token: string,
  kind: Kind,
  tries: number,
  { patience = WITHIN, again = AGAIN, addresses = 1, latency = 0, attacked = 0, write = "" } = {},
): Promise<Outcome> {
  const port = Number(new URL(url).port);
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const stays = await KeepAliveClient.connect(port, STAYS);
  if ((await stays.ask(request)).status !== 200) throw new Error("not served before the attack");
  const attackers = attack(clock, attacked || port, path, kind, again, addresses);
  const outcome = { tried: 0, atOnce: 0, within: 0, slowest: 0, asked: 0, answered: 0, writes: 0, written: 0 };
  try {
    await pause(clock, 1_000);
    for (; outcome.tried < tries; outcome.tried++) {
      const began = clock.now;
      const time = (): number => clock.now - began;
      for (let first = true; time() < patience; first = false) {
        if ((await askOnce(clock, port, request, patience - time(), latency)) === 200) {
          if (first) outcome.atOnce++;
          outcome.within++;
          outcome.slowest = Math.max(outcome.slowest, time());
          break;
        }
        await pause(clock, RETRY);
      }
      outcome.asked++;
      if ((await stays.ask(request).catch(() => undefined))?.status === 200) outcome.answered++;
      if (write && outcome.tried % 5 === 0) {
        outcome.writes++;
        const began = clock.now;
        const left = (): number => OWNER_WITHIN - (clock.now - began);
        let status = 0;
        while (left() > 0 && status !== 200) {
          status = await askOnce(clock, port, write, left(), latency);
          if (status !== 200) await pause(clock, RETRY);
        }
        if (status === 200) outcome.written++;
      }
      await pause(clock, 50);
    }
  } finally {
    attackers.stop();
    stays.close();
  }
  return { ...outcome, opened: attackers.opened };
}
