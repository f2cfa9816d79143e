import type { Connection } from "./connection";
import { ADDRESS_SHARE, CLIENT_GRACE_MS, HEAD_GRACE_MS, NEW_CONNECTION_GRACE_MS } from "./limits";
import { BODY, HEAD, IDLE, LINGER } from "./phase";

/* Who gives way when all places are taken and another client wants in. */

/** Longer than any state lasts, ms: what counts more than the time does. */
const RANK = 0x10_0000;
/** Ranks: the more, the sooner. */
const LINGERS = 10 * RANK;
const OVER_ITS_SHARE = 5 * RANK;
const WAITS = 3 * RANK;
const SENDS_ITS_HEAD = 2 * RANK;
const SENDS_ITS_BODY = RANK;

const held = (connections: readonly Connection[], address: string): number => {
  let count = 0;
  for (const connection of connections)
    if (!connection.free && connection.phase.state !== LINGER && connection.address === address) count++;
  return count;
};

function rankOf({ phase: { state } }: Connection): number {
  if (state === IDLE) return WAITS;
  if (state === HEAD) return SENDS_ITS_HEAD;
  return state === BODY ? SENDS_ITS_BODY : 0;
}

/** It has had the time in which no client is disturbed. */
function isSpent(connection: Connection, age: number): boolean {
  const { state } = connection.phase;
  if (state === HEAD) return age >= HEAD_GRACE_MS;
  if (state !== IDLE || connection.pending) return false;
  return age >= (connection.requests ? CLIENT_GRACE_MS : NEW_CONNECTION_GRACE_MS);
}

/**
 * The place for a new client of `address`: a free one, or the one of a connection that has to give way, or undefined. An address that
 * has its share takes nobody else's place. One that has not takes it from an address that has more, whatever is done there.
 */
export function findPlace(connections: readonly Connection[], address: string, now: number): Connection | undefined {
  let place: Connection | undefined;
  let most = -1;
  const entitled = held(connections, address) < ADDRESS_SHARE;
  for (const connection of connections) {
    if (connection.free) return connection;
    const age = connection.phase.age(now);
    let rank = -1;
    if (connection.phase.state === LINGER) rank = LINGERS;
    else if (entitled && held(connections, connection.address) > ADDRESS_SHARE)
      rank = OVER_ITS_SHARE + rankOf(connection) + age;
    else if ((entitled || connection.address === address) && isSpent(connection, age)) rank = rankOf(connection) + age;
    if (rank <= most) continue;
    most = rank;
    place = connection;
  }
  return place;
}
