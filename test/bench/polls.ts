/** How long a poll takes, and how many are lost while HTTP clients take all the time that the script has. */
import { load } from "./load";
import { FIRST_READ } from "./wire";
import { System } from "../support/system/system";

export type ReadMode = "registers" | "frames";

/** ms of script time a request: about what the ESP32 needs for GET /api/bms/status. */
const BUSY = 10;
const INTERVAL = 1000;
/** Virtual time runs so many times as fast as real time. */
const PACE = 10;
const CONNECTIONS = 4;

export interface PollTime {
  readonly readMode: ReadMode;
  /** From the start of the first request to the end of the last reply, virtual ms, mean. */
  readonly took: number;
  /** What the bytes of requests and replies need on the wire, ms. */
  readonly wire: number;
  readonly requests: number;
}

/** Polls without load, on the unpaced clock. */
export async function pollTime(readMode: ReadMode, polls = 100): Promise<PollTime> {
  const system = await System.start({ unpaced: true, board: { config: { settings: { bms: { readMode } } } } });
  const { clock, uart } = system.board;
  const { monitor } = system.firmware;
  clock.runFor(10_000);
  const { traffic } = system.bms;
  let [took, wire, requests, seen] = [0, 0, 0, 0];
  let sent = 0;
  let received = 0;
  monitor.observe({
    packUpdated: () => {
      const poll = traffic.log.filter(({ at }) => at > clock.now - INTERVAL);
      const first = poll.find(({ register }) => register === FIRST_READ[readMode]);
      if (!first) return;
      seen++;
      took += clock.now - first.at;
      requests += poll.length;
      wire += ((uart.sent - sent + uart.received - received) * 10_000) / 115_200;
      sent = uart.sent;
      received = uart.received;
    },
  });
  sent = uart.sent;
  received = uart.received;
  while (seen < polls) clock.runFor(100);
  system.stop();
  return { readMode, took: took / seen, wire: wire / seen, requests: requests / seen };
}

export interface Losses {
  readonly polls: number;
  readonly lost: number;
  readonly overflows: number;
  readonly requests: number;
}

/** Polls while `CONNECTIONS` clients ask without a pause. */
export async function lossesUnderLoad(readMode: ReadMode, polls = 1000): Promise<Losses> {
  const system = await System.start({
    board: { busyPerRequest: BUSY, config: { settings: { bms: { readMode, interval: INTERVAL } } } },
    bms: { timeFactor: 1 },
  });
  const { monitor, server } = system.firmware;
  await system.untilLoaded();
  const { clock, uart } = system.board;
  clock.start(PACE);
  let updates = 0;
  monitor.observe({ packUpdated: () => void updates++ });
  const begin = clock.now;
  const overflowsBefore = uart.overflows;
  const clients = load(`${system.url}/api/bms/status`, CONNECTIONS, 3600);
  clients.result.catch(() => undefined);
  const before = server.counters.requests;
  while ((clock.now - begin) / INTERVAL < polls) await new Promise((resolve) => setTimeout(resolve, 50));
  const due = Math.floor((clock.now - begin) / INTERVAL);
  const got = updates;
  const requests = server.counters.requests - before;
  clients.stop();
  system.stop();
  return { polls: due, lost: Math.max(0, due - got), overflows: uart.overflows - overflowsBefore, requests };
}
