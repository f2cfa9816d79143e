import { ADDRESS_SHARE, CLIENT_GRACE_MS, HEAD_GRACE_MS, NEW_CONNECTION_GRACE_MS } from "./limits";
import { BODY, type Connection, HEAD, IDLE, LINGER } from "./connection";

/* Which connection is evicted when all slots are in use and another client connects. */

/** Ages from here on, ms, count as one less, so that rank outweighs age: a stream may last for hours. */
const RANK = 0x10_0000;
/** Ranks: the highest is closed first. */
const LINGERS = 10 * RANK;
const OVER_ITS_SHARE = 5 * RANK;
const WAITS = 3 * RANK;
const SENDS_ITS_HEAD = 2 * RANK;
const SENDS_ITS_BODY = RANK;

/** Those of a proxy that has not said yet whose they are count for nobody. */
const held = (connections: readonly Connection[], client: string): number => {
  let count = 0;
  if (client) for (const connection of connections) if (connection.client === client) count++;
  return count;
};

function rankOf({ state }: Connection): number {
  if (state === IDLE) return WAITS;
  if (state === HEAD) return SENDS_ITS_HEAD;
  return state === BODY ? SENDS_ITS_BODY : 0;
}

/** Its grace period is over. */
function isSpent(connection: Connection, age: number, now: number, entitled: boolean): boolean {
  const { socket, state } = connection;
  if (connection.stalls(now)) return true;
  if (state === HEAD) return age >= HEAD_GRACE_MS;
  // Its request may be waiting in the socket. What has been read of it does not count: at most a lone CR.
  if (state !== IDLE || socket.readable) return false;
  if (!connection.requests) return age >= NEW_CONNECTION_GRACE_MS;
  return entitled || age >= CLIENT_GRACE_MS;
}

/**
 * The connection to close for a new one of `client`, or undefined. An address at or above its share takes no place from others. An
 * address below its share takes one from an address above it, whatever state that connection is in.
 */
export function findVictim(connections: readonly Connection[], client: string, now: number): Connection | undefined {
  let victim: Connection | undefined;
  let most = -1;
  const entitled = held(connections, client) < ADDRESS_SHARE;
  for (const connection of connections) {
    const age = Math.min(connection.age(now), RANK - 1);
    let rank = -1;
    if (connection.state === LINGER) rank = LINGERS;
    else if (entitled && held(connections, connection.client) > ADDRESS_SHARE)
      rank = OVER_ITS_SHARE + rankOf(connection) + age;
    else if ((entitled || connection.client === client) && isSpent(connection, age, now, entitled))
      rank = rankOf(connection) + age;
    if (rank <= most) continue;
    most = rank;
    victim = connection;
  }
  return victim;
}
