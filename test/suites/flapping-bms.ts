/** An alarm that comes and goes on the bus for days, on the whole device: its polls, and messages to a service that often hangs. */
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { MAX_DAILY } from "../../src/notify/limits";
import { Random } from "../fuzz/random";
import { System } from "../support/system/system";

const SECOND = 1_000;
const DAY = 86_400;
/** Cell under-voltage, in the alarm word. */
const ALARM = 1 << 11;
/** Seconds between two changes. */
const SHORTEST = 5;
const LONGEST = 1_200;
/** Of so many connections the service leaves one without an answer. */
const ONE_HANGS = 3;

export interface Flapped {
  /** Messages that the service has taken, by day. */
  readonly told: readonly number[];
  readonly polls: number;
}

/** Throws if a poll was lost, or a day has more messages than there may be. */
export async function flapOnTheBus(hours: number, seed: number): Promise<Flapped> {
  const random = new Random(seed);
  const told: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const hangs = random.below(ONE_HANGS) === 0;
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      if (hangs) return;
      const day = Math.floor(system.board.clock.now / SECOND / DAY);
      told[day] = (told[day] ?? 0) + 1;
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const system = await System.start({
    unpaced: true,
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          notify: { kind1: "ntfy", url1: `http://127.0.0.1:${port}`, channel1: "flapping" },
          time: { server: "" },
        },
      },
    },
  });
  try {
    await system.untilLoaded();
    const statistics = (): { requests: number; timeouts: number; crcErrors: number } => system.monitor().statistics!;
    const before = { ...statistics() };
    let raised = false;
    while (system.board.clock.now < hours * 3_600 * SECOND) {
      raised = !raised;
      system.bms.registers.write("Alarms", raised ? ALARM : 0);
      await system.pass((SHORTEST + random.below(LONGEST - SHORTEST)) * SECOND);
    }
    const { requests, timeouts, crcErrors } = statistics();
    assert.deepEqual([timeouts, crcErrors], [before.timeouts, before.crcErrors], "polls were lost");
    assert.ok(system.monitor().online, "the BMS is offline");
    assert.ok(told.length > 0 && Math.max(...told) <= MAX_DAILY, `messages a day: ${told.join(" ")}`);
    return { told, polls: requests - before.requests };
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    system.stop();
  }
}
