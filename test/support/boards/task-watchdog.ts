import { settingsOf } from "./sdkconfig";

/** What the script does between two waits: `busy` ms of work that feeds the watchdog only at its end, then `rest` ms of waiting. */
export interface Turn {
  readonly busy: number;
  readonly rest: number;
}

/** The SDK's message loop never waits longer than the watchdog's timeout less this, ms (xs/platforms/esp/xsHost.c, modMessageService). */
const MARGIN = 1_000;

/**
 * One core of the chip with two tasks: XS's loop (build/devices/esp32/lib/main/main.c: priority 4, subscribed to the task
 * watchdog, fed after each turn) and FreeRTOS's idle task (priority 0, runs only while XS waits, subscribed unless sdkconfig
 * says otherwise: components/freertos/app_startup.c). The watchdog bites when one subscriber has not fed it for the timeout.
 *
 * @returns ms until the watchdog bites, and whose turn it missed; undefined: it did not
 */
export function biteOf(
  sdkconfig: string,
  core: 0 | 1,
  turns: Iterable<Turn>,
): { at: number; task: string } | undefined {
  const settings = settingsOf(sdkconfig);
  const timeout = Number(settings.get("ESP_TASK_WDT_TIMEOUT_S")) * 1_000;
  const fed = new Map([["main", 0]]);
  if (settings.get(`ESP_TASK_WDT_CHECK_IDLE_TASK_CPU${core}`) !== "n") fed.set("idle", 0);
  let now = 0;
  const pass = (ms: number, task: string): { at: number; task: string } | undefined => {
    now += ms;
    for (const [starved, since] of fed) if (now - since >= timeout) return { at: since + timeout, task: starved };
    if (fed.has(task)) fed.set(task, now);
    return undefined;
  };
  for (const { busy, rest } of turns) {
    const bitten = pass(busy, "main");
    if (bitten) return bitten;
    for (let left = rest; left > 0; left -= timeout - MARGIN) {
      // The idle task runs as soon as XS waits, and XS's loop feeds the watchdog when its wait ends.
      if (fed.has("idle")) fed.set("idle", now);
      const starved = pass(Math.min(left, timeout - MARGIN), "main");
      if (starved) return starved;
    }
  }
  return undefined;
}
