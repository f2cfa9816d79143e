import { RequestError } from "./request-error";

/** A phone on the access point hears nothing for as long as the device scans, ms and times. */
const PAUSE = 1_000;
const MOST_TIMES = 5;
const BUSY = 503;

/** Asks again if no answer comes, or the device is busy: one lost answer does not end what goes on. Only for what changes nothing. */
export async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (let times = 1; ; times++) {
    try {
      return await ask();
    } catch (error) {
      const isOver = error instanceof RequestError && error.status !== 0 && error.status !== BUSY;
      if (isOver || times === MOST_TIMES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
