import { request } from "node:http";
import type { Clock } from "../../../host-sim/clock";

/** Password guessers over real sockets, and the owner who signs in meanwhile. All run on the board's clock. */

const HOST = "127.0.0.1";
/** Retry delay of a browser refused for lack of room, ms. */
const RETRY = 250;

export const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

export interface Client {
  /** Source address; on loopback all of 127/8 are available. */
  readonly address: string;
  readonly cookie?: string | undefined;
  /** X-Forwarded-For header. */
  readonly forwarded?: string;
}

export interface Answer {
  /** 0: no response. */
  readonly status: number;
  readonly cookies: readonly string[];
}

export const signIn = (port: number, password: string, { address, cookie, forwarded }: Client): Promise<Answer> =>
  new Promise((resolve) => {
    const headers = {
      "Content-Type": "application/json",
      Origin: `http://${HOST}:${port}`,
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(forwarded !== undefined && { "X-Forwarded-For": forwarded }),
    };
    const options = { host: HOST, port, localAddress: address, method: "POST", path: "/web/session", headers };
    const outgoing = request({ ...options, agent: false }, (incoming) => {
      incoming.resume();
      incoming.on("close", () =>
        resolve({ status: incoming.statusCode ?? 0, cookies: incoming.headers["set-cookie"] ?? [] }),
      );
    });
    outgoing.on("error", () => resolve({ status: 0, cookies: [] }));
    outgoing.end(JSON.stringify({ password }));
  });

export interface Guessing {
  /** Guesses that the device checked and answered with 401. */
  judged: number;
  stop(): void;
}

/** Opens `connections` that guess as fast as they are answered, each time as the next client from `from`. */
export function guess(clock: Clock, port: number, connections: number, from: (number: number) => Client): Guessing {
  let stopped = false;
  let next = 0;
  const guessing: Guessing = { judged: 0, stop: () => (stopped = true) };
  const one = async (): Promise<void> => {
    while (!stopped) {
      const { status } = await signIn(port, "a wrong guess", from(next++));
      if (status === 401) guessing.judged++;
      else await pause(clock, 5);
    }
  };
  for (let count = 0; count < connections; count++) void one();
  return guessing;
}

/** Retries until signed in; returns the time taken, ms, or undefined beyond `limit`. */
export async function persist(
  clock: Clock,
  port: number,
  password: string,
  owner: Client,
  limit: number,
): Promise<number | undefined> {
  const began = clock.now;
  const time = (): number => clock.now - began;
  while (time() < limit) {
    const { status } = await signIn(port, password, owner);
    if (status === 200) return time() <= limit ? time() : undefined;
    await pause(clock, RETRY);
  }
  return undefined;
}

/** Cookie header of a browser that has signed in before and whose session has ended. */
export const deviceCookie = ({ cookies }: Answer): string | undefined =>
  cookies.find((cookie) => cookie.startsWith("device="))?.split(";")[0];
