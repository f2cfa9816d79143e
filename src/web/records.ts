/** /web/records: the records of a series as they are in flash, for the page. */
import type { Ring } from "flash-log/ring";
import { Walk } from "flash-log/walk";
import type { BodySource, Exchange } from "http-server/types";
import type { HistorySource } from "../endpoints/context";
import { failWithoutHistory, refuseReader, ringOf, wholeNumber } from "../endpoints/history";
import { MAX_TRANSFERS } from "../endpoints/limits";
import { fail } from "../endpoints/replies";
import { EVENTS } from "../history/layout";
import type { WebContext } from "./context";
import { NO_STORE_HEADERS } from "./headers";
import { GUEST } from "./messages";
import type { Session } from "./sessions";

const BYTES = "application/octet-stream";
const SERIES = "series=";
const LAST = "&last=";

/** Today's range of each cell, which is no record yet. */
const TODAY = "series=today";

/** `series`: as in GET /api/history, `events`, or TODAY; without it, fine. `last`, behind it: at least so many of the newest records, in whole sectors. */
export function getRecords(
  context: WebContext<"flashHistory">,
  exchange: Exchange,
  session: Session | undefined,
): void {
  const { flashHistory } = context.device;
  if (exchange.query === TODAY && flashHistory)
    return exchange.respond(
      200,
      BYTES,
      (into) => {
        const { cellRanges } = flashHistory.recorder;
        into.set(cellRanges);
        return cellRanges.length;
      },
      NO_STORE_HEADERS,
    );
  const [series = "", last, more] = (exchange.query || "series=fine").split(LAST);
  const ring =
    series === "series=events" ? EVENTS : series.startsWith(SERIES) ? ringOf(series.slice(SERIES.length)) : -1;
  const count = last === undefined ? Infinity : wholeNumber(last);
  if (ring < 0 || !count || more !== undefined)
    return fail(context, exchange, 400, "The series is unknown, or last no number.");
  if (ring === EVENTS && session?.link) return fail(context, exchange, 403, GUEST);
  // Nothing is looked for here, so that clients of the API keep no page waiting.
  if (!flashHistory) failWithoutHistory(context, exchange);
  else if (flashHistory.transfers >= MAX_TRANSFERS) refuseReader(context, exchange);
  else exchange.respond(200, BYTES, new RawRecords(flashHistory, ring, count), NO_STORE_HEADERS);
}

/**
 * Records of a ring in the order in which they were written, without a gap, times and checks included (docs/history.md): what was cut or has no
 * time is for the reader to judge.
 */
class RawRecords extends Walk implements BodySource {
  private readonly history: HistorySource;

  constructor(history: HistorySource, index: number, count: number) {
    const ring = history.store.rings[index] as Ring;
    super(ring);
    this.history = history;
    history.transfers++;
    // The newest sector may have just been begun, so it does not count.
    if (ring.head >= 0) this.sequence = Math.max(0, ring.sequence - Math.ceil(count / ring.perSector) - 1);
  }

  read(into: Uint8Array): number {
    const { ring } = this;
    const room = Math.floor(into.length / ring.recordBytes);
    if (!room) throw new RangeError("no room for a record");
    for (;;) {
      if (this.sector < 0 && !this.enter()) return 0;
      const { end } = this;
      const count = Math.min(room, end - this.place);
      const start = this.place;
      this.place += count;
      const { sector } = this;
      if (this.place >= end) this.sector = -1;
      const part = into.subarray(0, Math.max(0, count) * ring.recordBytes);
      if (count > 0 && ring.read(part, sector, start)) return part.length;
    }
  }

  close(): void {
    this.history.transfers--;
  }
}
