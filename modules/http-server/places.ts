import {
  ADDRESS_SHARE,
  BODY_GRACE_MS,
  CLIENT_GRACE_MS,
  HANDLER_GRACE_MS,
  HEAD_GRACE_MS,
  NEW_CONNECTION_GRACE_MS,
  REGULAR_MS,
} from "./limits";
import { BODY, type Connection, DRAIN, HANDLER, HEAD, IDLE, LINGER } from "./connection";
import type { Laggards } from "./laggards";

/* Which connection is evicted when all slots are in use and another client connects. */

/** Ages from here on, ms, count as one less, so that rank outweighs age: a stream may last for hours. */
const RANK = 0x10_0000;
/** Ranks: the highest is closed first. */
const LINGERS = 10 * RANK;
const OVER_ITS_SHARE = 5 * RANK;
const WAITS = 4 * RANK;
const SENDS_ITS_HEAD = 3 * RANK;
const SENDS_ITS_BODY = 2 * RANK;
const OTHERS = RANK;
/** More share one place. */
const MANY_REQUESTS = Math.floor(RANK / REGULAR_MS) - 2;

/** Those of a proxy that has not said yet whose they are count for nobody. */
const held = (connections: readonly Connection[], client: string): number => {
  let count = 0;
  if (client) for (const connection of connections) if (connection.client === client) count++;
  return count;
};

function rankOf({ state }: Connection): number {
  if (state === IDLE) return WAITS;
  if (state === HEAD) return SENDS_ITS_HEAD;
  return state === BODY ? SENDS_ITS_BODY : OTHERS;
}

/**
 * Of clients that come back soon the one that has come least often, or else last, is closed: the one that has waited longest would be the next to come, and so
 * each would find its own closed. Below all other ranks but that of one that waits for its answer.
 */
const regularRank = ({ requests }: Connection, age: number): number =>
  RANK - 1 - Math.min(requests, MANY_REQUESTS) * REGULAR_MS - age;

/** One that has done its part and waits for its answer comes last. */
function spentRank(connection: Connection, age: number): number {
  const { requests, state } = connection;
  if (state === HANDLER) return 0;
  return state === IDLE && requests && age < REGULAR_MS ? regularRank(connection, age) : rankOf(connection) + age;
}

/** It is in the middle of a request or response, and its grace period is over. */
export function lags(connection: Connection, now: number, laggards: Laggards): boolean {
  const { client, state, trusted } = connection;
  if (connection.stalls(now)) return true;
  const isHead = state === HEAD;
  if (!isHead && (state !== BODY || trusted)) return false;
  return connection.age(now) >= (isHead ? HEAD_GRACE_MS : BODY_GRACE_MS) || laggards.has(client, now);
}

/** Its grace period is over. */
function isSpent(connection: Connection, now: number, entitled: boolean, laggards: Laggards): boolean {
  const { requests, socket, state, trusted } = connection;
  if (lags(connection, now, laggards)) return true;
  // It has done its part: no laggard.
  if (state === HANDLER) return !trusted && connection.age(now) >= HANDLER_GRACE_MS;
  // Its request may be waiting in the socket. What has been read of it does not count: at most a lone CR.
  if (state !== IDLE || socket.readable) return false;
  const age = connection.age(now);
  if (!requests) return age >= NEW_CONNECTION_GRACE_MS;
  return entitled || age >= CLIENT_GRACE_MS;
}

/**
 * The connection to close for a new one of `client`, or undefined. An address at or above its share, or a laggard, takes no place from others. An
 * address below its share takes one from an address above it, whatever state that connection is in, unless it is trusted.
 */
export function findVictim(
  connections: readonly Connection[],
  client: string,
  now: number,
  laggards: Laggards,
): Connection | undefined {
  let victim: Connection | undefined;
  let most = -1;
  const entitled = held(connections, client) < ADDRESS_SHARE && !laggards.has(client, now);
  for (const connection of connections) {
    const age = Math.min(connection.age(now), RANK - 1);
    let rank = -1;
    const { state } = connection;
    if (state === LINGER || state === DRAIN) rank = LINGERS;
    else if (entitled && !connection.trusted && held(connections, connection.client) > ADDRESS_SHARE)
      rank = OVER_ITS_SHARE + rankOf(connection) + age;
    else if ((entitled || connection.client === client) && isSpent(connection, now, entitled, laggards))
      rank = spentRank(connection, age);
    if (rank <= most) continue;
    most = rank;
    victim = connection;
  }
  return victim;
}
