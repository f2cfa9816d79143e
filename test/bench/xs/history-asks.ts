/** On XS: the rings of the history, apart from the firmware's own. */
import Flash from "embedded:storage/flash";
import { Cursor } from "flash-log/cursor";
import { Page } from "flash-log/page";
import type { Ring } from "flash-log/ring";
import { HISTORY_ROWS, RECORDS_A_STEP } from "../../../src/endpoints/limits";
import { PARTITION, RINGS } from "../../../src/history/layout";
import { RecordStore } from "../../../src/history/record-store";

const TIME = 1_800_000_000;

let store: RecordStore | undefined;
let page: Page | undefined;
/** How many records were appended last. */
let appended = 0;

export const HISTORY_ASKS = {
  /** As at a start. */
  openHistory(): void {
    store = new RecordStore(Flash.open({ path: PARTITION }));
  },
  /** Appends so many records to a ring. */
  appendHistory(ring: number, times: number): void {
    const record = new Uint8Array(RINGS[ring]!.record);
    for (let index = 0; index < times; index++) store!.append(ring, record.fill(index & 0x7f), TIME + index, 0);
    appended = times;
  },
  /** Erases ahead until nothing is left to do; how many steps that took. */
  workHistory(): number {
    let steps = 0;
    while (store!.work()) steps++;
    return steps;
  },
  /** Reads so many records of a ring, the oldest first; how many there were. */
  readHistory(ring: number, most: number): number {
    const cursor = new Cursor(store!.rings[ring]!);
    let count = 0;
    while (count < most && cursor.next()) count++;
    return count;
  },
  /** Begins a query of a ring, as the API does; of its newest so many records, if their times rise by seconds. */
  beginPage(ring: number, last = 0): void {
    const from = last ? TIME + appended - last : 0;
    page = new Page({ ring: store!.rings[ring] as Ring, from, to: 0xffff_fffe, size: HISTORY_ROWS });
  },
  /** Looks for its rows; in how many steps. */
  lookForPage(most: number): number {
    let steps = 1;
    while (steps < most && page!.scan(RECORDS_A_STEP)) steps++;
    return steps;
  },
  endPage(): void {
    page = undefined;
  },
};
