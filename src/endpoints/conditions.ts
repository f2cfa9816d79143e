/** GET /api/conditions: what is wrong, of which pack, and since when. */
import type { Exchange } from "http-server/types";
import { writeText } from "json/bytes";
import { ALARMS_TABLE, isRaised } from "../catalogue/alarms";
import { CONCERNS, severityOf } from "../conditions/table";
import type { Context } from "./context";
import { fail, SUCCESS } from "./replies";
import { Stepped } from "./stepped";

type Reached = Context<"conditions" | "monitor" | "uptime" | "time">;

const ROWS = CONCERNS.length;
const EACH = ROWS + ALARMS_TABLE.length;

export function getConditions(context: Reached, exchange: Exchange): void {
  if (exchange.query) return fail(context, exchange, 400, "There are no parameters.");
  new ConditionRows(context, exchange).respond();
}

/** By pack, in the order of the table, then of the alarms. */
class ConditionRows extends Stepped {
  declare protected readonly context: Reached;
  /** The next one: -1 is the head, then come EACH of a pack. */
  private next = -1;
  private hasRow = false;

  constructor(context: Reached, exchange: Exchange) {
    super(context, exchange);
  }

  protected write(into: Uint8Array): number {
    const end = this.context.device.monitor.packs.length * EACH;
    if (this.next < 0) {
      this.next = 0;
      return writeText(into, 0, `{${SUCCESS},"data":[`);
    }
    while (this.next < end) {
      const length = this.writeRow(into, Math.floor(this.next / EACH), this.next++ % EACH);
      if (length) return length;
    }
    return this.next++ === end ? writeText(into, 0, "]}") : 0;
  }

  /** 0: it is not there. */
  private writeRow(into: Uint8Array, index: number, row: number): number {
    const { device } = this.context;
    const { conditions, json } = device;
    const alarm = ALARMS_TABLE[row - ROWS];
    if (!isRaised(alarm ? conditions.alarmsOf(index) : conditions.presentOf(index), alarm ? row - ROWS : row)) return 0;
    json.begin(into, this.hasRow).open();
    this.hasRow = true;
    const code = alarm ? alarm.name : (CONCERNS[row] as string);
    json.integer("pack", device.monitor.packs[index]?.identity.address ?? 0).string("code", code);
    json.string("severity", alarm ? (alarm.fault ? "fault" : "notice") : severityOf(code));
    const now = alarm ? undefined : device.time?.();
    if (now === undefined) json.null("since");
    else json.integer("since", now - device.uptime() + conditions.sinceOf(index, row));
    return json.close().end();
  }
}
